"""`sessions`: what the archive holds."""

from __future__ import annotations

from vademecum.mcp.arguments import Given
from vademecum.mcp.desk import Answer, Desk
from vademecum.mcp.wording import line, when


def answer(desk: Desk, given: Given) -> Answer:
    """Lists sessions, the one used last first."""
    contains = given["contains"] or ""
    found = desk.archive().sessions(limit=given["limit"] + 1, contains=contains)
    if not found:
        return Answer((f"no session has {contains!r} in its id or source" if contains else "no sessions yet",))
    rows = [
        line(
            info.id,
            f"{info.messages:,} messages",
            f"{info.tokens:,} tokens",
            f"{info.cycles} cycles" if info.cycles else "never compacted",
            f"{when(info.started)} to {when(info.last)}" if info.last is not None else "",
            info.source,
            "this server's own" if info.id == desk.config.session else "",
        )
        for info in found[: given["limit"]]
    ]
    if len(found) > given["limit"]:
        rows.append("There are more: give `contains`, or a larger `limit`.")
    return Answer(("\n".join(rows),))
