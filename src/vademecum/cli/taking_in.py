"""Taking a log into the archive, a batch at a time: what it has already is recognised, other endings are branches."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

from vademecum.archive import Archive, Session
from vademecum.cli.inputs import source_name
from vademecum.compactor import session_name
from vademecum.compactor.envelope import Envelope
from vademecum.compactor.intake import known_of
from vademecum.compactor.rebase import carry_over
from vademecum.core.identity import ROOT, common_prefix, node, short
from vademecum.core.messages import Message
from vademecum.core.tokens import TokenCounter
from vademecum.errors import SessionGrew
from vademecum.sessions import Reading
from vademecum.wire.bodies import outside_of

#: Messages that are held before they are appended, and characters of them from which on they are appended at once.
_BATCH, _CHARACTERS = 1_000, 1_000_000
#: A copy begins with so many messages of another log at least, each at the same time.
_COPIED = 2
#: Messages that a session's name is made of, where its log has none.
_FIRST = 64


@dataclass
class Taken:
    """What was taken in.

    Attributes:
        session: Into which session; empty when there was nothing.
        messages: Messages of the log.
        new: Those that the archive did not have.
        calls: Tool calls in the log.
        results: Results in the log.
    """

    session: str = ""
    messages: int = 0
    new: int = 0
    calls: int = 0
    results: int = 0

    def count(self, message: Message) -> None:
        """Counts a message of the log."""
        self.messages += 1
        self.calls += len(message.calls())
        self.results += len(message.results())


def take_in(archive: Archive, reading: Reading, session: str | None, counter: TokenCounter, file: str) -> Taken:
    """Takes one session of a log in, with its branches.

    Args:
        archive: The archive.
        reading: The session.
        session: The id that it is to have; by default the log's own, or one by how it begins.
        counter: What counts tokens.
        file: The log's name, for people.
    """
    name = session or _name(archive, reading)
    if not name:
        for _ in reading:  # nothing in it, but why may be told
            pass
        return Taken()
    if session is None and reading.copies and not archive.has(name):
        copied = _copy(archive, reading, name)
        if copied is not None:
            return copied
    taken = Taken(name)
    held = archive.session(name, format=reading.dialect.name, source=source_name(file))
    branches = [branch for branch in reading.branches if not _is_known(archive, branch)]
    for one in (*branches, reading):
        taken.new += _followed(held, one, counter, Taken() if one is not reading else taken)
    if reading.parent and not held.shares:
        archive.link(name, reading.parent)
    archive.keep_envelope(name, Envelope.of(reading).dumped(), source_name(file))
    return taken


def _name(archive: Archive, reading: Reading) -> str:
    """The session's id; another one where a session of that id begins in another way."""
    first = list(islice(reading, _FIRST))
    if not first:
        return ""
    name = reading.session or session_name(first, outside_of(reading.dialect.name, reading.outside)[0])
    if reading.kind == "chat" or not archive.has(name):
        return name
    if not reading.session:
        return _unlike(archive, name, _nodes(reading))
    known = archive.existing(name).stored(0, 1)
    root = node(ROOT, first[0].identity)
    begins = {root, *(node(ROOT, message.identity) for branch in reading.branches for message in islice(branch, 1))}
    return name if not known or known[0].node in begins else f"{name}~{short(root)[2:]}"


def _unlike(archive: Archive, base: str, nodes: list[bytes]) -> str:
    """A name for a log without one: where another log of that name goes on in another way, it is another session."""
    name = base
    while archive.has(name):
        known = archive.existing(name).nodes()
        common = common_prefix(nodes, known)
        if common in (len(known), len(nodes)):
            break
        name = f"{base}~{short(nodes[common])[2:]}"
    return name


def _nodes(reading: Reading) -> list[bytes]:
    nodes: list[bytes] = []
    for message in reading:
        nodes.append(node(nodes[-1] if nodes else ROOT, message.identity))
    return nodes


def _is_known(archive: Archive, reading: Reading) -> bool:
    nodes = _nodes(reading)
    found = archive.locate(nodes)
    return not nodes or (found is not None and found.messages == len(nodes))


def _copy(archive: Archive, reading: Reading, name: str) -> Taken | None:
    """What is known of a log that begins with another one's messages: all of it, or a beginning to go on from."""
    taken, nodes, times = Taken(name), list[bytes](), list[float | None]()
    for message in reading:
        taken.count(message)
        nodes.append(node(nodes[-1] if nodes else ROOT, message.identity))
        times.append(message.ts)
    found = archive.locate(nodes)
    if found is None or found.messages < _COPIED:
        return None
    run = Session(archive, found.session, found.run, reading.dialect)
    last = run.stored(found.messages - 1, found.messages)
    if not last or last[0].ts != times[found.messages - 1]:
        return None
    if found.messages == len(nodes):
        taken.session = found.session
        return taken
    archive.fork(found.run, found.messages, name)
    return None


def _followed(session: Session, reading: Reading, counter: TokenCounter, taken: Taken) -> int:
    """Appends what is new of a log; where it goes on in another way, as a branch. Returns how many were new."""
    fresh = Taken(taken.session)
    session.refresh()
    try:
        new = _follow_once(session, reading, counter, fresh)
    except SessionGrew:  # another process was first: what it appended may be the same; now it waits for this one
        fresh = Taken(taken.session)
        with session.archive.connection.transaction():
            session.refresh()
            new = _follow_once(session, reading, counter, fresh)
    taken.messages, taken.calls, taken.results = fresh.messages, fresh.calls, fresh.results
    return new


def _follow_once(session: Session, reading: Reading, counter: TokenCounter, taken: Taken) -> int:
    known = session.nodes()
    common, new, parent, branched, ahead, held = 0, 0, ROOT, False, 0, 0
    batch: list[Message] = []

    def flush() -> None:
        session.append(batch, counter.messages(batch))
        batch.clear()

    for message in reading:
        taken.count(message)
        parent = node(parent, message.identity)
        if new == 0 and common < len(known) and known[common] == parent:
            common += 1
            continue
        if new == 0 and not branched and common < len(known):
            # A log that is known to its end moves nothing, also where it is an older branch: it may be an old copy.
            if _is_known(session.archive, reading) or _is_older(session, reading, common, message):
                return _counted(reading, taken)
            found = session.archive.locate(_nodes(reading), session.id)
            if found is not None and found.session == session.id and found.messages > common:
                ahead = found.messages - common
                session.go_on_from(found.run, found.messages)
            else:
                session.branch(common)
            branched = True
        if ahead:  # an older branch has it
            ahead -= 1
            continue
        batch.append(message)
        new += 1
        held += sum(len(part.text) for part in message.parts)
        if len(batch) >= _BATCH or held >= _CHARACTERS:
            flush()
            held = 0
    if batch:
        flush()
    if branched and session.left_behind():
        carry_over(session, known_of(session).transcript, counter)
    return new


def _is_older(session: Session, reading: Reading, common: int, message: Message) -> bool:
    """Whether a log ends with the beginning of a message that the session has whole: an older copy of it."""
    if len(list(islice(reading, common + 2))) > common + 1:
        return False
    (whole,) = session.messages(common, common + 1)
    parts = [(part.kind, part.text, part.call_id) for part in message.parts]
    return parts == [(part.kind, part.text, part.call_id) for part in whole.parts[: len(parts)]]


def _counted(reading: Reading, taken: Taken) -> int:
    """Counts a log of which nothing is new."""
    taken.messages = taken.calls = taken.results = 0
    for message in reading:
        taken.count(message)
    return 0
