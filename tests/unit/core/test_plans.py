"""Plans and edited files are recognised in the calls of many agents."""

import json

import pytest

from vademecum.core.facts.edited import edited_files, written_text
from vademecum.core.facts.plans import folded, plan_of_call, plan_of_result
from vademecum.core.messages import Part


def call(tool: str, **arguments: object) -> Part:
    return Part("tool_call", json.dumps(arguments), tool=tool, call_id="c")


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (
            call("TodoWrite", todos=[{"content": "one", "status": "completed", "activeForm": "doing one"}]),
            ("plan", "- [x] one"),
        ),
        (
            call("update_plan", plan=[{"step": "a", "status": "in_progress"}, {"step": "b", "status": "pending"}]),
            ("plan", "- [~] a\n- [ ] b"),
        ),
        (
            call("mcp__tasks__todo_write", todos=[{"id": "1", "title": "t", "status": "cancelled"}]),
            ("plan", "- [-] t"),
        ),
        (
            call("task_tracker", command="plan", task_list=[{"title": "t", "notes": "n", "status": "todo"}]),
            ("plan", "- [ ] t"),
        ),
        (call("focus_chain", task_progress="- [x] one\n- [ ] two"), ("plan", "- [x] one\n- [ ] two")),
        (
            call("set_goal", objective="ship it", criteria=["green", {"criterion": "small", "met": True}]),
            ("goal", "- [ ] ship it\n- [ ] green\n- [x] small"),
        ),
        (call("update_goal", status="complete"), ("goal", "- [x] the goal")),
        (call("TodoWrite", todos=[]), ("plan", "")),
        (call("TaskUpdate", taskId="3", status="completed"), ("step", "3\tx\t")),
        (call("TodoRead"), None),
        (call("shell", command="make"), None),
    ],
)
def test_what_a_call_says_about_the_plan(made: Part, expected: object) -> None:
    assert plan_of_call(made) == expected


def test_a_result_tells_the_whole_list() -> None:
    answer = Part("tool_result", json.dumps([{"content": "a", "status": "done"}]), call_id="c")
    assert plan_of_result(answer, call("todo_update", id=1)) == ("plan", "- [x] a")
    assert plan_of_result(answer, call("shell", command="cat x.json")) is None
    assert plan_of_result(Part("tool_result", "{torn", call_id="c"), call("todo_update")) is None


def test_single_steps_add_up_to_a_list() -> None:
    created = Part("tool_result", "Task #1 created successfully: Draw it", call_id="c")
    first = plan_of_result(created, call("TaskCreate", subject="Draw it"))
    assert first == ("step", "1\t \tDraw it")
    assert folded([first[1], "2\t \tPaint it", "1\tx\t"]) == "- [x] Draw it\n- [ ] Paint it"


@pytest.mark.parametrize(
    ("made", "files"),
    [
        (call("Write", file_path="/w/a.py", content="x"), ["/w/a.py"]),
        (call("Edit", file_path="a.py", old_string="x", new_string="y"), ["a.py"]),
        (call("mcp__fs__write_file", path="b.txt", content="x"), ["b.txt"]),
        (call("str_replace_based_edit_tool", command="create", path="c.py", file_text="x"), ["c.py"]),
        (call("str_replace_editor", command="view", path="c.py"), []),
        (
            call("apply_patch", input="*** Begin Patch\n*** Update File: d/e.py\n*** Add File: f.py\n"),
            ["d/e.py", "f.py"],
        ),
        (call("shell", command=["bash", "-lc", "apply_patch <<'E'\n*** Update File: g.py\nE"]), ["g.py"]),
        (call("Read", file_path="a.py"), []),
        (call("send_message", path="a.py"), []),
        (call("Write", file_path="x" * 500, content="x"), []),
    ],
)
def test_which_files_a_call_writes(made: Part, files: list[str]) -> None:
    assert edited_files(made) == files


def test_what_a_call_wrote() -> None:
    assert written_text(call("Edit", file_path="a", old_string="x", new_string="y")) == "y"
    assert written_text(call("apply_patch", input="*** Update File: a")) == ""
