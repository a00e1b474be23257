"""Small logs of every sort, made here: a question, a tool that answers, a failure, an answer."""

import io
import json
import zipfile

from unit.sessions.made_lines import (
    ANTIGRAVITY,
    CLAUDE,
    CODEX,
    COPILOT,
    CURSOR,
    DROID,
    DROID_STREAM,
    ENTIRE,
    GEMINI,
    GEMINI_HEAD,
    GROK,
    KIMI,
    PI,
    QWEN,
    TS,
    Made,
    answer,
    claude,
    codex,
    document,
    gemini,
    lines,
    qwen,
    use,
)

__all__ = [
    "ANTIGRAVITY",
    "CLAUDE",
    "CODEX",
    "COPILOT",
    "CURSOR",
    "DROID",
    "DROID_STREAM",
    "ENTIRE",
    "GEMINI",
    "GEMINI_HEAD",
    "GROK",
    "KIMI",
    "PI",
    "QWEN",
    "TS",
    "Made",
    "answer",
    "claude",
    "codex",
    "document",
    "gemini",
    "lines",
    "qwen",
    "use",
]

CHAT = [
    {"role": "user", "content": "alpha question"},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "t1", "type": "function", "function": {"name": "ls", "arguments": '{"p":"beta"}'}}],
    },
    {"role": "tool", "tool_call_id": "t1", "content": "gamma"},
    {"role": "assistant", "content": "eta answer"},
]

OPENHANDS = [
    {"id": 0, "source": "environment", "observation": "agent_state_changed", "content": "", "extras": {}},
    {"id": 1, "source": "user", "action": "message", "args": {"content": "alpha question"}},
    {"id": 2, "source": "agent", "action": "run", "args": {"command": "beta", "thought": "gamma"}},
    {
        "id": 3,
        "source": "agent",
        "observation": "run",
        "cause": 2,
        "content": "delta",
        "extras": {},
        "success": False,
    },
    {"id": 4, "source": "agent", "action": "message", "args": {"content": "eta answer"}},
]

SDK = [
    {"kind": "SystemPromptEvent", "source": "agent", "system_prompt": {"type": "text", "text": "theta rules"}},
    {
        "kind": "MessageEvent",
        "source": "user",
        "llm_message": {"role": "user", "content": [{"type": "text", "text": "alpha question"}]},
    },
    {
        "kind": "ActionEvent",
        "source": "agent",
        "tool_name": "bash",
        "tool_call_id": "t1",
        "thought": [{"type": "text", "text": "beta"}],
        "tool_call": {"id": "t1", "name": "bash", "arguments": '{"command":"gamma"}'},
    },
    {
        "kind": "ObservationEvent",
        "source": "environment",
        "tool_name": "bash",
        "tool_call_id": "t1",
        "observation": {"content": [{"type": "text", "text": "delta"}]},
    },
    {
        "kind": "MessageEvent",
        "source": "agent",
        "llm_message": {"role": "assistant", "content": [{"type": "text", "text": "eta answer"}]},
    },
]

SWE = {
    "trajectory": [{"action": "ls", "observation": "gamma", "response": "beta"}],
    "history": [
        {"role": "system", "content": "theta rules", "agent": "main"},
        {"role": "user", "content": "alpha question", "agent": "main"},
        {"role": "assistant", "content": "beta", "action": "ls delta", "agent": "main"},
        {"role": "user", "content": "gamma", "agent": "main"},
        {"role": "assistant", "content": "eta answer", "action": "", "agent": "main"},
    ],
    "info": {},
}

MINI = [
    {"role": "system", "content": "theta rules"},
    {"role": "user", "content": "alpha question"},
    {"role": "assistant", "content": "beta\n```bash\nls\n```"},
    {"role": "user", "content": "<returncode>0</returncode>\n<output>\ngamma\n</output>"},
    {"role": "assistant", "content": "eta answer"},
]

ATIF = {
    "schema_version": "ATIF-v1.5",
    "session_id": "at-1",
    "agent": {"name": "x", "version": "1"},
    "steps": [
        {"step_id": 1, "source": "system", "message": "theta rules"},
        {"step_id": 2, "source": "user", "message": "alpha question"},
        {
            "step_id": 3,
            "source": "agent",
            "message": "beta",
            "tool_calls": [{"tool_call_id": "t1", "function_name": "ls", "arguments": {"p": "gamma"}}],
            "observation": {"results": [{"content": "delta"}]},
        },
        {"step_id": 4, "source": "agent", "message": "eta answer"},
    ],
}

HERMES = {"session_id": "h-1", "platform": "cli", "model": "m", "messages": [*CHAT, {"role": "session_meta"}]}

TAU = [
    {
        "task_id": 0,
        "trial": trial,
        "reward": 1.0,
        "info": {},
        "traj": [*CHAT, {"role": "user", "content": f"bye {trial}"}],
    }
    for trial in (0, 1)
]

CLINE = {
    "version": 1,
    "sessionId": "cl-1",
    "system_prompt": "theta rules",
    "messages": [
        {"role": "user", "content": [{"type": "text", "text": "alpha question"}], "ts": 1783376868634},
        {"role": "assistant", "content": [use("t1", "editor", path="beta")], "ts": 1783376868635},
        {"role": "user", "content": [answer("t1", "gamma")], "ts": 1783376868636},
        {"role": "assistant", "content": [{"type": "text", "text": "eta answer"}], "ts": 1783376868637},
    ],
}

SAMPLE = {
    "id": 1,
    "epoch": 1,
    "messages": [
        {"role": "user", "content": "alpha question", "source": "input"},
        {
            "role": "assistant",
            "content": [{"type": "reasoning", "reasoning": "beta"}],
            "tool_calls": [{"id": "t1", "function": "ls", "arguments": {"p": "gamma"}, "type": "function"}],
        },
        {"role": "tool", "tool_call_id": "t1", "function": "ls", "content": "", "error": {"message": "delta"}},
        {"role": "assistant", "content": "eta answer"},
    ],
}
INSPECT = {"version": 2, "status": "success", "eval": {"run_id": "r", "task": "t"}, "samples": [SAMPLE]}

OPENCODE = {
    "info": {"id": "ses_1", "directory": "/tmp"},
    "messages": [
        {
            "info": {"id": "msg_1", "role": "user", "time": {"created": 1783376868634}},
            "parts": [{"type": "text", "text": "alpha question"}],
        },
        {
            "info": {"id": "msg_2", "role": "assistant", "time": {"created": 1783376868635}},
            "parts": [
                {"type": "step-start"},
                {"type": "reasoning", "text": "beta"},
                {
                    "type": "tool",
                    "callID": "t1",
                    "tool": "bash",
                    "state": {"status": "error", "input": {"command": "gamma"}, "error": "delta"},
                },
                {"type": "text", "text": "eta answer"},
            ],
        },
    ],
}

SPECSTORY = """<!-- Generated by SpecStory -->

<!-- cursor Session 0a1b2c3d-0000-4000-8000-000000000001 (2026-05-01 10:00Z) -->

# A title

_**User (2026-05-01 10:00Z)**_

alpha question

---

_**Assistant (default)**_

<think><details><summary>Thought Process</summary>beta</details></think>

---

Tool use: **shell**

<details>
*Parameters*:
  * command: gamma

*Result*:
delta
</details>

---

eta answer
"""

AIDER = """
# aider chat started at 2026-05-01 10:00:00

> aider v1

#### alpha question
#### on two lines

eta answer

> Tokens: 1k sent
"""


def archive() -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as made:
        made.writestr("header.json", json.dumps({"eval": INSPECT["eval"]}))
        made.writestr("samples/1_epoch_1.json", json.dumps(SAMPLE))
    return held.getvalue()


MADE = {
    "claude": Made("claude-code", lines(*CLAUDE), (4, 2, 2)),
    "codex": Made("codex", lines(*CODEX), (7, 2, 2)),
    "copilot": Made("copilot-cli", lines(*COPILOT), (5, 1, 1)),
    "pi": Made("pi", lines(*PI), (4, 1, 1)),
    "gemini": Made("gemini-cli", document({**GEMINI_HEAD, "messages": GEMINI}), (4, 1, 1)),
    "gemini-lines": Made("gemini-cli", lines({**GEMINI_HEAD, "kind": "main"}, *GEMINI), (4, 1, 1)),
    "droid": Made("droid", lines(*DROID), (4, 1, 1)),
    "droid-stream": Made("droid", lines(*DROID_STREAM), (4, 1, 1)),
    "kimi": Made("kimi", lines(*KIMI), (5, 1, 1)),
    "qwen": Made("qwen", lines(*QWEN), (4, 1, 1)),
    "grok": Made("grok", lines(*GROK), (5, 1, 1)),
    "cursor": Made("cursor", lines(*CURSOR), (4, 1, 1)),
    "antigravity": Made("antigravity", lines(*ANTIGRAVITY), (4, 1, 1)),
    "entire": Made("entire", lines(*ENTIRE), (4, 1, 1)),
    "chat": Made("chat", lines(*CHAT), (4, 1, 1)),
    "chat-list": Made("chat", document(CHAT), (4, 1, 1)),
    "chat-body": Made("chat", document({"model": "m", "messages": CHAT}), (4, 1, 1)),
    "openhands": Made("openhands", document(OPENHANDS), (4, 1, 1)),
    "openhands-trajectory": Made("openhands", document({"trajectory": OPENHANDS}), (4, 1, 1)),
    "openhands-sdk": Made("openhands", lines(*SDK), (5, 1, 1)),
    "openhands-output": Made(
        "openhands", lines(*({"instance_id": f"i-{n}", "history": OPENHANDS} for n in (1, 2))), (8, 2, 2)
    ),
    "swe-agent": Made("swe-agent", document(SWE), (5, 1, 1)),
    "mini-swe-agent": Made("mini-swe-agent", document(MINI), (5, 0, 0)),
    "atif": Made("atif", document(ATIF), (5, 1, 1)),
    "hermes": Made("hermes", document(HERMES), (4, 1, 1)),
    "hermes-lines": Made(
        "hermes", lines({"id": "h-2", "messages": CHAT}, {"id": "h-3", "messages": CHAT}), (8, 2, 2)
    ),
    "tau": Made("tau-bench", document(TAU), (10, 2, 2)),
    "cline": Made("cline", document(CLINE), (4, 1, 1)),
    "inspect": Made("inspect", document(INSPECT), (4, 1, 1)),
    "inspect-archive": Made("inspect", archive(), (4, 1, 1)),
    "opencode": Made("opencode", document(OPENCODE), (4, 1, 1)),
    "specstory": Made("specstory", SPECSTORY.encode(), (4, 1, 1)),
    "aider": Made("aider", AIDER.encode(), (4, 0, 0)),
}
