"""Every setting there is, as data: to add one is to add a row."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "tokens", "fraction", "target", "switch", "choice", "names", "urls", "text", "path", "archive", "age", "size",
]  # fmt: skip

ENV_PREFIX = "VADEMECUM_"
#: The key of the model that summarises, before the variable of its provider's own custom.
SUMMARY_KEY = "VADEMECUM_SUMMARY_KEY"
#: Keys are no settings: they are read for a call, and no file may hold them.
ENV_KEYS = frozenset({SUMMARY_KEY, "VADEMECUM_BENCH_KEY"})


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingSpec:
    """One setting.

    Attributes:
        name: As written in a file; a dot stands for a table.
        kind: What its value may be; `vademecum.config.kinds` reads it.
        doc: One line for `config show` and the reference.
        default: The value when nobody gave one; None: not set, decided where it is used.
        choices: The values a `choice` may have.
    """

    name: str
    kind: Kind
    doc: str
    default: str | int | float | bool | tuple[str, ...] | None = None
    choices: tuple[str, ...] = ()


SETTINGS: tuple[SettingSpec, ...] = (
    SettingSpec(
        name="db",
        kind="archive",
        doc="the archive's file (default: archive.db in the user's data folder)",
    ),
    SettingSpec(
        name="preset",
        kind="choice",
        default="half",
        choices=("half", "agent", "hermes"),
        doc="the rules for trigger, target, tail, ladder and breaker",
    ),
    SettingSpec(
        name="window",
        kind="tokens",
        doc="the model's limit; overrides what is learned, probed or in the catalog",
    ),
    SettingSpec(
        name="model",
        kind="text",
        doc="the model, as provider:model, whose window the catalog gives where `window` is not set",
    ),
    SettingSpec(
        name="catalog",
        kind="path",
        doc="a TOML file of models whose windows and prices go before those of the packaged catalog",
    ),
    SettingSpec(
        name="errors",
        kind="path",
        doc="a TOML file of wordings of providers' errors, which go before the packaged ones",
    ),
    SettingSpec(
        name="max_output",
        kind="tokens",
        doc="the output asked for per request, kept free in the window",
    ),
    SettingSpec(
        name="trigger",
        kind="tokens",
        doc="compaction starts above this size, whatever the preset computes",
    ),
    SettingSpec(
        name="target",
        kind="target",
        doc="a compaction ends at or below this: a fraction of the trigger (0.4) or tokens (40_000)",
    ),
    SettingSpec(
        name="compaction_fraction",
        kind="fraction",
        default=0.5,
        doc="the share of the window at which compaction starts (presets half and agent)",
    ),
    SettingSpec(
        name="compaction_window_cap",
        kind="tokens",
        default=256_000,
        doc="the fraction is taken of no more than this much of the window (presets half and agent)",
    ),
    SettingSpec(
        name="compaction_floor",
        kind="tokens",
        default=2_000,
        doc="the lowest trigger there may be (presets half and agent)",
    ),
    SettingSpec(
        name="token_compression",
        kind="switch",
        default=True,
        doc="whether the local-summary tier runs; the structural tiers always do",
    ),
    SettingSpec(
        name="summary.by",
        kind="text",
        default="off",
        doc="who summarises: off, local, active (the model of `model`), URL#model or provider:model",
    ),
    SettingSpec(
        name="keep_tools",
        kind="names",
        default=(),
        doc="tools whose results are never stubbed, beside the built-in ones",
    ),
    SettingSpec(
        name="upstreams",
        kind="urls",
        default=(),
        doc="where the proxy sends requests, best first: URL, URL#MODEL or URL#MODEL?key=VARIABLE",
    ),
    SettingSpec(
        name="workspace",
        kind="path",
        doc="the folder whose edited files may be re-attached after a compaction",
    ),
    SettingSpec(
        name="archive.retention",
        kind="age",
        doc="sessions not used for so long may be removed (90d, 12w, 2y); not set: none ever is",
    ),
    SettingSpec(
        name="archive.max_size",
        kind="size",
        doc="what the archive may have in use (500M, 2G); above it the oldest large strings outside contexts go",
    ),
    SettingSpec(
        name="pin_cap",
        kind="tokens",
        default=4_000,
        doc="tokens that all pins of a session may have together",
    ),
    SettingSpec(
        name="redact_index",
        kind="switch",
        default=True,
        doc="whether secrets stay out of the archive's word index; summaries and carries never have them",
    ),
    SettingSpec(
        name="compression.threshold",
        kind="fraction",
        default=0.50,
        doc="where compaction starts in the preset hermes, which this key selects",
    ),
    SettingSpec(
        name="compression.tail_mode",
        kind="choice",
        default="lean",
        choices=("lean",),
        doc="how the tail is sized in the preset hermes, which this key selects",
    ),
)

BY_NAME: dict[str, SettingSpec] = {spec.name: spec for spec in SETTINGS}


def env_name(name: str) -> str:
    """The environment variable of a setting: `compression.threshold` → `VADEMECUM_COMPRESSION_THRESHOLD`."""
    return ENV_PREFIX + name.replace(".", "_").upper()


BY_ENV_NAME: dict[str, SettingSpec] = {env_name(spec.name): spec for spec in SETTINGS}


def did_you_mean(wrong: str, names: Iterable[str]) -> str:
    """The remedy for an unknown key: the name that resembles it, or where to find them all."""
    from difflib import get_close_matches  # needed for errors only

    known = list(names)
    folded = {name.casefold(): name for name in known}
    near = get_close_matches(wrong.casefold().replace("-", "_"), folded, n=1)
    if not near:  # `threshold` for `compression.threshold`
        tails = {name.rpartition(".")[2].casefold(): name for name in known}
        folded, near = tails, get_close_matches(wrong.rpartition(".")[2].casefold(), tails, n=1)
    if near:
        return f"did you mean {folded[near[0]]}?"
    return "`vademecum config show` lists every setting"
