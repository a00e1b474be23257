"""`vademecum pin`: what has to stay word for word."""

from __future__ import annotations

from typing import Any

import click

from vademecum.archive import Archive, Session
from vademecum.cli.output import emit, table
from vademecum.cli.policy import settings
from vademecum.cli.verb import Common, Verb, common
from vademecum.core.identity import parse_part_id
from vademecum.core.pins import Pin
from vademecum.core.text import one_line
from vademecum.errors import ConfigError
from vademecum.models.tokenizer import count_tokens


@click.command(
    cls=Verb,
    examples=(
        ("vademecum pin t_k3x5mq2v7a", "a message or a part, by its id"),
        ('vademecum pin "Deploys go to zeus-17 only." --session nightly', "a text of your own"),
        ("vademecum pin --list --session nightly", "what is pinned, with its tokens"),
    ),
)
@click.argument("what", required=False, metavar="[ID|TEXT]")
@click.option("--session", metavar="ID", help="The session.  [default: the one used last; an id's own]")
@click.option("--remove", is_flag=True, help="Take the pin back.")
@click.option("--list", "list_only", is_flag=True, help="Only show what is pinned.")
@common
def command(shared: Common, *, what: str | None, session: str | None, remove: bool, list_only: bool) -> int:
    """Pins a message, a part or a text: it stays word for word.

    A pin holds from the next compaction on. In a user's message, a line that begins with [pin] or @pin pins
    the rest of that line; alone on its line it pins the whole text.
    """
    if (what is None) != list_only or (remove and list_only):
        raise ConfigError("name what to pin, or give --list", hint="vademecum pin --help shows examples")
    cap = settings(shared.flags()).pin_cap
    with shared.archive() as archive:
        held = _session(archive, session, what)
        removed, new = 0, ()
        if what is not None and remove:
            removed = held.unpin(what)
        elif what is not None:
            new = held.pin(what, cap=cap, count=count_tokens)
        found = held.pins(count=count_tokens)
    if shared.json:
        emit("pins/1", {"session": held.id, "cap_tokens": cap, **_data(found), "removed": removed})
    else:
        _show(found, cap)
    for pin in new:
        shared.say(f"pinned {pin.id} ({pin.tokens:,} tokens) in {held.id}; it holds from the next compaction on")
    if remove:
        shared.say(f"{removed} taken back in {held.id}" if removed else f"{what} is not pinned in {held.id}")
        return 0 if removed else 1
    return 0


def _session(archive: Archive, session: str | None, what: str | None) -> Session:
    if session is not None:
        return archive.existing(session)
    if what is not None and parse_part_id(what) is not None:
        return archive.neighbours(what)[0]
    newest = archive.sessions(limit=1)
    if not newest:
        raise ConfigError("the archive has no session yet", hint="vademecum compact FILE makes one")
    return archive.existing(newest[0].id)


def _data(found: tuple[Pin, ...]) -> dict[str, Any]:
    rows = [{"id": p.id, "origin": p.origin, "what": p.what, "tokens": p.tokens, "text": p.text} for p in found]
    return {"tokens": sum(pin.tokens for pin in found), "pins": rows}


def _show(found: tuple[Pin, ...], cap: int) -> None:
    if not found:
        click.echo("nothing is pinned")
        return
    rows = [(pin.id, f"{pin.tokens:,}", pin.origin, one_line(pin.text, 80)) for pin in found]
    total = f"{sum(pin.tokens for pin in found):,}"
    table([("pin", "tokens", "by", "text"), *rows, ("all", total, "", f"the cap is {cap:,}")], right=(1,), cut="end")
