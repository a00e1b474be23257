"""500,000 tokens of real work become 40,000, and everything that left comes back."""

from __future__ import annotations

import copy
import json
from collections import Counter

import pytest

import vademecum
from e2e.conftest import PREFIX, TARGET, WINDOW, Bench
from e2e.lineages import HIT_CHARS, HITS, Questions, Row, chars_of, prefix, texts_of
from requirement import requirement
from vademecum.core.identity import chain, part_id
from vademecum.models.tokenizer import count_tokens
from vademecum.wire import dialect

SEED = 20_261_130
ASKED, LEAST_FOUND = 100, 90


def tokens(rows: list[Row]) -> int:
    return sum(count_tokens([text for row in rows for text in texts_of(row)]))


@requirement("C-1", "I1")
def test_it_fits_the_target_by_an_independent_count(bench: Bench) -> None:
    context = [dict(row) for row in bench.done.messages]
    before, after = tokens(bench.rows), tokens(context)
    took = dict(bench.done.receipt.timing)
    print(f"\n{bench.name}: {len(bench.rows)} rows of {before:,} tokens → {len(context)} of {after:,}, {took} ms")
    assert sum(map(chars_of, bench.rows)) <= PREFIX * 4
    assert bench.done.receipt.outcome == "compacted"
    assert after <= TARGET
    assert bench.done.receipt.tokens_after <= TARGET


@requirement("C-1", "I1")
def test_the_context_is_valid(bench: Bench) -> None:
    chat = dialect("openai-chat")
    messages = [chat.load(row, index) for index, row in enumerate(bench.done.messages)]
    assert [problem for problem in chat.problems(messages) if problem.kind != "alternation"] == []
    before = [chat.load(row, index) for index, row in enumerate(bench.rows)]
    alternating = [problem for problem in chat.problems(messages) if problem.kind == "alternation"]
    assert len(alternating) <= sum(problem.kind == "alternation" for problem in chat.problems(before))
    json.dumps(bench.done.messages, ensure_ascii=False).encode()


@requirement("I3", "I4")
def test_the_newest_request_and_the_head_are_verbatim(bench: Bench) -> None:
    chat = dialect("openai-chat")
    rows = [chat.load(row, index, harness=bool(row["meta"].get("injected"))) for index, row in enumerate(bench.rows)]
    newest = next(row for row in reversed(rows) if row.typed)
    context = "\n".join(text for row in bench.done.messages for text in texts_of(dict(row)))
    assert newest.typed_text() in context


@requirement("A-7", "A-2")
def test_every_removed_part_comes_back_exactly(bench: Bench) -> None:
    chat = dialect("openai-chat")
    messages = [chat.load(row, index) for index, row in enumerate(bench.rows)]
    nodes = chain(messages)
    checked: Counter[str] = Counter()
    for position in bench.removed:
        message, row = messages[position], bench.rows[position]
        for number, part in enumerate(message.parts):
            data = bench.session.restore(part_id(nodes[position], number, len(message.parts))).data
            value: object = row
            for key in part.place:
                value = value[key]  # type: ignore[index]
            if part.plain:
                text = value if isinstance(value, str) else value["text"]  # type: ignore[index]
                assert data == text.encode("utf-8", "surrogatepass")
            else:
                assert json.loads(data) == value
            checked[part.kind] += 1
        if len(message.parts) != 1:
            assert json.loads(bench.session.restore(part_id(nodes[position], 0, 1)).data) == row
    print(f"\n{bench.name}: {dict(checked)}")
    assert len(bench.removed) > 0.8 * len(bench.rows)


@requirement("C-25", "A-7")
def test_the_ranges_of_the_context_cover_all_that_left(bench: Bench) -> None:
    import re

    context = "\n".join(text for row in bench.done.messages for text in texts_of(dict(row)))
    ranges = re.findall(r"t_[a-z2-7]{10}\.\.t_[a-z2-7]{10}", context)
    covered: set[int] = set()
    positions = {node: at for at, node in enumerate(bench.session.nodes())}
    for each in ranges:
        first, last = (positions[bench.session.archive.find(id).node] for id in each.split(".."))
        covered |= set(range(first, last + 1))
        assert len(bench.session.restore(each).data.splitlines()) == last - first + 1
    single = re.findall(r"restore (t_[a-z2-7]{10}(?:\.\d+)?)\]", context)
    covered |= {bench.session.archive.find(id).position for id in single}
    assert set(bench.removed) <= covered


@requirement("A-4", "A-5")
@pytest.mark.parametrize("fair", [True, False], ids=["fair", "any"])
def test_one_search_finds_what_left(bench: Bench, fair: bool) -> None:
    asked: Counter[str] = Counter()
    found: Counter[str] = Counter()
    missed = []
    for gold in Questions(bench.rows, bench.removed, SEED).choose(ASKED, fair=fair):
        hits = bench.session.search(gold.query, limit=HITS, max_chars=HIT_CHARS)
        assert len(hits) <= HITS
        assert all(len(hit.text) <= HIT_CHARS for hit in hits)
        hit = any(gold.name in hit.text for hit in hits)
        asked[gold.place] += 1
        found[gold.place] += hit
        if not hit:
            missed.append(gold)
    rates = ", ".join(f"{place} {found[place]}/{asked[place]}" for place in sorted(asked))
    print(f"\n{bench.name}: found {found.total()} of {asked.total()} ({rates})")
    for gold in missed:
        print(f"  missed {gold}")
    assert asked.total() == ASKED
    # A question that fits more sentences than there are hits cannot always be answered: those are only shown.
    assert not fair or found.total() >= LEAST_FOUND


@requirement("I10")
def test_the_projection_is_what_was_handed_out(bench: Bench) -> None:
    assert [json.loads(raw) for raw in bench.session.context()] == list(bench.done.messages)


@requirement("C-1")
def test_the_callers_rows_are_not_changed(bench: Bench) -> None:
    again = copy.deepcopy(bench.rows)
    vademecum.compact(again, window=WINDOW, target=TARGET)
    assert again == bench.rows


@requirement("C-1")
def test_the_same_rows_give_the_same_context(bench: Bench) -> None:
    again = vademecum.compact(bench.rows, window=WINDOW, target=TARGET)
    assert list(again.messages) == list(bench.done.messages)
    assert again.receipt == bench.done.receipt


@requirement("C-1")
def test_a_longer_prefix_begins_with_a_shorter_one(bench: Bench) -> None:
    assert bench.rows[: len(prefix(bench.rows, 100_000))] == prefix(bench.rows, 100_000)
