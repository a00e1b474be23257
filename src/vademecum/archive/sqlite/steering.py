"""Steering a session: pins, a compaction asked for, and taking one back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from vademecum.archive.sqlite import answers, compactions, restore
from vademecum.archive.sqlite.lineage import lineage
from vademecum.archive.sqlite.rows import MOST_POSITIONS, position_of
from vademecum.archive.sqlite.run import Run
from vademecum.archive.values import Cycle
from vademecum.core.identity import parse_part_id, part_id
from vademecum.core.messages import Message, Part
from vademecum.core.pins import PIN_CAP, Pin, marked, text_pin_id
from vademecum.core.requests import QueryFacts
from vademecum.core.text import clean, one_line
from vademecum.core.tokens import Tokenize, estimate
from vademecum.errors import ConfigError, PartNotFound

_PINS, _REQUEST, _UNDONE = "pins", "requested", "undone:"
#: Markers that are looked at, the newest ones.
_MOST_MARKERS = 200
_PINNABLE = ("text", "tool_call", "tool_result")


class Steered(Run):
    """A run with what a person, or the model, has decided about its compactions."""

    def pin(self, what: str, *, cap: int = PIN_CAP, count: Tokenize | None = None) -> tuple[Pin, ...]:
        """Pins a message or part by its id, or a text of its own: it stays word for word from the next compaction on.

        Args:
            what: An id such as `t_k3x5mq2v7a`, or the text itself.
            cap: Tokens that all pins may have together.
            count: What counts tokens; by default they are estimated.

        Returns:
            What was pinned: each part that has text.

        Raises:
            ConfigError: There is nothing to pin, or the pins would have more tokens than the cap.
            PartNotFound: The session has no message of that id.
        """
        with self.archive.connection.transaction():
            record = self._pin_record(what.strip())
            held = self._record()
            pinned = [old for old in held["pins"] if old["id"] != record["id"]]
            gone = [id for id in held["removed"] if not _covers(record["id"], id)]
            self.remember_state(_PINS, {"pins": [*pinned, record], "removed": gone})
            found = self.pins(count=count)
            new = tuple(pin for pin in found if _covers(record["id"], pin.id))
            total, own = sum(pin.tokens for pin in found), sum(pin.tokens for pin in new)
            if total > cap:
                raise ConfigError(
                    f"{record['id']} has {own:,} tokens, the pins would have {total:,} with it, the cap is {cap:,}",
                    hint="pin less of it, take another pin back, or raise the setting pin_cap",
                )
            return new

    def unpin(self, what: str) -> int:
        """Takes pins back.

        Args:
            what: The id of a pin, of a message whose parts are pinned, or a pinned text.

        Returns:
            How many were taken back; those that a marker in the text made do not come again by themselves.
        """
        wanted = what.strip()
        with self.archive.connection.transaction():
            found = [pin for pin in self.pins() if _covers(wanted, pin.id) or pin.id == text_pin_id(wanted)]
            held = self._record()
            pinned = [old for old in held["pins"] if not any(_covers(old["id"], pin.id) for pin in found)]
            # Of a message that was pinned as a whole, the other parts stay pinned.
            rest = [
                {"id": pin.id, "text": "", "since": pin.since}
                for pin in self.pins()
                if pin.origin == "part" and pin not in found and not any(_covers(o["id"], pin.id) for o in pinned)
            ]
            removed = {*held["removed"], *(pin.id for pin in found if pin.origin == "marker")}
            self.remember_state(_PINS, {"pins": [*pinned, *rest], "removed": sorted(removed)})
        return len(found)

    def pins(self, *, count: Tokenize | None = None) -> tuple[Pin, ...]:
        """What is pinned in the session as it is now, oldest first.

        Args:
            count: What counts tokens; by default they are estimated.
        """
        found = [pin for record in self._record()["pins"] for pin in self._resolved(record)]
        known = {pin.id for pin in found}
        found += [pin for pin in self._markers() if pin.id not in known]
        texts = tuple(pin.text for pin in found)
        sizes = tuple(map(estimate, texts)) if count is None else tuple(count(texts)) if texts else ()
        sized = [replace(pin, tokens=size) for pin, size in zip(found, sizes, strict=True)]
        return tuple(sorted(sized, key=lambda pin: pin.since))

    def request_compaction(self, focus: str = "") -> None:
        """Asks for a compaction at the next safe point, which is the next `fit`, even below the trigger; once.

        Args:
            focus: What is to be kept above all.
        """
        self.remember_state(_REQUEST, {"focus": clean(focus)})

    def requested_compaction(self) -> str | None:
        """The focus of a compaction that was asked for and has not been made yet; None where none was."""
        held = self.recall_state(_REQUEST)
        return None if held is None else str(held["focus"])

    def request_served(self) -> None:
        """Forgets that a compaction was asked for."""
        self.forget_state(_REQUEST)

    def undo(self, view: str = "main") -> int:
        """Takes the newest compaction of a view back: the one before it stands again.

        Returns:
            The cycle that stands now, 0 for the whole transcript; -1 when there was nothing to take back.
        """
        with self.archive.connection.transaction(durable=True) as db:
            row = compactions.head_row(db, lineage(db, self._run), view)
            standing = compactions.undo(db, self._run, row, view)
            if standing >= 0:
                self.forget_state("anchor:")  # the next cycle of that number will be another one
                self.remember_undone(view, 0)
            return standing

    def undone(self, view: str) -> int | None:
        """Whether the view's newest compaction was taken back, and the size at which the next request found it.

        Returns:
            None when it was not; 0 before the next request.
        """
        held = self.recall_state(_UNDONE + view)
        return None if held is None else int(held["size"])

    def remember_undone(self, view: str, size: int) -> None:
        """Notes the size of the context after a compaction was taken back."""
        self.remember_state(_UNDONE + view, {"size": size})

    def forget_undone(self, view: str) -> None:
        """A compaction stands again."""
        self.forget_state(_UNDONE + view)

    def cycles(self, view: str = "main", most: int = 8) -> tuple[Cycle, ...]:
        """The figures of the newest compactions that stand, oldest first."""
        with self.archive.connection.reading() as db:
            return compactions.cycles(db, compactions.head_row(db, lineage(db, self._run), view), most)

    def _record(self) -> dict[str, Any]:
        return self.recall_state(_PINS) or {"pins": [], "removed": []}

    def _pin_record(self, what: str) -> dict[str, Any]:
        if not what:
            raise ConfigError("there is nothing to pin", hint="give an id or a text")
        if parse_part_id(what) is None:
            return {"id": text_pin_id(what), "text": clean(what), "since": len(self)}
        record = {"id": what, "text": "", "since": len(self)}
        if not list(self._resolved(record, strict=True)):
            raise ConfigError(
                f"{what} has no text to pin", hint="pictures and reasoning cannot be pinned; pin a text"
            )
        return record

    def _resolved(self, record: dict[str, Any], *, strict: bool = False) -> Iterator[Pin]:
        """The pins that a record stands for; none where the session goes on without that message now."""
        if record["text"]:
            yield Pin(record["id"], record["text"], "text", what="text", since=record["since"])
            return
        try:
            with self.archive.connection.reading() as db:
                found = restore.find(db, record["id"], self.ranges, _nowhere)
        except PartNotFound:
            if strict:
                raise
            return
        message = found.load(self.dialect)
        number = (parse_part_id(record["id"]) or ("", None))[1]
        if number is not None and number >= len(message.parts) and strict:
            raise PartNotFound(record["id"])
        for at, part in enumerate(message.parts):
            if number in (None, at) and part.kind in _PINNABLE and part.text.strip():
                id = part_id(found.node, at, len(message.parts))
                position = position_of(found.row)
                yield Pin(id, part.text, "part", 0, position, at, _what(message, part), record["since"])

    def _markers(self) -> Iterator[Pin]:
        """What users' messages pin by a marker."""
        removed = set(self._record()["removed"])
        with self.archive.connection.reading() as db:
            query = QueryFacts(("pin",), MOST_POSITIONS, _MOST_MARKERS, newest_first=True)
            found = answers.facts(db, lineage(db, self._run), query)
        for fact in reversed(found):
            if fact.id in removed:
                continue
            part = (parse_part_id(fact.id) or ("", None))[1] or 0
            text = fact.text
            if text.endswith(" …"):  # facts are kept short
                with self.archive.connection.reading() as db:
                    # An edit may have brought it: the id is that of the version that says it.
                    held = restore.find(db, fact.id, self.ranges, _nowhere).load(self.dialect)
                lines = [line for line, _ in marked(held.parts[part].text)]
                text = next((line for line in lines if line.startswith(text[:-2])), text)
            yield Pin(fact.id, text, "marker", 0, fact.position, part, "user", fact.position)


def _covers(wanted: str, id: str) -> bool:
    """Whether an id is the one wanted, or that of a part of the message wanted."""
    return id == wanted or id.startswith(f"{wanted}.")


def _what(message: Message, part: Part) -> str:
    if part.kind == "text":
        return message.role
    kind = "call of" if part.kind == "tool_call" else "result of"
    return one_line(f"{kind} {part.tool or 'a tool'}", 80)


_nowhere: Callable[[int], bool] = lambda _: False
