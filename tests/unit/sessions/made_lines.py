"""Small logs of every sort, made here: a question, a tool that answers, a failure, an answer."""

import json
from dataclasses import dataclass
from typing import Any

TS = "2026-05-01T10:00:0{}Z"


@dataclass(frozen=True)
class Made:
    """A log and what is in it: messages, calls, results."""

    kind: str
    data: bytes
    counts: tuple[int, int, int]

    @property
    def lines(self) -> bool:
        return self.data.startswith(b"{") and self.data.splitlines()[0].endswith(b"}")


def lines(*rows: Any) -> bytes:
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def document(value: Any) -> bytes:
    return json.dumps(value, indent=1).encode()


def claude(uuid: str, parent: str | None, kind: str, content: Any, **more: Any) -> dict[str, Any]:
    message = {"role": kind, "content": content, **more.pop("message", {})}
    row = {"type": kind, "uuid": uuid, "parentUuid": parent, "sessionId": "c-1", "timestamp": TS.format(1)}
    return {**row, "message": message, **more}


def use(id: str, name: str, **arguments: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": id, "name": name, "input": arguments}


def answer(id: str, content: Any, **more: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": id, "content": content, **more}


CLAUDE = [
    {"type": "file-history-snapshot", "messageId": "x", "snapshot": {}},
    {"type": "progress", "uuid": "p0", "parentUuid": None, "sessionId": "c-1", "data": {"type": "hook_progress"}},
    claude("u1", "p0", "user", "alpha question"),
    claude(
        "a1", "u1", "assistant", [{"type": "thinking", "thinking": "beta", "signature": "s"}], message={"id": "m1"}
    ),
    claude("a2", "a1", "assistant", [use("t1", "Bash", command="ls gamma")], message={"id": "m1"}),
    claude("a3", "a2", "assistant", [use("t2", "Read", file_path="delta.py")], message={"id": "m1"}),
    claude("r1", "a2", "user", [answer("t1", "epsilon out")]),
    claude("r2", "a3", "user", [answer("t2", "zeta missing", is_error=True)]),
    claude("a4", "r2", "assistant", [{"type": "text", "text": "eta answer"}], message={"id": "m2"}),
]


def codex(kind: str, **payload: Any) -> dict[str, Any]:
    return {"timestamp": TS.format(2), "type": "response_item", "payload": {"type": kind, **payload}}


CODEX = [
    {"timestamp": TS.format(0), "type": "session_meta", "payload": {"id": "x-1", "cwd": "/tmp"}},
    codex("message", role="user", content=[{"type": "input_text", "text": "<environment_context>theta"}]),
    codex("message", role="user", content=[{"type": "input_text", "text": "alpha question"}]),
    {
        "timestamp": TS.format(2),
        "type": "event_msg",
        "payload": {"type": "user_message", "message": "alpha question"},
    },
    codex("reasoning", summary=[{"type": "summary_text", "text": "beta"}], encrypted_content="zzz"),
    codex("function_call", name="shell", arguments='{"cmd":"ls gamma"}', call_id="k1"),
    codex("function_call_output", call_id="k1", output="Exit code: 1\nepsilon"),
    codex("custom_tool_call", name="apply_patch", input="*** delta", call_id="k2"),
    codex("custom_tool_call_output", call_id="k2", output="zeta"),
    {"timestamp": TS.format(3), "type": "compacted", "payload": {"message": "", "replacement_history": []}},
    codex("message", role="assistant", content=[{"type": "output_text", "text": "eta answer"}]),
]

COPILOT = [
    {"type": kind, "id": f"e{number}", "timestamp": TS.format(1), "parentId": None, "data": data}
    for number, (kind, data) in enumerate(
        [
            ("session.start", {"sessionId": "p-1", "version": 1}),
            ("system.message", {"role": "system", "content": "theta rules"}),
            ("user.message", {"content": "alpha question"}),
            (
                "assistant.message",
                {
                    "content": "beta",
                    "reasoningText": "gamma",
                    "toolRequests": [{"toolCallId": "t1", "name": "bash", "arguments": {"command": "ls delta"}}],
                },
            ),
            ("tool.execution_start", {"toolCallId": "t1", "toolName": "bash"}),
            ("tool.execution_complete", {"toolCallId": "t1", "success": False, "error": {"message": "epsilon"}}),
            ("assistant.message", {"content": "eta answer", "toolRequests": []}),
        ]
    )
]

PI = [
    {"type": "session", "version": 3, "id": "pi-1", "timestamp": TS.format(0), "cwd": "/tmp"},
    *(
        {"type": "message", "id": id, "parentId": parent, "timestamp": TS.format(1), "message": message}
        for id, parent, message in [
            ("m1", "pi-1", {"role": "user", "content": [{"type": "text", "text": "alpha question"}]}),
            (
                "m2",
                "m1",
                {
                    "role": "assistant",
                    "content": [
                        {"type": "thinking", "thinking": "beta"},
                        {"type": "toolCall", "id": "t1", "name": "bash", "arguments": {"command": "gamma"}},
                    ],
                },
            ),
            ("m3", "m2", {"role": "toolResult", "toolCallId": "t1", "content": "delta", "isError": True}),
            ("m4", "m3", {"role": "assistant", "content": [{"type": "text", "text": "eta answer"}]}),
        ]
    ),
    {"type": "compaction", "id": "m5", "parentId": "m4", "timestamp": TS.format(2), "summary": "never taken in"},
]


def gemini(id: str, kind: str, content: Any, **more: Any) -> dict[str, Any]:
    return {"id": id, "timestamp": TS.format(1), "type": kind, "content": content, **more}


GEMINI = [
    gemini("g1", "user", "alpha question"),
    gemini("g0", "info", "an update"),
    gemini(
        "g2",
        "gemini",
        "beta",
        thoughts=[{"subject": "gamma", "description": "deeply"}],
        toolCalls=[
            {
                "id": "t1",
                "name": "read_file",
                "args": {"path": "delta"},
                "status": "error",
                "result": [{"functionResponse": {"id": "t1", "name": "read_file", "response": {"error": "epsilon"}}}],
            }
        ],
    ),
    gemini("g3", "gemini", "eta answer"),
]
GEMINI_HEAD = {"sessionId": "g-1", "projectHash": "h", "startTime": TS.format(0), "lastUpdated": TS.format(1)}

DROID = [
    {"type": "session_start", "id": "d-1", "title": "t"},
    *(
        {
            "type": "message",
            "id": f"m{number}",
            "parentId": f"m{number - 1}",
            "timestamp": TS.format(1),
            "message": said,
        }
        for number, said in enumerate(
            [
                {"role": "user", "content": [{"type": "text", "text": "alpha question"}]},
                {"role": "assistant", "content": [use("t1", "Execute", command="beta")]},
                {"role": "user", "content": [answer("t1", "gamma")]},
                {"role": "assistant", "content": [{"type": "text", "text": "eta answer"}]},
            ],
            start=1,
        )
    ),
]

KIMI = [
    {"type": "metadata", "protocol_version": "1.4"},
    {"type": "config.update", "systemPrompt": "theta rules", "time": 1785612803281},
    {
        "type": "context.append_message",
        "message": {
            "role": "user",
            "content": [{"type": "text", "text": "alpha question"}],
            "origin": {"kind": "user"},
        },
        "time": 1785612803282,
    },
    *(
        {"type": "context.append_loop_event", "event": {"stepUuid": "s1", **event}, "time": 1785612803283}
        for event in [
            {"type": "content.part", "part": {"type": "think", "think": "beta"}},
            {"type": "tool.call", "toolCallId": "t1", "name": "Bash", "args": {"command": "gamma"}},
            {"type": "tool.result", "toolCallId": "t1", "result": {"output": "delta", "isError": True}},
            {"type": "content.part", "stepUuid": "s2", "part": {"type": "text", "text": "eta answer"}},
        ]
    ),
]


def qwen(uuid: str, parent: str | None, kind: str, parts: list[Any]) -> dict[str, Any]:
    message = {"role": "model" if kind == "assistant" else "user", "parts": parts}
    return {"uuid": uuid, "parentUuid": parent, "sessionId": "q-1", "type": kind, "message": message}


QWEN = [
    qwen("1", None, "user", [{"text": "alpha question"}]),
    qwen("2", "1", "assistant", [{"functionCall": {"id": "t1", "name": "ls", "args": {"path": "beta"}}}]),
    qwen(
        "3", "2", "tool_result", [{"functionResponse": {"id": "t1", "name": "ls", "response": {"output": "gamma"}}}]
    ),
    qwen("4", "3", "assistant", [{"text": "eta answer"}]),
]

GROK = [
    {"type": "system", "content": "theta rules"},
    {"type": "user", "content": [{"type": "text", "text": "alpha question"}]},
    {"type": "assistant", "content": "beta", "tool_calls": [{"id": "t1", "name": "ls", "arguments": "{}"}]},
    {"type": "tool_result", "tool_call_id": "t1", "content": "gamma"},
    {"type": "assistant", "content": "eta answer"},
]

CURSOR = [
    {"role": role, "message": {"content": content}}
    for role, content in [
        ("user", [{"type": "text", "text": "alpha question"}]),
        ("assistant", [{"type": "tool_use", "name": "Bash", "input": {"command": "beta"}}]),
        ("user", [answer("t1", "gamma")]),
        ("assistant", [{"type": "text", "text": "eta answer"}]),
    ]
]

ANTIGRAVITY = [
    {"step_index": number, "source": source, "type": kind, "status": "DONE", "created_at": TS.format(1), **more}
    for number, (source, kind, more) in enumerate(
        [
            ("USER_EXPLICIT", "USER_INPUT", {"content": "alpha question"}),
            ("MODEL", "PLANNER_RESPONSE", {"thinking": "beta", "tool_calls": [{"name": "ls", "args": {}}]}),
            ("MODEL", "LIST_DIRECTORY", {"content": "gamma"}),
            ("MODEL", "PLANNER_RESPONSE", {"content": "eta answer"}),
        ]
    )
]

DROID_STREAM = [
    {"session_id": "d-2", "timestamp": TS.format(1), "id": f"s{number}", **row}
    for number, row in enumerate(
        [
            {"type": "system", "model": "m"},
            {"type": "message", "role": "user", "text": "alpha question"},
            {"type": "tool_call", "toolCallId": "c1", "toolName": "Shell", "parameters": {"command": "beta"}},
            {"type": "tool_result", "toolCallId": "c1", "value": {"stdout": "gamma", "exitCode": 1}},
            {"type": "completion", "finalText": "eta answer"},
        ]
    )
]

ENTIRE = [
    {"v": 1, "agent": "codex", "cli_version": "1", "type": kind, "ts": TS.format(1), "content": content}
    for kind, content in [
        ("user", [{"text": "alpha question"}]),
        ("assistant", [{**use("t1", "ls", path="beta"), "result": {"output": "gamma", "status": "error"}}]),
        ("assistant", [{"type": "text", "text": "eta answer"}]),
    ]
]
