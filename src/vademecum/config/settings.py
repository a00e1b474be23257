"""What `load` returns: values that know where they came from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast

from vademecum.config.table import BY_NAME, did_you_mean
from vademecum.errors import ConfigError

Value = str | int | float | bool | Path | tuple[str, ...] | None
Origin = Literal["flag", "environment", "project_file", "user_file", "default"]


@dataclass(frozen=True, slots=True)
class Setting:
    """One value and its provenance.

    Attributes:
        name: The setting's name in `vademecum.config.SETTINGS`.
        value: Checked and converted; None when nobody set it.
        origin: The layer that it came from.
        where: The flag, variable or file; empty for a default.
    """

    name: str
    value: Value
    origin: Origin
    where: str

    @property
    def given(self) -> bool:
        """Whether the user said so, in whichever layer."""
        return self.origin != "default"

    @property
    def source(self) -> str:
        """The place in words, for messages: `--window`, `VADEMECUM_WINDOW`, `/home/a/vademecum.toml`."""
        return self.where or "the default"


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings, in the order of the table.

    `settings["window"]` is the `Setting` with its origin, `settings.window` the value alone.
    """

    entries: tuple[Setting, ...]

    def __getitem__(self, name: str) -> Setting:
        for entry in self.entries:
            if entry.name == name:
                return entry
        raise ConfigError(f"there is no setting {name!r}", hint=did_you_mean(name, BY_NAME))

    def __iter__(self) -> Iterator[Setting]:
        return iter(self.entries)

    @property
    def db(self) -> Path:
        """The archive's file."""
        return cast("Path", self["db"].value)

    @property
    def preset(self) -> str:
        """`half`, `agent` or `hermes`."""
        return cast("str", self["preset"].value)

    @property
    def window(self) -> int | None:
        """The window in tokens, when the user gave one."""
        return cast("int | None", self["window"].value)

    @property
    def model(self) -> str | None:
        """The model's name, when the user gave one."""
        return cast("str | None", self["model"].value)

    @property
    def catalog(self) -> Path | None:
        """The user's own file of models, when there is one."""
        return cast("Path | None", self["catalog"].value)

    @property
    def errors(self) -> Path | None:
        """The user's own file of errors' wordings, when there is one."""
        return cast("Path | None", self["errors"].value)

    @property
    def max_output(self) -> int | None:
        """The output per request in tokens, when the user gave one."""
        return cast("int | None", self["max_output"].value)

    @property
    def trigger(self) -> int | None:
        """The trigger in tokens, when the user gave one."""
        return cast("int | None", self["trigger"].value)

    @property
    def target(self) -> int | float | None:
        """A float is a fraction of the trigger, an int tokens."""
        return cast("int | float | None", self["target"].value)

    @property
    def compaction_fraction(self) -> float:
        """The share of the window at which compaction starts."""
        return cast("float", self["compaction_fraction"].value)

    @property
    def compaction_window_cap(self) -> int:
        """The part of the window, in tokens, that the fraction is taken of at most."""
        return cast("int", self["compaction_window_cap"].value)

    @property
    def compaction_floor(self) -> int:
        """The lowest trigger, in tokens."""
        return cast("int", self["compaction_floor"].value)

    @property
    def token_compression(self) -> bool:
        """Whether the local-summary tier runs."""
        return cast("bool", self["token_compression"].value)

    @property
    def summary_by(self) -> str:
        """`summary.by`: who summarises."""
        return cast("str", self["summary.by"].value)

    @property
    def keep_tools(self) -> tuple[str, ...]:
        """Names of tools, beside the built-in ones, whose results are never stubbed."""
        return cast("tuple[str, ...]", self["keep_tools"].value)

    @property
    def upstreams(self) -> tuple[str, ...]:
        """Where the proxy sends requests, best first, as they are written."""
        return cast("tuple[str, ...]", self["upstreams"].value)

    @property
    def workspace(self) -> Path | None:
        """The folder whose files may be re-attached, when the user gave one."""
        return cast("Path | None", self["workspace"].value)

    @property
    def archive_retention(self) -> int | None:
        """`archive.retention` in seconds, when the user gave one."""
        return cast("int | None", self["archive.retention"].value)

    @property
    def archive_max_size(self) -> int | None:
        """`archive.max_size` in bytes, when the user gave one."""
        return cast("int | None", self["archive.max_size"].value)

    @property
    def pin_cap(self) -> int:
        """Tokens that all pins of a session may have together."""
        return cast("int", self["pin_cap"].value)

    @property
    def redact_index(self) -> bool:
        """Whether secrets stay out of the archive's word index."""
        return cast("bool", self["redact_index"].value)

    @property
    def compression_threshold(self) -> float:
        """`compression.threshold`: where the preset hermes starts to compact."""
        return cast("float", self["compression.threshold"].value)

    @property
    def compression_tail_mode(self) -> str:
        """`compression.tail_mode`: how the preset hermes sizes its tail."""
        return cast("str", self["compression.tail_mode"].value)
