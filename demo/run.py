"""The demo: a real session is compacted, and nothing of it is lost.

    python demo/run.py          # a published session if its data folder lies beside the repository
    python demo/run.py --own    # a session that a scripted agent makes now, in this repository

No model, no key, no network. Everything is written to a temporary folder. Ends with 1 if a promise is broken.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import agent
import rare

PUBLISHED = agent.REPOSITORY.parent / "shared" / "data" / "lineages" / "entire-statemachine.jsonl.gz"
WINDOW = "200000"
TARGET = "40000"
OWN_TOKENS = 200_000
QUESTIONS = 3
SHOWN_CHARS = 300


class PromiseBroken(Exception):
    """What the demo shows did not come true."""


@dataclass(frozen=True)
class Stage:
    """Where the demo plays: a temporary folder, in which commands are run as a user would type them."""

    folder: Path

    def type(self, *arguments: str) -> bytes:
        """Echoes a command, runs it and returns its stdout; anything but exit 0 ends the demo."""
        print("\n$ vademecum " + " ".join(f'"{word}"' if " " in word else word for word in arguments))
        command = [sys.executable, "-m", "vademecum", *arguments]
        done = subprocess.run(command, cwd=self.folder, env=self._environment(), capture_output=True, check=False)
        if done.returncode:
            error = done.stderr.decode("utf-8", errors="replace").strip()
            raise PromiseBroken(f"`vademecum {arguments[0]}` ended with {done.returncode}: {error}")
        return done.stdout

    def ask(self, *arguments: str) -> dict[str, Any]:
        """The same for a command that answers in JSON."""
        answer: dict[str, Any] = json.loads(self.type(*arguments, "--json"))
        return answer

    def _environment(self) -> dict[str, str]:
        # The user's own settings, keys and archive stay out of it.
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("VADEMECUM_", "XDG_")) and not name.endswith(("_API_KEY", "_TOKEN"))
        }
        own = {f"XDG_{kind}_HOME": str(self.folder / kind.lower()) for kind in ("DATA", "CONFIG", "CACHE", "STATE")}
        return {**kept, **own, "PYTHONPATH": str(agent.REPOSITORY / "src"), "PYTHONUTF8": "1"}


def session_file(stage: Stage, *, own: bool) -> Path:
    """Puts the session on the stage: the published one by a link, or one that is made now."""
    if PUBLISHED.is_file() and not own:
        print("A published session of a coding agent:")
        file = stage.folder / "session.jsonl.gz"
        try:
            file.symlink_to(PUBLISHED.resolve())
        except OSError:  # a system that lets only administrators link
            shutil.copyfile(PUBLISHED, file)
    else:
        print("A scripted agent works on a copy of this repository, with real tools:")
        file = stage.folder / "session.jsonl"
        agent.write_session(file, tokens=OWN_TOKENS)
    messages = read_messages(file)
    calls = sum(len(message.get("tool_calls") or ()) for message in messages)
    print(f"{file.name}: {len(messages):,} messages, {calls:,} tool calls")
    return file


def read_messages(file: Path) -> list[dict[str, Any]]:
    """The messages of a JSON Lines file, packed or not."""
    with gzip.open(file, "rt", encoding="utf-8") if file.suffix == ".gz" else file.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def compact(stage: Stage, session: Path) -> Path:
    """Compacts the session and shows what fills the context, before and after."""
    out = stage.folder / "context.jsonl"
    before = stage.ask("context", session.name, "--window", WINDOW)
    receipt = stage.ask(
        *("compact", session.name, "--window", WINDOW, "--target", TARGET, "--session", "demo"),
        *("-o", out.name, "--db", "archive.db"),
    )
    after = stage.ask("context", out.name, "--window", WINDOW)
    print(f"\n{'tokens':<14}{'before':>12}{'after':>12}")
    for category in {**before["categories"], **after["categories"]}:
        sizes = [int(each["categories"].get(category, 0)) for each in (before, after)]
        if any(sizes):
            print(f"{category:<14}{sizes[0]:>12,}{sizes[1]:>12,}")
    print(f"{'receipt':<14}{receipt['tokens_before']:>12,}{receipt['tokens_after']:>12,}")
    limits = f"trigger {receipt['trigger_tokens']:,}, target {receipt['target_tokens']:,}"
    print(f"outcome {receipt['outcome']}, {limits}")
    if receipt["tokens_after"] > int(TARGET):
        raise PromiseBroken(f"the context has {receipt['tokens_after']:,} tokens, the target was {TARGET}")
    return out


def find_again(stage: Stage, session: Path, context: Path) -> None:
    """Searches what has left the context by ordinary words, and restores it byte for byte."""
    kept = "\n".join(json.dumps(message, ensure_ascii=False) for message in read_messages(context))
    lost = rare.lost_identifiers(read_messages(session), kept)
    print(f"\n{len(lost):,} rare identifiers of the session are no longer in the context.")
    for wanted in lost[:QUESTIONS]:
        hit = ask_for(stage, wanted)
        if hit is not None:
            restored = stage.type("restore", hit, "--session", "demo", "--db", "archive.db")
            if restored not in {text.encode() for text in wanted.mentions}:
                raise PromiseBroken(f"{hit} is not byte for byte what the transcript has")
            print(f"{len(restored):,} bytes, byte for byte as in the transcript: ok")
            return
    raise PromiseBroken(f"none of {min(QUESTIONS, len(lost))} questions found what it was about")


def ask_for(stage: Stage, wanted: rare.Lost) -> str | None:
    """Asks for a lost identifier without naming it; the id of the hit that shows it."""
    print(f"\nOne of them is {wanted.identifier}, from this sentence:\n  {wanted.sentence}")
    print("A search that does not know the name, only what it was about:")
    found = stage.ask("search", wanted.query, "--session", "demo", "--db", "archive.db")
    for rank, hit in enumerate(found["hits"], 1):
        place = hit["text"].find(wanted.identifier)
        if place >= 0:
            shown = hit["text"][max(0, place - SHOWN_CHARS // 2) : place + SHOWN_CHARS // 2]
            print(f"hit {rank} of {len(found['hits'])}, {hit['id']} ({hit['role']}):")
            print("\n".join(f"  | {line}" for line in shown.splitlines()))
            return str(hit["id"])
    print(f"{len(found['hits'])} hits, but none shows it: its words are too common here. Another one:")
    return None


def resume(stage: Stage, context: Path) -> None:
    """A new process gets the same context from the archive."""
    exported = stage.type("sessions", "export", "demo", "--context", "--db", "archive.db")
    if exported != context.read_bytes():
        raise PromiseBroken("the archive projects another context than the one that was written")
    print(f"{len(exported):,} bytes, byte for byte the context that was written: ok")


def main() -> int:
    """Plays the demo once."""
    parser = argparse.ArgumentParser(description="Compact a real session and show that nothing is lost.")
    parser.add_argument("--own", action="store_true", help="let the scripted agent make the session now")
    given = parser.parse_args()
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="vademecum-demo-") as folder:
        stage = Stage(Path(folder))
        try:
            session = session_file(stage, own=given.own)
            context = compact(stage, session)
            find_again(stage, session, context)
            resume(stage, context)
        except PromiseBroken as broken:
            print(f"\nfailed: {broken}", file=sys.stderr)
            return 1
    print(f"\nDone in {time.monotonic() - started:.0f} s, without a model.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
