"""A structured summary by any model, budgeted by that model's own window; longer regions are folded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files

from vademecum.core.edits import cut
from vademecum.core.messages import Message, Part
from vademecum.core.requests import Summarize, SummaryReply, Unavailable
from vademecum.core.text import clean
from vademecum.errors import ModelError
from vademecum.models.model import Model, Prompt, Reply
from vademecum.summarizers.riding import Separate, chosen_way, ridden, window_for

Count = Callable[[Sequence[str]], Sequence[int]]

#: A record longer than this share of the input's budget is shown by its head and tail.
_RECORD_SHARE = 0.25
#: Tokens kept free for what counting misses, as a share of the window.
_MARGIN = 0.05


class StructuredSummarizer:
    """Answers the planner's request for a summary with a model.

    Args:
        model: The model; its own window bounds every input.
        count: Tokens of texts.
    """

    def __init__(self, model: Model, count: Count) -> None:
        self._model = model
        self._count = count

    @property
    def window(self) -> int:
        """The model's limit in tokens."""
        return self._model.window

    def __call__(self, ask: Summarize) -> SummaryReply | Unavailable:
        """The summary, unchecked; or why there is none. Every record of the region is in some input."""
        prompt, instruction = _prompt("summary", ask), _prompt("ride", ask)
        own, riding = self._count((prompt, instruction))
        budget = self._input(ask, own)
        if budget < 256:
            return Unavailable(f"the window of {self._model.name} has no room for a summary")
        records = [_record(message) for message in ask.messages]
        earlier = [f"[notes on what came before]\n{clean(ask.earlier)}"] if ask.earlier else []
        texts = [*earlier, *records]
        if ask.stretches > 1:
            budget = min(budget, max(256, sum(self._count(texts)) // ask.stretches))
        stretches = self._stretches(texts, budget)
        paid: list[Reply] = []
        way = chosen_way(self._model, ask, riding, self._separate(stretches, own, ask.max_tokens))
        ways = [way]
        try:
            final = None
            if way.way == "ride":
                final, ways[0] = ridden(self._model, ask, way, instruction, paid)
            if final is None:
                if way.way == "ride":
                    ways.append(replace(way, way="separate", why="riding brought no summary"))
                replies = self._asked(prompt, stretches, ask.max_tokens, paid)
                final = self._folded(ask, replies, paid)
                ways[-1] = replace(ways[-1], outcome=final.finish)
        except ModelError as error:
            ways[-1] = replace(ways[-1], outcome=type(error).__name__)
            return Unavailable(f"{type(error).__name__}: {error}", tuple(ways))
        return SummaryReply(
            text=final.text,
            finish=final.finish,
            model=self._model.name,
            covered=len(records),
            input_tokens=sum(reply.input_tokens for reply in paid),
            output_tokens=sum(reply.output_tokens for reply in paid),
            cached_tokens=sum(reply.cached_tokens for reply in paid),
            ways=tuple(ways),
        )

    def _input(self, ask: Summarize, own: int) -> int:
        """Tokens that an input may have beside a prompt and the summary."""
        return int(window_for(self._model, ask) * (1 - _MARGIN)) - own - ask.max_tokens

    def _separate(self, stretches: Sequence[str], own: int, most: int) -> Separate:
        """What separate requests come to, the joining of their notes included."""
        read = sum(self._count(stretches)) + own * len(stretches)
        wrote = most * len(stretches)
        return Separate(read, wrote) if len(stretches) == 1 else Separate(read + wrote + own, wrote + most)

    def _asked(self, prompt: str, stretches: Sequence[str], most: int, paid: list[Reply]) -> list[Reply]:
        """The replies to each stretch; they are paid for even if they turn out to be of no use."""
        replies: list[Reply] = []
        for text in stretches:
            replies.append(self._model.complete(Prompt(prompt, text, most)))
            paid.append(replies[-1])
            if _bad(replies[-1]):  # what follows would be asked for in vain
                break
        return replies

    def _folded(self, ask: Summarize, replies: list[Reply], paid: list[Reply]) -> Reply:
        """Joins the notes on several stretches; a bad reply ends it at once, for the check to see."""
        while len(replies) > 1:
            bad = next(filter(_bad, replies), None)
            if bad is not None:
                return bad
            prompt = _prompt("fold", ask)
            (own,) = self._count((prompt,))
            budget = self._input(ask, own)
            stretches = self._stretches([reply.text for reply in replies], budget)
            if len(stretches) >= len(replies):
                return Reply("", "length")
            replies = self._asked(prompt, stretches, ask.max_tokens, paid)
        return replies[0]

    def _stretches(self, records: list[str], budget: int) -> list[str]:
        """Consecutive records joined into texts of at most `budget` tokens; none is left out."""
        most = int(_RECORD_SHARE * budget)
        sizes = self._count(records)
        stretches: list[list[str]] = [[]]
        left = budget
        for record, size in zip(records, sizes, strict=True):
            if size > most:
                record = cut(record, max(200, len(record) * most // size), "")  # noqa: PLW2901
                (size,) = self._count((record,))  # noqa: PLW2901
            if size > left and stretches[-1]:
                stretches.append([])
                left = budget
            stretches[-1].append(record)
            left -= size
        return ["\n\n".join(stretch) for stretch in stretches]


def _bad(reply: Reply) -> bool:
    return reply.finish != "stop" or not reply.text.strip()


@cache
def _template(name: str) -> str:
    text = files("vademecum.summarizers").joinpath("prompts", f"{name}.md").read_text("utf-8")
    return text.split("---\n", 2)[2]


def _prompt(name: str, ask: Summarize) -> str:
    focus = f"Above all keep what concerns: {ask.focus}" if ask.focus else ""
    # What is wanted is the same, whether the session stands below or above it.
    sections = _template("summary").partition("\n\n")[2].format(max_tokens=ask.max_tokens, focus=focus)
    return _template(name).format(max_tokens=ask.max_tokens, focus=focus, sections=sections)


def _record(message: Message) -> str:
    return clean("\n".join(f"[{message.role}] {text}" for part in message.parts if (text := _shown(part))))


def _shown(part: Part) -> str:
    """What a summariser reads of a part: reasoning is left out, pictures are named."""
    match part.kind:
        case "reasoning" | "opaque":
            return ""
        case "image" | "document":
            return f"({part.kind})"
        case "tool_call":
            return f"calls {part.tool} {part.text}"
        case "tool_result":
            return f"{'error' if part.is_error else 'result'}: {part.text}"
        case "text":
            return part.text
