"""The shape of the code: sizes, names, and where the environment is looked at."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src/vademecum"
SOURCES = sorted(PACKAGE.rglob("*.py"))
TEST_FILES = sorted((ROOT / "tests").rglob("*.py"))
AIM_LINES = 250
MOST_LINES = 400
MOST_FUNCTION_LINES = 50
# A file that cannot reasonably be split may be longer than the aim, never than the most: path → why.
LONGER: dict[str, str] = {}
EMPTY_NAMES = {"utils", "util", "helpers", "helper", "common", "manager", "managers", "misc", "shared"}
# Nothing below `config` reads the environment; what stands above may.
MAY_READ_ENVIRON = {"config", "cli", "dashboard", "proxy", "mcp", "bench", "agent", "integrations"}


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", SOURCES, ids=named)
def test_a_file_is_short(path: Path) -> None:
    lines = len(path.read_text("utf-8").splitlines())
    assert lines <= MOST_LINES
    assert lines <= AIM_LINES or named(path) in LONGER


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def lines_of_code(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of a function without its docstring: what a caller must know is not what makes it hard to follow."""
    length = (function.end_lineno or function.lineno) - function.lineno + 1
    if ast.get_docstring(function) is not None:
        text = function.body[0]
        length -= (text.end_lineno or text.lineno) - text.lineno + 1
    return length


@pytest.mark.parametrize("path", SOURCES, ids=named)
def test_functions_are_short(path: Path) -> None:
    long = [
        f"{function.name} has {length} lines"
        for function in functions(path)
        if (length := lines_of_code(function)) >= MOST_FUNCTION_LINES
    ]
    assert not long


def test_modules_are_named_for_a_concept() -> None:
    vague = [named(p) for p in SOURCES if p.stem.strip("_") in EMPTY_NAMES or p.parent.name in EMPTY_NAMES]
    assert not vague


def test_every_folder_with_code_is_a_package() -> None:
    bare = {named(path.parent) for path in SOURCES if not (path.parent / "__init__.py").is_file()}
    assert not bare


def reads_environ(path: Path) -> Iterator[int]:
    names = {"environ", "environb", "getenv", "getenvb"}
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        match node:
            case ast.Attribute(value=ast.Name(id="os"), attr=attr) if attr in names:
                yield node.lineno
            case ast.ImportFrom(module="os") if names & {alias.name for alias in node.names}:
                yield node.lineno


@pytest.mark.parametrize("path", SOURCES, ids=named)
def test_nothing_below_config_reads_the_environment(path: Path) -> None:
    layer = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    if layer not in MAY_READ_ENVIRON:
        assert list(reads_environ(path)) == []


@pytest.mark.parametrize("path", TEST_FILES, ids=named)
def test_no_test_sleeps_or_is_timed(path: Path) -> None:
    clocks = {"sleep", "perf_counter", "monotonic", "process_time"}
    used = {
        node.attr
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "time"
    }
    assert not used & clocks
