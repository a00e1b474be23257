"""Counting calls and results of native logs from their bytes, without the importers."""

import gzip
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def document(path: Path) -> Any:
    data = path.read_bytes()
    return json.loads(gzip.decompress(data) if path.suffix == ".gz" else data)


def blocks(content: Any, *types: str) -> int:
    return sum(1 for block in content if block.get("type") in types) if isinstance(content, list) else 0


def claude(path: Path) -> tuple[int, int]:
    said = [row["message"]["content"] for row in rows(path) if row.get("type") in ("user", "assistant")]
    return sum(blocks(one, "tool_use") for one in said), sum(blocks(one, "tool_result") for one in said)


def codex(path: Path) -> tuple[int, int]:
    kinds = [row["payload"].get("type", "") for row in rows(path) if row["type"] == "response_item"]
    server = ("web_search_call", "image_generation_call")
    calls = [kind for kind in kinds if kind.endswith("_call") and kind not in server]
    return len(calls), sum(kind.endswith("_output") for kind in kinds)


def copilot(path: Path) -> tuple[int, int]:
    found = rows(path)
    asked = [row["data"].get("toolRequests") or [] for row in found if row["type"] == "assistant.message"]
    return sum(map(len, asked)), sum(row["type"] == "tool.execution_complete" for row in found)


def gemini(path: Path) -> tuple[int, int]:
    found = rows(path) if path.suffix == ".jsonl" else document(path)["messages"]
    made = [call for row in found for call in row.get("toolCalls", ())]
    return len(made), sum("result" in call for call in made)


def chat(found: list[dict[str, Any]]) -> tuple[int, int]:
    calls = sum(len(row.get("tool_calls") or ()) for row in found)
    return calls, sum(row["role"] == "tool" for row in found)


def tau(path: Path) -> tuple[int, int]:
    pairs = [chat(result["traj"]) for result in document(path)]
    return sum(pair[0] for pair in pairs), sum(pair[1] for pair in pairs)


def cline(path: Path) -> tuple[int, int]:
    said = [row["content"] for row in document(path)["messages"]]
    return sum(blocks(one, "tool_use") for one in said), sum(blocks(one, "tool_result") for one in said)


def inspect(path: Path) -> tuple[int, int]:
    if path.suffix == ".eval":
        with zipfile.ZipFile(path) as archive:
            names = [name for name in archive.namelist() if name.startswith("samples/")]
            samples = [json.loads(archive.read(name)) for name in names]
    else:
        samples = document(path)["samples"]
    pairs = [chat(sample["messages"]) for sample in samples]
    return sum(pair[0] for pair in pairs), sum(pair[1] for pair in pairs)


def openhands(path: Path) -> tuple[int, int]:
    lists = [row["history"] for row in rows(path)] if path.suffix == ".jsonl" else [document(path)]
    idle = ("change_agent_state", "agent_state_changed", "null", "message")
    events = [event for each in lists for event in each]
    calls = sum(event.get("action", "null") not in idle for event in events)
    return calls, sum(event.get("observation", "null") not in idle for event in events)


def swe(path: Path) -> tuple[int, int]:
    history = document(path)["history"]
    acts = [
        number for number, row in enumerate(history) if row.get("tool_calls") or (row.get("action") or "").strip()
    ]
    answered = [number for number in acts if number + 1 < len(history) and history[number + 1]["role"] != "assistant"]
    return len(acts), len(answered)


def atif(path: Path) -> tuple[int, int]:
    steps = document(path)["steps"]
    seen = [each for step in steps for each in step.get("observation", {}).get("results", ()) if "content" in each]
    return sum(len(step.get("tool_calls", ())) for step in steps), len(seen)


def specstory(path: Path) -> tuple[int, int]:
    tools = sum(line.startswith("Tool use: **") for line in path.read_text("utf-8").splitlines())
    return tools, tools


def pi(path: Path) -> tuple[int, int]:
    said = [row["message"] for row in rows(path) if row["type"] == "message"]
    calls = sum(blocks(message["content"], "toolCall") for message in said)
    return calls, sum(message["role"] == "toolResult" for message in said)


def kimi(path: Path) -> tuple[int, int]:
    kinds = [row["event"]["type"] for row in rows(path) if row["type"] == "context.append_loop_event"]
    return kinds.count("tool.call"), kinds.count("tool.result")


def entire(path: Path) -> tuple[int, int]:
    used = [block for row in rows(path) for block in row["content"] if block.get("type") == "tool_use"]
    return len(used), sum("result" in block for block in used)


def antigravity(path: Path) -> tuple[int, int]:
    """Every step that a tool brought is a result; calls that the log does not have are made for them."""
    said = ("USER_INPUT", "SYSTEM_MESSAGE", "PLANNER_RESPONSE", "CHECKPOINT", "CONVERSATION_HISTORY")
    results = sum(row["type"] not in said for row in rows(path))
    return results, results


def droid(path: Path) -> tuple[int, int]:
    found = rows(path)
    stored = [row["message"]["content"] for row in found if isinstance(row.get("message"), dict)]
    calls = sum(blocks(one, "tool_use") for one in stored) + sum(row["type"] == "tool_call" for row in found)
    return calls, sum(blocks(one, "tool_result") for one in stored) + sum(r["type"] == "tool_result" for r in found)


def cursor(path: Path) -> tuple[int, int]:
    said = [row["message"]["content"] for row in rows(path)]
    return sum(blocks(one, "tool_use") for one in said), sum(blocks(one, "tool_result") for one in said)


def grok(path: Path) -> tuple[int, int]:
    found = rows(path)
    return sum(len(row.get("tool_calls", ())) for row in found), sum(row["type"] == "tool_result" for row in found)


def qwen(path: Path) -> tuple[int, int]:
    parts = [part for row in rows(path) for part in row.get("message", {}).get("parts", ())]
    return sum("functionCall" in part for part in parts), sum("functionResponse" in part for part in parts)


def hermes(path: Path) -> tuple[int, int]:
    return chat(document(path)["messages"])


#: What a file's path has → the kind and what counts it; the first that fits.
COUNTS = {
    "claude_code/": ("claude-code", claude),
    "codex/": ("codex", codex),
    "copilot": ("copilot-cli", copilot),
    "gemini/": ("gemini-cli", gemini),
    "hermes-": ("hermes", hermes),
    "cline": ("cline", cline),
    "tau-": ("tau-bench", tau),
    "inspect/": ("inspect", inspect),
    "mini_swe/": ("mini-swe-agent", lambda path: chat(document(path))),
    "openhands/": ("openhands", openhands),
    "swe_agent/": ("swe-agent", swe),
    "atif/": ("atif", atif),
    "specstory/": ("specstory", specstory),
    "pi/": ("pi", pi),
    "kimi": ("kimi", kimi),
    "entire-compact": ("entire", entire),
    "antigravity": ("antigravity", antigravity),
    "droid": ("droid", droid),
    "cursor": ("cursor", cursor),
    "grok": ("grok", grok),
    "qwen": ("qwen", qwen),
}
#: Refused, with what the error names.
REFUSED = {"copilot-sdk-compaction.yaml": "copilot-sdk"}


def logs(folder: Path) -> Iterator[Path]:
    yield from sorted(path for path in (folder / "native").rglob("*") if path.is_file())


def expected(path: Path, folder: Path) -> tuple[str, tuple[int, int]]:
    name = path.relative_to(folder / "native").as_posix()
    kind, count = next(held for part, held in COUNTS.items() if part in name)
    return kind, count(path)
