"""An archive of a million messages: what search, the tools of `vademecum mcp` and appending cost in it.

    .venv/bin/python bench/million.py build ARCHIVE [MESSAGES]
    .venv/bin/python bench/million.py measure ARCHIVE

`build` writes one session of MESSAGES messages (a million by default) and 250 of 200 beside it, the same for the
same number, by the way that every message takes: with its facts and words. `measure` calls the tools as a client
of the server would, searches, appends to the long session (of a copy) and to an empty archive, and writes
`results/million.json`.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from vademecum.archive import Archive, Piece, Session, StoredCompaction
from vademecum.compactor import Options
from vademecum.compactor.stored import compact_stored
from vademecum.core.budget import Window
from vademecum.core.messages import Message
from vademecum.mcp import ServerConfig
from vademecum.mcp.desk import Desk
from vademecum.mcp.tools import call
from vademecum.presets import preset
from vademecum.wire import dialect
from vademecum.wire.values import encoded

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "bench/results/million.json"
LONG, SMALL, SMALL_MESSAGES = "long", 250, 200
BATCH = 2_000
#: Queries of each sort, how often each is asked, and messages that are appended.
QUERIES, ROUNDS, APPENDS = 20, 3, 400
#: A vocabulary in which few words are everywhere and most are rare, as in speech.
WORDS = 30_000
COMMON = ("error", "file", "test", "config", "server", "run", "value", "build", "request", "service")
TOOLS = ("read_file", "bash", "edit_file", "search")


# Building ----------------------------------------------------------------------------------------------


def build(path: Path, messages: int) -> None:
    """Writes the archive; several minutes for a million."""
    started = time.monotonic()
    with Archive.open(path) as archive:
        archive.connection.db.execute("PRAGMA synchronous = OFF")
        archive.connection.db.execute("PRAGMA cache_size = -400000")
        fill(archive.session(LONG, format="openai-chat", source="bench"), messages, seed=1)
        for number in range(SMALL):
            name = f"small-{number:03d}"
            fill(archive.session(name, format="openai-chat", source="bench"), SMALL_MESSAGES, seed=100 + number)
    seconds = time.monotonic() - started
    print(f"built in {seconds:.0f} s, {path.stat().st_size / 1e6:,.0f} MB")


def fill(session: Session, count: int, seed: int) -> None:
    """Appends the messages of a made-up session, several thousand in one transaction."""
    rows = transcript(seed)
    load = dialect("openai-chat").load
    started = time.monotonic()
    for first in range(0, count, BATCH):
        size = min(BATCH, count - first)
        loaded: list[Message] = []
        for index in range(first, first + size):
            wire, ts = next(rows)
            message = load(wire, index, raw=encoded(wire))
            loaded.append(Message(message.role, message.parts, message.wire, message.identity, message.raw, ts))
        with session.archive.connection.transaction():
            session.append(loaded, [len(message.raw) // 4 for message in loaded])
        if first and first % 50_000 == 0:
            print(f"{session.id} {first:,} {time.monotonic() - started:.0f} s", flush=True)


def transcript(seed: int) -> Iterator[tuple[dict[str, Any], float]]:
    """Messages without end, with their times: a request every twenty, else calls and their results."""
    chance = random.Random(seed)
    words = Words(chance)
    number = 0
    while True:
        ts = 1_700_000_000.0 + seed * 1_000 + number * 7
        if number % 20 == 0:
            where = f"src/{words(1)}/{words(1)}_{number}.py on port {5_000 + number % 50_000}"
            text = f"Task {number}: {words(12)} in {where}."
            yield {"role": "user", "content": text}, ts
            number += 1
            continue
        call, tool = f"call_{seed}_{number}", TOOLS[number % len(TOOLS)]
        given = json.dumps({"path": f"src/{words(1)}/{words(1)}_{number % 997}.py", "note": words(4)})
        calls = [{"id": call, "type": "function", "function": {"name": tool, "arguments": given}}]
        yield {"role": "assistant", "content": f"{words(15)}.", "tool_calls": calls}, ts
        code = f"E{chance.randrange(10_000):04d}" if chance.random() < 0.2 else "ok"
        result = "\n".join(words(8) for _ in range(6)) + f"\n{code} id-{seed}-{number}"
        yield {"role": "tool", "tool_call_id": call, "content": result}, ts + 2
        number += 2 if number % 20 != 19 else 1


class Words:
    """Words by Zipf's law; the commonest are those of `COMMON`."""

    def __init__(self, chance: random.Random) -> None:
        made = random.Random(7)
        syllables = [a + b for a in "bcdfghklmnprstvw" for b in ("a", "e", "i", "o", "u", "an", "er", "is")]
        self._all = list(COMMON)
        while len(self._all) < WORDS:
            self._all.append("".join(made.choice(syllables) for _ in range(made.choice((2, 2, 3, 3, 4)))))
        total, self._weights = 0.0, []
        for rank in range(WORDS):
            total += 1 / (rank + 4)
            self._weights.append(total)
        self._chance = chance

    def __call__(self, count: int) -> str:
        """So many words, drawn by their weights."""
        return " ".join(self._chance.choices(self._all, cum_weights=self._weights, k=count))


# Measuring ---------------------------------------------------------------------------------------------


def measure(path: Path) -> None:
    """Measures everything in one run and writes the results."""
    with Archive.open(path) as archive:
        compacted(archive)
        infos = {info.id: info for info in archive.sessions()}
        results: dict[str, Any] = {
            "setting": {
                "messages": sum(info.messages for info in infos.values()),
                "sessions": len(infos),
                "longest": max(info.messages for info in infos.values()),
                "megabytes": round(path.stat().st_size / 1e6),
                "python": ".".join(map(str, sys.version_info[:3])),
                "sqlite": sqlite3.sqlite_version,
                "cores": os.cpu_count(),
                "load": round(os.getloadavg()[0], 1),
            },
            "search": searching(archive),
            "tools": tools(path, archive),
            "append": appending(path),
        }
    results["setting"]["load_after"] = round(os.getloadavg()[0], 1)
    RESULTS.write_text(json.dumps(results, indent=1) + "\n", "utf-8")
    print(json.dumps(results, indent=1))


def compacted(archive: Archive) -> None:
    """Gives the long session a context: a compaction that leaves its last hundred messages, as the archive has it."""
    session = archive.session(LONG)
    if session.compaction() is not None:
        return
    length = len(session)
    carry = encoded(
        session.dialect.user(["<vademecum:carry session=long cycle=1>\n" + "what left, in short. " * 2_000])
    )
    pieces = (Piece(-1, -1, carry, carry=1), Piece(length - 100, length))
    session.remember_state("window", {"tokens": 200_000})
    receipt = json.dumps({"overhead_tokens": 0})
    session.commit(
        StoredCompaction(1, length - 100, length - 100, length, 20_000, pieces, "", receipt), expected=0, created=0.0
    )


def timed(calls: list[Callable[[], object]]) -> dict[str, float]:
    """Wall and processor time of calls in milliseconds; the first of each is not counted."""
    wall: list[float] = []
    cpu: list[float] = []
    for each in calls:
        each()
    for each in calls * ROUNDS:
        before, processor = time.perf_counter(), time.process_time()
        each()
        cpu.append((time.process_time() - processor) * 1000)
        wall.append((time.perf_counter() - before) * 1000)
    return {
        "calls": len(wall),
        "median_ms": round(median(wall), 2),
        "p95_ms": round(quantiles(wall, n=20)[-1], 2),
        "cpu_median_ms": round(median(cpu), 2),
        "cpu_p95_ms": round(quantiles(cpu, n=20)[-1], 2),
    }


def queries(seed: int) -> dict[str, list[str]]:
    """Queries of each sort: five common words; a rare name beside common ones; a compound name."""
    chance = random.Random(seed)
    words = Words(chance)
    return {
        "common": [" ".join(chance.sample(COMMON, 5)) for _ in range(QUERIES)],
        "mixed": [f"{words(2)} E{chance.randrange(10_000):04d} {words(1)}" for _ in range(QUERIES)],
        "names": [f"{words(1)}_{chance.randrange(997)}.py" for _ in range(QUERIES)],
    }


def searching(archive: Archive) -> dict[str, Any]:
    """Searches within a lineage of 200 messages, within one of a million, and over everything."""
    scopes = {"small_lineage": "small-100", "long_lineage": LONG, "everything": None}
    return {
        scope: {
            sort: timed(
                [lambda query=query, session=session: archive.search(query, session=session) for query in asked]
            )
            for sort, asked in queries(3).items()
        }
        for scope, session in scopes.items()
    }


def tools(path: Path, archive: Archive) -> dict[str, Any]:
    """Each tool of the server as a client's call reaches it; `compact` of a session of 200 messages."""
    desk = Desk(ServerConfig(db=path, preset=preset("half")))
    ids = [hit.id for query in queries(5)["common"] for hit in archive.search(query, session=LONG, limit=2)]

    def calls(name: str, given: list[dict[str, Any]]) -> dict[str, float]:
        return timed([lambda each=each: said(desk, name, each) for each in given])

    found = {
        "session_search": calls("session_search", [{"query": query} for query in chain(*queries(4).values())]),
        "session_search_around": calls("session_search", [{"around": id} for id in ids[:QUERIES]]),
        "restore_tool_result": calls("restore_tool_result", [{"id": id} for id in ids[:QUERIES]]),
        "restore_by_pattern": calls("restore_tool_result", [{"id": id, "pattern": "E\\d+"} for id in ids[:5]]),
        "context": calls("context", [{"session": LONG}, {"session": "small-007"}]),
        "sessions": calls("sessions", [{}, {"contains": "small-1"}]),
    }
    with archive.rehearsal():
        times: list[float] = []
        for number in range(SMALL - 20, SMALL):
            before = time.perf_counter()
            options = Options(budget=desk.config.budget(Window(20_000)), preset=desk.config.preset)
            receipt = compact_stored(archive, f"small-{number:03d}", options).receipt
            times.append((time.perf_counter() - before) * 1000)
            assert receipt.outcome == "compacted", receipt
    found["compact"] = {"calls": len(times), "median_ms": round(median(times), 2), "p95_ms": round(max(times), 2)}
    desk.close()
    return found


def said(desk: Desk, name: str, given: dict[str, Any]) -> None:
    """Calls a tool, which must answer."""
    answer = call(desk, name, given)
    assert not answer.failed, answer.texts


def appending(path: Path) -> dict[str, Any]:
    """Single messages, each in a transaction of its own, to the long session and to one of an empty archive."""
    load = dialect("openai-chat").load
    rows = [load(wire, at, raw=encoded(wire)) for at, (wire, _) in zip(range(APPENDS), transcript(99), strict=False)]
    cpu: dict[str, list[float]] = {"long": [], "empty": []}
    wall: dict[str, list[float]] = {"long": [], "empty": []}
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        copy = Path(folder) / "long.db"
        shutil.copy(path, copy)
        with Archive.open(copy) as full, Archive.open(Path(folder) / "empty.db") as empty:
            sessions = {"long": full.session(LONG), "empty": empty.session("new", format="openai-chat")}
            for row in rows:  # in turns, so that both have the same neighbours on the machine
                for name, session in sessions.items():
                    before, processor = time.perf_counter(), time.process_time()
                    session.append([row], [len(row.raw) // 4])
                    cpu[name].append((time.process_time() - processor) * 1000)
                    wall[name].append((time.perf_counter() - before) * 1000)
    found: dict[str, Any] = {"messages": len(rows)}
    for name in sessions:
        found[f"{name}_median_ms"] = round(median(wall[name]), 3)
        found[f"{name}_cpu_mean_ms"] = round(sum(cpu[name]) / len(rows), 3)
    found["ratio"] = round(median(wall["long"]) / median(wall["empty"]), 2)
    found["cpu_ratio"] = round(sum(cpu["long"]) / sum(cpu["empty"]), 2)
    return found


def main() -> None:
    """Builds or measures."""
    match sys.argv[1:]:
        case ["build", path]:
            build(Path(path), 1_000_000)
        case ["build", path, messages]:
            build(Path(path), int(messages))
        case ["measure", path]:
            measure(Path(path))
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
