"""The demo's "model" and its user: a deterministic script that reacts to what the tools answer."""

from __future__ import annotations

import random

import chores
import tasks
from moves import Act, Ask, Script

SYSTEM = (
    "You are a coding agent in a scratch copy of a Python repository. Work with the tools list_files, "
    "read_file, search, edit_file and shell. Paths that begin with stdlib/ are Python's own sources, "
    "for reading only. Report identifiers, paths and raw error texts in what you say."
)

GET_TO_KNOW = (
    "Get to know this repository: read the sources from top to bottom and note what each file is for. "
    "Two rules for everything that follows: never touch the Makefile, and keep the public names as they are."
)
SURVEY = "Which public names that you saw are used in their own file only? Only tell me, rename nothing."
WRITE = (
    "Write practice/trigger_rule.py: when is a transcript due for compaction at a given window? Half "
    "of it, capped at 128,000, room for the reply kept free. With a test of its own. Nothing under src may "
    "import it."
)
MUTATE = (
    "Are the tests any good? Take a few source files, break one line at a time on purpose and tell me "
    "whether the tests notice. Put every line back before you go on."
)
COMPARE = (
    "For comparison read how Python's own library is written, parsers and databases first. I care about the "
    "exact texts of what it raises; quote them, do not paraphrase."
)
LINT = "Make sure that the linter really looks at our sources. No `noqa` anywhere, please."
TEXTS = "Now read our tests and texts as well, as far as you come. The same rules: hands off the Makefile."
GO_ON = "Yes, where you stopped. The exact texts again."
WRAP_UP = "Thank you. Show me what is different from the start, and finish."


def session(tokens: int, seed: int) -> Script[None]:
    """The whole session: nine requests; the reading fills what the transcript still lacks to `tokens`."""
    rng = random.Random(seed)
    yield Ask(GET_TO_KNOW)
    layout = yield from tasks.look_around()
    reading = yield from tasks.read_through(layout.sources, int(tokens * 0.25), rng)
    yield Act(f"{reading.said}\n\nThat is the repository: {len(reading.symbols)} definitions seen.")
    yield Ask(SURVEY)
    yield from tasks.survey(reading.symbols, int(tokens * 0.35), rng)
    yield Ask(WRITE)
    yield from chores.write_module()
    yield Ask(MUTATE)
    yield from tasks.mutate(layout, int(tokens * 0.45), rng)
    yield Ask(COMPARE)
    library = yield from chores.choose_library(rng)
    library = yield from chores.reference(library, int(tokens * 0.65), rng)
    yield Ask(LINT)
    yield from chores.lint(layout, rng)
    yield Ask(TEXTS)
    reading = yield from tasks.read_through([*layout.tests, *layout.texts], int(tokens * 0.85), rng)
    yield Act(f"{reading.said}\n\nSo much for ours. On with the library?")
    yield Ask(GO_ON)
    yield from chores.reference(library, int(tokens * 0.99), rng)
    yield Ask(WRAP_UP)
    yield from chores.wrap_up()
