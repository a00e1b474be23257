"""The events of OpenHands, of its first server and of its SDK, as chat rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vademecum.sessions.blocks import result_content, said
from vademecum.sessions.reading import Reading
from vademecum.sessions.rounds import Rounds, call, image
from vademecum.sessions.times import seconds
from vademecum.wire.values import at, dumped, mapping, sequence, string, without

#: Events about the state of the session.
BOOKKEEPING = frozenset({"change_agent_state", "agent_state_changed", "null", "recall", "loop_recovery"})
_OWN_COMPACTION = frozenset({"condensation", "condensation_request"})
_BOOKKEEPING_KINDS = frozenset({"ConversationStateUpdateEvent", "PauseEvent", "TokenEvent", "LLMCompletionLogEvent"})
_BESIDE = frozenset({"tool_call_metadata", "content", "args", "timestamp", "message"})


class Events:
    """Events as they come.

    Attributes:
        rounds: The rows so far.
    """

    def __init__(self, reading: Reading) -> None:
        self.rounds = Rounds(reading)
        self._reading = reading
        self._spoke = False
        self._calls: dict[str, str] = {}

    def add(self, event: Mapping[str, Any], number: int) -> None:
        """Takes the next event in."""
        ts = seconds(event.get("timestamp"))
        if "observation" in event and "action" not in event:
            self._observation(event, number, ts)
        elif "action" in event and isinstance(event["action"], str):
            self._action(event, number, ts)
        elif not self._of_the_sdk(event, number, ts):
            self._reading.unknown(0, string(event.get("kind")) or "event that is neither action nor observation")

    def _action(self, event: Mapping[str, Any], number: int, ts: float | None) -> None:
        kind = string(event["action"])
        args = mapping(event.get("args")) or without(event, frozenset({"action", "id", "timestamp", "source"}))
        native = without(event, _BESIDE)
        if kind in BOOKKEEPING:
            self._reading.left_out[kind] += 1
        elif kind in _OWN_COMPACTION:
            self._reading.dropped += 1
        elif kind == "system":
            self.rounds.say("system", args.get("content") or "", ts=ts, native=native)
        elif kind == "message":
            self._message(event, args, ts, native)
        else:
            self._spoke = True
            metadata = mapping(event.get("tool_call_metadata")) or {}
            id = string(metadata.get("tool_call_id")) or f"call_{event.get('id', number)}"
            self._calls[str(event.get("id"))] = id
            name = string(metadata.get("function_name")) or kind
            arguments = _arguments(metadata, id) or without(args, frozenset({"thought"}))
            key = string(at(metadata, ("model_response", "id"))) or str(number)
            self.rounds.model(
                args.get("thought") or None,
                reasoning=string(args.get("reasoning_content")),
                calls=[call(id, name, arguments)],
                ts=ts,
                native=native,
                key=key,
            )

    def _message(
        self, event: Mapping[str, Any], args: Mapping[str, Any], ts: float | None, native: dict[str, object]
    ) -> None:
        source = string(event.get("source")) or ("agent" if self._spoke else "user")
        urls = sequence(args.get("image_urls")) or sequence(args.get("images_urls")) or ()
        text = string(args.get("content"))
        content: Any = [{"type": "text", "text": text}, *(image(str(url)) for url in urls)] if urls else text
        if source == "agent":
            self._spoke = True
            self.rounds.model(content, ts=ts, native=native, key=str(event.get("id")))
        else:
            self.rounds.say("user", content, ts=ts, harness=source != "user", native=native)

    def _observation(self, event: Mapping[str, Any], number: int, ts: float | None) -> None:
        kind, extras = string(event["observation"]), mapping(event.get("extras")) or {}
        content = event.get("content")
        id = string(at(event, ("tool_call_metadata", "tool_call_id"))) or self._calls.get(str(event.get("cause")), "")
        if kind == "recall" and content:
            self.rounds.say("user", content, ts=ts, harness=True, native=without(event, _BESIDE))
            return
        if kind in BOOKKEEPING:
            self._reading.left_out[kind] += 1
            return
        waiting = self.rounds.pending()
        if not id and not waiting:
            id = f"call_{event.get('id', number)}"
            self.rounds.model(calls=[call(id, kind, {})], ts=ts, key=str(number))
        code = event.get("exit_code", at(extras, ("metadata", "exit_code")))
        failed = kind == "error" or event.get("success") is False or (isinstance(code, int) and code > 0)
        content = content if isinstance(content, str) else dumped(content) if content else ""
        native = without(event, _BESIDE)
        self.rounds.result(id or waiting[0], content, tool=kind, failed=failed, ts=ts, native=native)

    def _of_the_sdk(self, event: Mapping[str, Any], number: int, ts: float | None) -> bool:
        kind = string(event.get("kind"))
        id = string(event.get("tool_call_id")) or string(at(event, ("tool_call", "id"))) or f"call_{number}"
        match kind:
            case "SystemPromptEvent":
                self.rounds.say("system", _content(event.get("system_prompt")) or "", ts=ts)
            case "MessageEvent":
                message = mapping(event.get("llm_message")) or {}
                content = _content(message.get("content"))
                if message.get("role") == "assistant":
                    self.rounds.model(content, ts=ts, key=string(event.get("id")))
                else:
                    harness = event.get("source") not in (None, "user")
                    self.rounds.say(string(message.get("role")) or "user", content or "", ts=ts, harness=harness)
            case "ActionEvent":
                made = mapping(event.get("tool_call")) or {}
                arguments = made.get("arguments", at(made, ("function", "arguments")))
                name = string(event.get("tool_name")) or string(made.get("name"))
                self.rounds.model(
                    _content(event.get("thought")),
                    reasoning=string(event.get("reasoning_content")),
                    calls=[call(id, name, event.get("action") if arguments is None else arguments)],
                    ts=ts,
                    key=string(event.get("llm_response_id")) or str(number),
                )
            case "ObservationEvent" | "AgentErrorEvent" | "UserRejectObservation":
                seen = mapping(event.get("observation")) or {}
                content = event.get("error") or event.get("rejection_reason") or seen.get("content")
                content = dumped(seen) if content is None else result_content(content)
                failed = kind != "ObservationEvent" or bool(seen.get("is_error"))
                self.rounds.result(id, content, tool=string(event.get("tool_name")), failed=failed, ts=ts)
            case "Condensation" | "CondensationRequest" | "CondensationSummaryEvent":
                self._reading.dropped += 1
            case _ if kind in _BOOKKEEPING_KINDS:
                self._reading.left_out[kind] += 1
            case _:
                return False
        return True


def _arguments(metadata: Mapping[str, Any], id: str) -> str:
    """The arguments as the model wrote them, where the event keeps its response."""
    for made in sequence(at(metadata, ("model_response", "choices", 0, "message", "tool_calls"))) or ():
        if at(made, ("id",)) == id:
            return string(at(made, ("function", "arguments")))
    return ""


def _content(content: object) -> Any:
    return said([content] if mapping(content) is not None else content, "").content
