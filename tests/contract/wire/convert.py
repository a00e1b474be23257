"""One transcript in every wire format: OpenAI chat rows as the other formats would have them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from vademecum.testing import sample

Row = dict[str, Any]
FORMATS = ("openai-chat", "openai-responses", "anthropic", "gemini", "ollama")
#: Formats whose messages must take turns, so that neighbours of one role are one message.
_MERGED = ("anthropic", "gemini")


@dataclass
class Step:
    """One message of any format before it has one.

    Attributes:
        role: `system`, `user`, `assistant` or `tool`.
        texts: Its texts.
        images: Data of its images, base64.
        thought: What the model thought.
        calls: Its calls: id, tool, arguments.
        results: Results that it brings: id, tool, text, images.
    """

    role: str
    texts: list[str] = field(default_factory=list)
    images: list[str] = field(default_factory=list)
    thought: str = ""
    calls: list[tuple[str, str, Any]] = field(default_factory=list)
    results: list[tuple[str, str, str, list[str]]] = field(default_factory=list)


def session(format: str, **shape: int) -> list[Row]:
    """`vademecum.testing.sample` in any format."""
    return converted(sample("openai-chat", **shape), format)


def converted(rows: Sequence[Row], format: str) -> list[Row]:
    """OpenAI chat rows in another format; system rows that stand outside there are left out."""
    if format == "openai-chat":
        return [dict(row) for row in rows]
    steps = list(_steps(rows))
    if format in _MERGED:
        steps = _merged([step for step in steps if step.role != "system"])
    write = {"openai-responses": _responses, "anthropic": _anthropic, "gemini": _gemini, "ollama": _ollama}[format]
    return [row for number, step in enumerate(steps) for row in write(step, number)]


def _steps(rows: Sequence[Row]) -> Iterator[Step]:
    tools: dict[str, str] = {}
    batch: Step | None = None
    for row in rows:
        texts, images = _content(row.get("content"))
        if row["role"] == "tool":
            batch = batch or Step("tool")
            id = row["tool_call_id"]
            batch.results.append((id, tools.get(id, "unknown"), "\n".join(texts), images))
            continue
        if batch is not None:
            yield batch
            batch = None
        calls = [
            (call["id"], call["function"]["name"], _arguments(call["function"]["arguments"]))
            for call in row.get("tool_calls") or ()
        ]
        tools |= {id: name for id, name, _ in calls}
        yield Step(row["role"], texts, images, row.get("reasoning_content") or "", calls)
    if batch is not None:
        yield batch


def _content(content: Any) -> tuple[list[str], list[str]]:
    if isinstance(content, str):
        return ([content] if content else []), []
    if isinstance(content, dict):
        return [json.dumps(content)], []
    texts = [part["text"] for part in content or () if part.get("type") == "text"]
    urls = [part["image_url"]["url"] for part in content or () if part.get("type") == "image_url"]
    return texts, [url.split(",", 1)[1] for url in urls]


def _arguments(text: str) -> Any:
    try:
        value = json.loads(text)
    except ValueError:
        return {"raw": text}
    return value if isinstance(value, dict) else {"raw": value}


def _merged(steps: Sequence[Step]) -> list[Step]:
    """Neighbours of one role as one; a user's text after results goes to them."""
    out: list[Step] = []
    for step in steps:
        before = out[-1] if out else None
        side = "assistant" if step.role == "assistant" else "user"
        if before is None or side != ("assistant" if before.role == "assistant" else "user") or before.calls:
            out.append(step)
            continue
        before.texts += step.texts
        before.images += step.images
        before.calls += step.calls
        before.results += step.results
        before.thought = before.thought or step.thought
    return [step for step in out if step.texts or step.images or step.calls or step.results]


def _responses(step: Step, number: int) -> Iterator[Row]:
    if step.role == "tool":
        for id, _, text, images in step.results:
            parts = [{"type": "input_image", "image_url": _url(image)} for image in images]
            output: Any = [{"type": "input_text", "text": text}, *parts] if parts else text
            yield {"type": "function_call_output", "call_id": id, "output": output}
        return
    if step.role == "assistant":
        yield {
            "type": "reasoning",
            "id": f"rs_{number}",
            "summary": [{"type": "summary_text", "text": step.thought}] if step.thought else [],
            "encrypted_content": f"c2VhbGVk{number}",
        }
        if step.texts or not step.calls:
            parts = [{"type": "output_text", "text": text, "annotations": []} for text in step.texts or ["…"]]
            yield {
                "type": "message",
                "id": f"msg_{number}",
                "role": "assistant",
                "status": "completed",
                "content": parts,
            }
        for at, (id, tool, arguments) in enumerate(step.calls):
            text = json.dumps(arguments, ensure_ascii=False)
            yield {"type": "function_call", "id": f"fc_{number}_{at}", "call_id": id, "name": tool, "arguments": text}
        return
    role = "developer" if step.role == "system" else "user"
    parts = [{"type": "input_text", "text": text} for text in step.texts]
    parts += [{"type": "input_image", "image_url": _url(image)} for image in step.images]
    yield {"type": "message", "role": role, "content": parts}


def _anthropic(step: Step, number: int) -> Iterator[Row]:
    parts: list[Row] = []
    if step.thought:
        parts.append({"type": "thinking", "thinking": step.thought, "signature": f"c2ln{number}"})
    for id, _, text, images in step.results:
        content: Any = [{"type": "text", "text": text}, *map(_block, images)] if images else text
        parts.append({"type": "tool_result", "tool_use_id": id, "content": content})
    parts += [{"type": "text", "text": text} for text in step.texts]
    parts += map(_block, step.images)
    parts += [{"type": "tool_use", "id": id, "name": tool, "input": given} for id, tool, given in step.calls]
    yield {"role": "assistant" if step.role == "assistant" else "user", "content": parts}


def _gemini(step: Step, number: int) -> Iterator[Row]:
    parts: list[Row] = []
    if step.thought:
        parts.append({"text": step.thought, "thought": True})
    for _, tool, text, images in step.results:
        more = {"parts": [_inline(image) for image in images]} if images else {}
        parts.append({"functionResponse": {"name": tool, "response": {"output": text}, **more}})
    parts += [{"text": text} for text in step.texts]
    parts += map(_inline, step.images)
    for at, (_, tool, given) in enumerate(step.calls):
        signed = {} if at else {"thoughtSignature": f"c2ln{number}"}
        parts.append({"functionCall": {"name": tool, "args": given}, **signed})
    yield {"role": "model" if step.role == "assistant" else "user", "parts": parts}


def _ollama(step: Step, number: int) -> Iterator[Row]:
    if step.role == "tool":
        for _, tool, text, images in step.results:
            yield {"role": "tool", "tool_name": tool, "content": text, **({"images": images} if images else {})}
        return
    row: Row = {"role": step.role, "content": "\n\n".join(step.texts)}
    if step.thought:
        row["thinking"] = step.thought
    if step.images:
        row["images"] = step.images
    if step.calls:
        row["tool_calls"] = [{"function": {"name": tool, "arguments": given}} for _, tool, given in step.calls]
    yield row


def _url(image: str) -> str:
    return f"data:image/png;base64,{image}"


def _block(image: str) -> Row:
    return {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": image}}


def _inline(image: str) -> Row:
    return {"inlineData": {"mimeType": "image/png", "data": image}}
