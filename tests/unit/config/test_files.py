"""Which file is the project's, and what is said of a file that cannot be used."""

import pytest

from vademecum.errors import ConfigError

TOOL = "[tool.vademecum]\nwindow = 7\n"


def test_the_nearest_file_upwards(place) -> None:
    deep = place.project / "a/b/c"
    deep.mkdir(parents=True)
    place.write_project("window = 1")
    assert place.load(deep)["window"].value == 1
    (deep.parent / "vademecum.toml").write_text("window = 2")
    assert place.load(deep)["window"].value == 2


def test_the_nearest_file_stands_alone(place) -> None:
    place.write_project("window = 1\ntrigger = 5")
    inner = place.project / "inner"
    inner.mkdir()
    (inner / "vademecum.toml").write_text("window = 2")
    assert place.load(inner)["trigger"].value is None


def test_a_table_of_pyproject(place) -> None:
    path = place.project / "pyproject.toml"
    path.write_text(TOOL)
    setting = place.load()["window"]
    assert (setting.value, setting.where) == (7, f"{path} [tool.vademecum]")


def test_a_pyproject_without_the_table_is_passed_by(place) -> None:
    inner = place.project / "inner"
    inner.mkdir()
    (inner / "pyproject.toml").write_text('[project]\nname = "x"\ndependencies = ["vademecum"]\n')
    (place.project / "pyproject.toml").write_text(TOOL)
    assert place.load(inner)["window"].value == 7


def test_in_one_folder_the_file_of_its_own_wins(place) -> None:
    (place.project / "pyproject.toml").write_text(TOOL)
    place.write_project("window = 8")
    assert place.load()["window"].value == 8


def test_a_broken_pyproject_of_somebody_else_is_no_concern(place) -> None:
    (place.project / "pyproject.toml").write_text("[project\n")
    assert place.load()["window"].value is None


def test_a_broken_pyproject_with_our_table_is(place) -> None:
    (place.project / "pyproject.toml").write_text(TOOL + "trigger = \n")
    with pytest.raises(ConfigError, match=r"pyproject\.toml, line 3: not TOML"):
        place.load()


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("window = 1\nwindow = = 2\n", 2),
        ("window = 1\n\n[compression\n", 3),
        ("window = 1\nwindow = 2\n", 2),
        ('preset = "half\n', 1),
        ("keep_tools = [\n  1,\n", 3),
    ],
)
def test_malformed_toml_says_file_and_line(place, text, line) -> None:
    path = place.write_project(text)
    with pytest.raises(ConfigError) as caught:
        place.load()
    assert str(caught.value).startswith(f"{path}, line {line}: not TOML: ")


def test_a_number_of_thousands_of_digits(place) -> None:
    path = place.write_project("window = " + "9" * 5_000)
    with pytest.raises(ConfigError) as caught:
        place.load()
    assert str(caught.value).startswith(f"{path}: not TOML")


def test_brackets_without_end(place) -> None:
    place.write_project("keep_tools = " + "[" * 100_000)
    with pytest.raises(ConfigError, match="not TOML"):
        place.load()


def test_a_file_that_is_not_utf8(place) -> None:
    path = place.write_project("")
    path.write_bytes(b"window = 1\n# caf\xe9\n")
    with pytest.raises(ConfigError, match="line 2: not UTF-8"):
        place.load()


def test_a_byte_order_mark_does_no_harm(place) -> None:
    path = place.write_project("")
    path.write_bytes(b"\xef\xbb\xbfwindow = 3\n")
    assert place.load()["window"].value == 3


def test_windows_line_ends_do_no_harm(place) -> None:
    path = place.write_project("")
    path.write_bytes(b"window = 3\r\ntrigger = 2\r\n")
    assert place.load()["trigger"].value == 2


def test_an_empty_file_stops_the_search(place) -> None:
    (place.project.parent / "vademecum.toml").write_text("window = 3")
    place.write_project("")
    assert place.load()["window"].value is None


def test_a_folder_of_that_name_is_not_a_file(place) -> None:
    (place.project / "vademecum.toml").mkdir()
    assert place.load()["window"].value is None


def test_tool_vademecum_that_is_no_table(place) -> None:
    (place.project / "pyproject.toml").write_text("[tool]\nvademecum = 3\n")
    with pytest.raises(ConfigError, match=r"tool\.vademecum is not a table"):
        place.load()


@pytest.mark.parametrize("text", ["[compression]\nthreshold = 0.6\n", "compression = {threshold = 0.6}\n"])
def test_a_table_is_a_dotted_name(place, text) -> None:
    place.write_project(text)
    assert place.load()["compression.threshold"].value == 0.6


def test_compression_that_is_no_table(place) -> None:
    place.write_project("compression = true")
    with pytest.raises(ConfigError, match="compression = True is not a table") as caught:
        place.load()
    assert caught.value.hint == "write [compression] above its keys"


def test_an_unreadable_file(place, monkeypatch) -> None:
    path = place.write_project("window = 1")

    def refuse(self):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(type(path), "read_bytes", refuse)
    with pytest.raises(ConfigError, match="cannot be read: Permission denied"):
        place.load()


def test_a_folder_that_may_not_be_looked_into(place, monkeypatch) -> None:
    def refuse(self):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(type(place.project), "is_file", refuse)
    assert place.load()["window"].value is None
