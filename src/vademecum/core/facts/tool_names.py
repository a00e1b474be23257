"""Names of tools and arguments by which plans and edited files are recognised: tables, nothing else.

Patterns are matched without regard to case, after what an MCP server's name puts before the tool's own.
"""

from __future__ import annotations

#: Tools whose calls hold the agent's list of steps.
PLAN_TOOLS = (
    "todo", "todos", "todo_*", "todowrite", "write_todos", "update_plan", "plan", "*_plan", "settodolist",
    "set_todo_list", "task_tracker", "update_todo_list", "manage_todo_list", "focus_chain", "tasklist",
)  # fmt: skip
#: Tools whose calls hold the goal and what tells that it is reached.
GOAL_TOOLS = ("goal", "goals", "goal_*", "*_goal", "*_goals", "set_goal*", "success_criteria")
#: Tools that add or change one step; which one, their result or argument says.
STEP_CREATE, STEP_UPDATE = ("taskcreate", "task_create"), ("taskupdate", "task_update")
#: Arguments that are lists of steps or criteria come under any name; these say what a step is.
STEP_TEXT = (
    "content", "step", "title", "subject", "text", "task", "criterion", "description", "name", "goal", "objective",
)  # fmt: skip
STEP_STATE = ("status", "state", "done", "completed", "checked", "met")
GOAL_TEXT = ("objective", "goal", "title", "description", "summary")
#: What agents write for a step that is finished, begun, or given up; all else is open.
DONE = ("completed", "complete", "done", "finished", "met", "passed", "true", "x", "closed", "resolved")
BEGUN = ("in_progress", "in-progress", "inprogress", "active", "doing", "started", "running")
GIVEN_UP = ("cancelled", "canceled", "skipped", "dropped", "deleted", "abandoned", "obsolete")

#: Tools that write a file which an argument names.
WRITING_TOOLS = (
    "write", "write_file", "writefile", "write_to_file", "create_file", "save_file", "edit", "edit_file", "editfile",
    "multiedit", "multi_edit", "notebookedit", "notebook_edit", "str_replace*", "file_editor", "editor", "insert*",
    "replace", "replace_in_file", "search_replace", "apply_diff", "apply_patch", "patch", "update_file", "create",
)  # fmt: skip
#: Arguments that name the file.
PATH_ARGUMENTS = (
    "file_path", "filePath", "path", "absolute_path", "notebook_path", "target_file", "filename", "file",
    "relative_path",
)  # fmt: skip
#: Arguments that hold what was written.
WRITTEN_ARGUMENTS = ("content", "contents", "file_text", "new_string", "newString", "new_str", "text", "code_edit")
#: Commands of editors with one tool for everything that only look.
LOOKING = ("view", "undo_edit", "open", "goto")
