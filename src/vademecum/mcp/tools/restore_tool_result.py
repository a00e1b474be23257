"""`restore_tool_result`: the exact text of what left, in pages, with where it came from."""

from __future__ import annotations

from dataclasses import replace

from vademecum.archive import Archive, Restored
from vademecum.archive.sqlite.restore import page
from vademecum.compactor.room import page_bytes
from vademecum.compactor.staleness import is_stale
from vademecum.core.text import one_line
from vademecum.errors import AmbiguousId, PartNotFound
from vademecum.mcp.arguments import Given
from vademecum.mcp.desk import Answer, Desk
from vademecum.mcp.patterns import matching
from vademecum.mcp.tools.context import known_window
from vademecum.mcp.wording import age, line, when


def answer(desk: Desk, given: Given) -> Answer:
    """Restores a page: first a block about it, then the text itself."""
    archive = desk.archive()
    whole = _whole(desk, archive, given)
    pattern = given["pattern"]
    chosen = whole if pattern is None else replace(whole, data=b"".join(matching(whole.data, pattern)))
    limit = min(given["limit"], _room(desk, archive, whole.session))
    found = page(chosen, given["offset"], limit, None)
    start = min(given["offset"], len(chosen.data))
    rows = [
        _provenance(desk, found),
        f"arguments: {one_line(found.arguments, 600)}" if found.arguments else "",
        _pages(start, start + len(found.data), len(chosen.data), len(whole.data), pattern),
    ]
    text, exact = _decoded(found.data)
    if not exact:
        rows.append("Some bytes are not UTF-8; they are shown as U+FFFD.")
    return Answer(("\n".join(filter(None, rows)), text))


def _whole(desk: Desk, archive: Archive, given: Given) -> Restored:
    id = given["id"].strip(" \t\n`\"'[]()<>.,;:")  # as it may stand in a sentence
    scope = desk.scope(given["session"])
    if scope is not None:
        try:
            return archive.restore(id, session=scope)
        except PartNotFound:
            if given["session"]:
                raise
    try:
        return archive.restore(id)
    except AmbiguousId as error:
        error.hint = "give `session`, too; session_search says which"
        raise


def _room(desk: Desk, archive: Archive, name: str) -> int:
    """Bytes that the session's window has room for; unbounded where the window is not known."""
    session = archive.existing(name)
    window = known_window(desk.config, session, None)
    if window is None:
        return 1 << 40
    return page_bytes(session, desk.config.budget(window).usable)


def _provenance(desk: Desk, found: Restored) -> str:
    of = f" of {found.tool}" if found.tool else ""
    old = "" if found.ts is None else f"{when(found.ts)}, {age(max(0.0, desk.now() - found.ts))} old"
    stale = "STALE: the file has changed since, read it again" if is_stale(found, desk.config.workspace) else ""
    return line(found.id, f"{found.kind.replace('_', ' ')}{of}", f"session {found.session}", found.role, old, stale)


def _pages(start: int, stop: int, size: int, whole: int, pattern: str | None) -> str:
    what = f"{size:,} bytes" if pattern is None else f"{size:,} bytes in lines that match, of {whole:,}"
    if pattern is not None and size == 0:
        return f"no line matches; the whole has {whole:,} bytes"
    if start == 0 and stop == size:
        return f"all of {what}"
    rest = f"; go on with offset {stop}" if stop < size else ""
    return f"bytes {start:,} to {stop:,} of {what}{rest}"


def _decoded(data: bytes) -> tuple[str, bool]:
    try:
        return data.decode("utf-8"), True
    except UnicodeDecodeError:
        return data.decode("utf-8", "replace"), False
