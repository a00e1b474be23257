"""Mistakes put into the code under the invariants, and the tests that have to notice each."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Mutant:
    """One change of one place.

    Attributes:
        name: What is wrong then.
        file: Where, below the package.
        old: What stands there; it stands there once.
        new: What is put in its place.
        tests: What has to notice it.
    """

    name: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]


VALID = ("tests/properties/test_validity.py",)
MUTANTS = (
    Mutant(
        "I1 a cut between a call and its result",
        "core/pairing.py",
        "blocked_until = max(blocked_until, last_result[index])",
        "blocked_until = index",
        ("tests/unit/core/test_pairing.py", *VALID),
    ),
    Mutant(
        "I1 orphans may begin the tail",
        "core/pairing.py",
        "index not in orphaned",
        "True",
        ("tests/unit/core/test_pairing.py",),
    ),
    Mutant("I1 NUL passes", "core/text.py", 'if "\\0" in text:', "if False:", ("tests/faults/test_what_is_kept.py",)),
    Mutant(
        "I1 open calls get no answer",
        "core/repair.py",
        "        if spot[0] >= draft.fold and not running:",
        "        if False:",
        ("tests/faults/test_pairs.py", *VALID),
    ),
    Mutant(
        "I2 what is larger is applied",
        "core/plan.py",
        'outcome = "not_smaller"',
        'outcome = "compacted"',
        ("tests/faults/test_loops.py", "tests/unit/core/test_ladder.py", *VALID),
    ),
    Mutant(
        "I3 the newest words may go",
        "core/check.py",
        "    if not _newest_user_text_stays(case, draft, carry, shape):",
        "    if False:",
        ("tests/unit/core", *VALID),
    ),
    Mutant(
        "I4 the first system row is live",
        "core/case.py",
        'if message.role != "system"), len(messages))',
        "if True), len(messages))",
        VALID,
    ),
    Mutant(
        "I5 a commit on what does not stand",
        "archive/sqlite/session.py",
        "if compactions.head_row(db, lineage(db, self._run), view) != expected:",
        "if False:",
        ("tests/contract/archive/test_commit.py", "tests/properties/test_archive_machine.py"),
    ),
    Mutant(
        "I6 a summary is asked for as often as it is cut off",
        "core/tiers/summary.py",
        'if reason != "truncated":',
        "if False:",
        ("tests/unit/summarizers", "tests/faults/test_summaries.py"),
    ),
    Mutant(
        "I6 the model that said no is asked again",
        "core/tiers/local_summary.py",
        ' in ("local", "active") and not refused',
        ' in ("local", "active")',
        ("tests/faults/test_summaries.py",),
    ),
    Mutant(
        "I8 the reserve is the whole output",
        "core/budget.py",
        "reserve = min(max_output, window // 2) if max_output else rule.reserve",
        "reserve = max_output if max_output else rule.reserve",
        ("tests/unit/core/test_budget.py",),
    ),
    Mutant(
        "I8 no floor",
        "core/budget.py",
        "trigger = max(rule.floor, min(by_fraction, room))",
        "trigger = min(by_fraction, room)",
        ("tests/unit/core/test_budget.py",),
    ),
    Mutant(
        "I9 ideographs count a quarter",
        "core/tokens.py",
        "round(dense + han +",
        "round(dense + han / 4 +",
        ("tests/unit/core/test_tokens.py",),
    ),
    Mutant(
        "I10 what came after a compaction is not projected",
        "archive/sqlite/session.py",
        "return out + _raw(db, ranges, revised, standing.covered, MOST_POSITIONS)",
        "return out",
        ("tests/properties/test_archived.py",),
    ),
    Mutant(
        "I11 the summariser reads secrets",
        "compactor/answers.py",
        "bare = redacted_request(ask, redact, self._session.dialect)",
        "bare = ask",
        ("tests/properties/test_secrets.py", "tests/faults/test_trust.py"),
    ),
    Mutant(
        "I7 whatever is limited is a window",
        "models/errors/classifier.py",
        'learnable=kind == "context_overflow" and limit is not None and row.certain,',
        "learnable=limit is not None,",
        ("tests/properties/test_windows_learned.py",),
    ),
    Mutant(
        "I12 a query is no quoted term",
        "archive/sqlite/query.py",
        """return '"' + " ".join(self.words) + '"' + (" *" if self.prefix else "")""",
        """return " ".join(self.words) + (" *" if self.prefix else "")""",
        ("tests/fuzzing/test_search.py",),
    ),
    Mutant(
        "I5 damage is no typed error",
        "archive/sqlite/blobs.py",
        "except (zlib.error, TypeError) as error:",
        "except KeyError as error:",
        ("tests/unit/archive", "tests/contract/archive/test_upkeep.py"),
    ),
    Mutant(
        "C-33 the breaker never opens",
        "core/breaker.py",
        "return self.failures < rule.failures or",
        "return True or",
        ("tests/unit/core/test_breaker.py", "tests/faults/test_loops.py"),
    ),
)
