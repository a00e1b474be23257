"""Messages of every kind that the formats have, unknown keys and parts among them."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

Row = dict[str, Any]
TEXTS = st.one_of(
    st.text(max_size=40), st.sampled_from(["", " ", "héllo\n", "日本語", "\ud83d", "a\x00b", "x" * 300])
)
IDS = st.sampled_from(["call_1", "call_2", "c-3", ""])
NAMES = st.sampled_from(["bash", "read_file", "mcp__x__list"])
ODD = st.sampled_from([None, 10**30, 1.5, True, [1, {"deep": []}], "é"])
ARGUMENTS = st.dictionaries(st.sampled_from(["command", "path", "n"]), st.one_of(TEXTS, ODD), max_size=3)
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAIAAAADCAYAAAC56t6BAAAAC0lEQVR42mNgQAYAAA4AAbsWbAUAAAAASUVORK5CYII="


def with_odd_keys(rows: st.SearchStrategy[Row]) -> st.SearchStrategy[Row]:
    """Rows that have keys which no adapter knows."""
    return st.builds(lambda row, more: {**row, **more}, rows, st.dictionaries(st.just("x_unknown"), ODD, max_size=1))


def either(**fields: Any) -> st.SearchStrategy[Row]:
    """An object with these fields; what is no strategy stands as it is."""
    return st.fixed_dictionaries(
        {key: value if isinstance(value, st.SearchStrategy) else st.just(value) for key, value in fields.items()}
    )


def _lists(*parts: st.SearchStrategy[Row]) -> st.SearchStrategy[list[Row]]:
    return st.lists(st.one_of(*parts, either(type="x_new", payload=ODD)), min_size=1, max_size=4)


_INPUTS = _lists(
    either(type="input_text", text=TEXTS),
    either(type="input_image", image_url=f"data:image/png;base64,{PNG}"),
    either(type="input_file", file_id="file_1"),
)
_OUTPUTS = _lists(either(type="output_text", text=TEXTS, annotations=[]), either(type="refusal", refusal=TEXTS))
_SHELL = st.lists(either(stdout=TEXTS, stderr="", outcome={"type": "exit", "exit_code": 0}), min_size=1, max_size=2)
RESPONSES = with_odd_keys(
    st.one_of(
        either(role=st.sampled_from(["user", "system", "developer"]), content=st.one_of(TEXTS, _INPUTS)),
        either(type="message", id="msg_1", role="assistant", content=st.one_of(TEXTS, _OUTPUTS)),
        either(type="reasoning", id="rs_1", summary=[], encrypted_content="c2Vj", content=None),
        either(type="function_call", id="fc_1", call_id=IDS, name=NAMES, arguments=TEXTS),
        either(type="function_call_output", call_id=IDS, output=st.one_of(TEXTS, _INPUTS)),
        either(type="custom_tool_call", call_id=IDS, name=NAMES, input=TEXTS),
        either(type="custom_tool_call_output", call_id=IDS, output=TEXTS),
        either(type="local_shell_call", call_id=IDS, action={"type": "exec", "command": ["ls", "-l"], "env": {}}),
        either(type="local_shell_call_output", id=IDS, output=TEXTS),
        either(type="shell_call", call_id=IDS, action={"commands": ["ls"]}),
        either(type="shell_call_output", call_id=IDS, output=_SHELL),
        either(type="computer_call", call_id=IDS, action={"type": "click", "x": 1, "y": 2}),
        either(type="computer_call_output", call_id=IDS, output={"type": "computer_screenshot", "file_id": "f"}),
        either(type="mcp_call", id="mcp_1", name=NAMES, arguments=TEXTS, output=st.one_of(TEXTS, st.none())),
        either(type="mcp_approval_request", id="mcpr_1", name=NAMES, arguments=TEXTS),
        either(type="mcp_approval_response", approval_request_id="mcpr_1", approve=st.booleans()),
        either(type="image_generation_call", id="ig_1", result=PNG),
        either(
            type=st.sampled_from(["web_search_call", "file_search_call", "code_interpreter_call", "x_new"]), id="1"
        ),
        either(type=st.sampled_from(["compaction", "item_reference"]), id="cmp_1", encrypted_content="c2Vj"),
        either(type="compaction_trigger"),
    )
)

_RESULT = st.one_of(either(output=TEXTS), either(error=TEXTS), either(output=TEXTS, code=ODD), st.just({}))
_CALL = st.one_of(either(name=NAMES, args=ARGUMENTS), either(name=NAMES, args=ARGUMENTS, id=IDS))
_GEMINI = st.one_of(
    either(text=TEXTS),
    either(text=TEXTS, thought=True),
    either(text="", thoughtSignature="c2ln"),
    either(functionCall=_CALL, thoughtSignature="c2ln"),
    either(functionResponse=either(name=NAMES, response=_RESULT)),
    either(functionResponse=either(name=NAMES, id=IDS, response=_RESULT)),
    either(function_response=either(name=NAMES, response=_RESULT)),
    either(inlineData={"mimeType": "image/png", "data": PNG}),
    either(fileData={"mimeType": "application/pdf", "fileUri": "gs://a/b.pdf"}),
    either(executableCode={"language": "PYTHON", "code": "1"}),
    either(codeExecutionResult={"outcome": "OUTCOME_OK", "output": "1"}),
    either(x_new=ODD),
)
GEMINI = with_odd_keys(
    either(role=st.sampled_from(["user", "model", "function"]), parts=st.lists(with_odd_keys(_GEMINI), max_size=4))
)

_OLLAMA_CALLS = st.lists(either(function=either(name=NAMES, arguments=ARGUMENTS)), max_size=3)
OLLAMA = with_odd_keys(
    st.one_of(
        either(role=st.sampled_from(["system", "user"]), content=TEXTS),
        either(role="user", content=TEXTS, images=[PNG]),
        either(role="assistant", content=TEXTS, thinking=TEXTS, tool_calls=_OLLAMA_CALLS),
        either(role="tool", content=TEXTS, tool_name=NAMES),
        either(role="tool", content=TEXTS, name=NAMES, images=[PNG]),
    )
)

_CHAT_CALL = either(id=IDS, type="function", function=either(name=NAMES, arguments=TEXTS))
_CHAT_PARTS = _lists(
    either(type="text", text=TEXTS), either(type="image_url", image_url={"url": f"data:image/png;base64,{PNG}"})
)
CHAT = with_odd_keys(
    st.one_of(
        either(role=st.sampled_from(["system", "user"]), content=st.one_of(TEXTS, _CHAT_PARTS)),
        either(role="assistant", content=st.one_of(TEXTS, st.none()), tool_calls=st.lists(_CHAT_CALL, max_size=2)),
        either(role="tool", tool_call_id=IDS, content=st.one_of(TEXTS, _CHAT_PARTS)),
    )
)
_BLOCKS = _lists(
    either(type="text", text=TEXTS, cache_control={"type": "ephemeral"}),
    either(type="thinking", thinking=TEXTS, signature="c2ln"),
    either(type="tool_use", id=IDS, name=NAMES, input=ARGUMENTS),
    either(type="tool_result", tool_use_id=IDS, content=TEXTS),
)
ANTHROPIC = with_odd_keys(either(role=st.sampled_from(["user", "assistant"]), content=st.one_of(TEXTS, _BLOCKS)))

MESSAGES = {
    "openai-chat": CHAT,
    "openai-responses": RESPONSES,
    "anthropic": ANTHROPIC,
    "gemini": GEMINI,
    "ollama": OLLAMA,
}
