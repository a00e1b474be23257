"""What a compaction must not lose: instructions, names, the user's words, the files as they are now."""

from pathlib import Path

import pytest

from fault import fault
from faults.talk import GOOD, calls, result, said, text_of, user, worked
from vademecum import Archive, Compactor, compact
from vademecum.testing import ScriptedModel


@fault(72)
def test_instructions_are_sent_again_and_the_summariser_sees_the_rules() -> None:
    system = {"role": "system", "content": "AGENTS.md: never force push."}
    rule = "Remember: never delete the folder backups."
    model = ScriptedModel([GOOD])
    rows = [system, user(rule), *worked(70), said("Done."), user("Push it.")]
    done = compact(rows, window=16_000, summarizer=model)
    assert done.receipt.outcome in ("compacted", "crowded")
    assert done.messages[0] is system
    assert rule in "".join(prompt.user for prompt in model.prompts)
    assert "never delete the folder backups" in text_of(done)


@fault(74)
def test_names_of_long_ago_are_carried_or_found() -> None:
    facts = {
        "commit": "4f8c2d91ab",
        "uuid": "9b2e6f0a-1c3d-4e5f-8a7b-6c5d4e3f2a1b",
        "port": "db7.internal:6543",
        "key": "cache.max_entries=4096",
        "error": "E0277: the trait bound `Row: Clone` is not satisfied",
        "command": "httpie --verify=no POST :8080/login",
    }
    rows = [
        user("Find out why it fails."),
        calls("f", command=facts["command"]),
        result("f", "\n".join(facts.values())),
    ]
    rows += [said(f"I note {facts['commit']}."), *worked(150), user("Go on.")]
    session = Archive.memory().session("s", format="openai-chat")
    done = compact(rows, window=32_000, session=session)
    there = text_of(done)
    for name, value in facts.items():
        carried = value in there
        found = any(value in hit.text or value.split(":")[0] in hit.text for hit in session.search(value, limit=5))
        assert carried or found, name
    assert "vademecum search" in there


@fault(75)
def test_only_what_has_to_go_goes_and_the_users_question_stays() -> None:
    heartbeat = user("<system-reminder>\nheartbeat\n</system-reminder>")
    rows = [
        user("Old task."),
        *worked(60),
        said("Done."),
        user("Why does test_rate fail?"),
        said("I look."),
        heartbeat,
    ]
    done = compact(rows, window=16_000)
    assert done.receipt.outcome in ("compacted", "crowded")
    assert len(done.messages) > 2
    assert list(done.messages)[-3:] == rows[-3:]
    assert "Why does test_rate fail?" in text_of(done)


@fault(77)
@pytest.mark.parametrize("tool", ["Skill", "skill_view", "TodoWrite", "update_plan"])
def test_instructions_that_a_tool_gave_are_never_stubbed(tool: str) -> None:
    text = "How to release: first tag, then build, then sign with key 7. " * 12
    rows = [user("Release it."), calls("i", tool=tool, name="release"), result("i", text), *worked(8, chars=4_000)]
    done = compact(rows, window=20_000, trigger=5_000, target=4_900)
    assert done.receipt.outcome in ("compacted", "crowded", "above_trigger")
    kept = [row for row in done.messages if row["role"] == "tool" and row["tool_call_id"] == "i"]
    if kept:
        assert kept[0]["content"] == text
    else:  # its whole round left, so its words are told
        assert "sign with key 7" in text_of(done) or done.archive.search("sign with key 7", limit=1)


@fault(78)
def test_edited_files_are_shown_as_they_are_now(tmp_path: Path) -> None:
    file = tmp_path / "gate.py"
    file.write_text("LIMIT = 1\n")
    rows = [user("Raise the limit."), calls("r", tool="read_file", path="gate.py"), result("r", "LIMIT = 1\n")]
    for value in (2, 3):
        rows += [
            calls(f"e{value}", tool="edit_file", path="gate.py", text=f"LIMIT = {value}"),
            result(f"e{value}", "ok"),
        ]
    file.write_text("LIMIT = 3\n")
    rows += [*worked(70)]
    done = Compactor(window=32_000, workspace=tmp_path).fit(rows)
    assert done.receipt.outcome in ("compacted", "crowded")
    carry = text_of(done)
    assert "LIMIT = 3" in carry
    assert "gate.py" in carry
    assert "read them again" in carry
    assert "LIMIT = 1" not in carry


@fault(107)
@pytest.mark.parametrize("pad", range(1_990, 2_010))
def test_no_cut_falls_inside_a_character(pad: int) -> None:
    from vademecum.core.edits import cut
    from vademecum.core.text import is_clean

    text = "x" * pad + "👩‍👩‍👧🇩🇪é" * 40 + "y" * pad
    shortened = cut(text, 2_000, "t_aaaaaaaaaa")
    assert is_clean(shortened)
    shortened.encode("utf-8")
    head = shortened.split("\n[vademecum:")[0]
    assert text.startswith(head)
    assert not text[len(head) :].startswith(("\u200d", "\u0301"))


@fault(107)
@pytest.mark.parametrize("bad", ["\ud83d", "\x00", "a\ude00b"])
def test_lone_surrogates_and_nul_do_not_go_out_of_a_compaction(bad: str) -> None:
    rows = [
        user(f"go {bad}"),
        *worked(40),
        calls("b", text=bad),
        result("b", f"out {bad}"),
        said(f"so {bad}"),
        user("on"),
    ]
    done = compact(rows, window=8_000)
    assert done.receipt.outcome in ("compacted", "crowded")
    sent = "".join(part for row in done.messages for part in map(str, row.values()))
    assert bad not in sent
    sent.encode("utf-8")


@fault(108)
@pytest.mark.parametrize("failed", [False, True])
def test_one_result_larger_than_the_window_is_cut(failed: bool) -> None:
    text = ("Traceback: " if failed else "") + "one more line of the log\n" * 80_000
    rows = [user("Read it."), calls("g"), {**result("g", text), **({"meta": {"is_error": True}} if failed else {})}]
    done = compact(rows, window=128_000)
    assert done.receipt.tokens_before > 400_000
    assert done.receipt.tokens_after < 64_000
    content = done.messages[-1]["content"]
    assert content.startswith(text[:200])
    assert content.rstrip().endswith("one more line of the log")
    assert "restore t_" in content


@fault(110)
@pytest.mark.parametrize("query", ["youer", "服务端", "修改", "youer 服务端 修改", "计划"])
def test_latin_glued_to_cjk_is_found(query: str) -> None:
    session = Archive.memory().session("s", format="openai-chat")
    compact([user("修改youer服务端的计划")], window=8_000, session=session)
    assert [hit.text for hit in session.search(query)] == ["修改youer服务端的计划"]


@fault(111)
def test_no_query_is_a_syntax_error() -> None:
    session = Archive.memory().session("s", format="openai-chat")
    compact([user("call foo.bar() from C++ with chat-send and NOT x")], window=8_000, session=session)
    for query in (
        "chat-send",
        "foo.bar()",
        "C++",
        '"unbalanced',
        "a AND",
        "NOT x",
        "*",
        "?",
        "! . , ; / #",
        "",
        "^x:",
    ):
        assert isinstance(session.search(query), list), query
    for query in ("chat-send", "foo.bar()", "C++", '"chat-send'):
        assert session.search(query), query


@fault(112)
@pytest.mark.parametrize("query", ["E0277", "sess_9f3", "0x7ffe", "src/a_b.py:42", "a_b.py", "src/a_b.py"])
def test_exact_identifiers_are_found(query: str) -> None:
    session = Archive.memory().session("s", format="openai-chat")
    noise = [user(f"nothing of note in sentence {at}") for at in range(30)]
    compact([*noise, user("E0277 in sess_9f3 at 0x7ffe: src/a_b.py:42")], window=64_000, session=session)
    assert "E0277" in session.search(query, limit=1)[0].text
