"""`session_search`: places in earlier messages, and reading on around one of them."""

from __future__ import annotations

from collections.abc import Sequence

from vademecum.archive import Archive, Hit, Session
from vademecum.archive.sqlite.passages import readable
from vademecum.archive.sqlite.reading import StoredMessage
from vademecum.core.identity import part_id
from vademecum.core.text import clean, head
from vademecum.errors import ConfigError, PartNotFound
from vademecum.mcp.arguments import Given
from vademecum.mcp.desk import Answer, Desk
from vademecum.mcp.wording import line, when
from vademecum.sessions.times import moment

#: Characters of one hit: fewer say too little, more say too much for one.
_LEAST, _MOST = 160, 2_000


def answer(desk: Desk, given: Given) -> Answer:
    """Searches, or shows what is around an id."""
    archive = desk.archive()
    if given["around"]:
        return _around(desk, archive, given)
    query = given["query"] or ""
    if not query.strip():
        raise ConfigError("there is nothing to search for", hint="give `query`, two to six telling words")
    scope = desk.scope(given["session"], everywhere=given["everywhere"])
    limit, budget = given["limit"], given["max_chars"]
    hits = archive.search(
        query,
        session=scope,
        role=given["role"],
        tool=given["tool"],
        since=None if given["since"] is None else moment(given["since"], desk.now(), "since"),
        limit=limit,
        max_chars=max(_LEAST, min(_MOST, budget // limit)),
    )
    where = f"in session {scope} and those it continues" if scope else "in all sessions"
    if not hits:
        wider = "" if scope is None else "; `everywhere` searches all sessions"
        return Answer((f"nothing found {where}. Try other words, fewer filters{wider}.",))
    shown = _within(hits, budget)
    more = "" if len(shown) == len(hits) else f", {len(hits) - len(shown)} left away for max_chars"
    first = f"{len(shown)} hit{'' if len(shown) == 1 else 's'} {where}, the best first{more}:"
    return Answer(("\n\n".join([first, *shown]),))


def _within(hits: Sequence[Hit], budget: int) -> list[str]:
    """The hits whose texts fit together into so many characters; the last one may be cut."""
    shown: list[str] = []
    for hit in hits:
        if budget < min(len(hit.text), _LEAST):
            break
        text = head(hit.text, budget)
        budget -= len(text)
        stands = "in context" if hit.in_context else "archived, not in context"
        facts = line(hit.id, f"session {hit.session}", hit.role, hit.tool, when(hit.ts), stands)
        shown.append(f"[{facts}]\n{text}")
    return shown


def _around(desk: Desk, archive: Archive, given: Given) -> Answer:
    scope = desk.scope(given["session"], everywhere=given["everywhere"])
    id = given["around"].strip()
    try:
        session, messages = archive.neighbours(id, session=scope, count=given["count"])
    except PartNotFound:
        if given["session"] or scope is None:
            raise
        session, messages = archive.neighbours(id, count=given["count"])  # the id of a hit in another session
    each = max(80, given["max_chars"] // max(1, len(messages)))
    standing, ranges = session.compaction(), session.ranges
    named = id.partition(".")[0]
    rows = [f"{len(messages)} messages of session {session.id} around {id}:"]
    for held in messages:
        own = any(part.messages[0] <= held.row <= part.messages[1] for part in ranges)
        stands = own and (standing is None or standing.shows(held.position))
        rows.append(_message(session, held, each, named, "in context" if stands else "archived, not in context"))
    return Answer(("\n\n".join(rows),))


def _message(session: Session, held: StoredMessage, most: int, named: str, stands: str) -> str:
    loaded = held.load(session.dialect)
    names = iter(held.tool.split("\n"))
    share = max(80, most // max(1, len(loaded.parts)))
    rows: list[str] = []
    for number, part in enumerate(loaded.parts):
        id = part_id(held.node, number, len(loaded.parts))
        tool = next(names, "") if part.kind in ("tool_call", "tool_result") else ""
        text = clean(readable(part)).strip()
        cut = head(text, share)
        more = (
            f"\n… {len(text) - len(cut):,} more characters: restore_tool_result {id}" if len(cut) < len(text) else ""
        )
        mark = "this one" if id.partition(".")[0] == named else ""
        facts = line(id, held.role, part.kind.replace("_", " "), tool, when(held.ts), stands, mark)
        rows.append(f"[{facts}]\n{cut or f'({part.kind} without text)'}{more}")
    return "\n".join(rows)
