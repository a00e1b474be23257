"""One value per setting out of the layers, and the rules between settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from vademecum.config import sources
from vademecum.config.kinds import Unfit, expected, read
from vademecum.config.settings import Setting, Settings
from vademecum.config.table import SETTINGS, SettingSpec
from vademecum.errors import ConfigError
from vademecum.paths import default_archive_path, user_config_path

HERMES_KEYS = "compression."
OTHER_KEYS = "compaction_"


def load(flags: Mapping[str, object], *, environ: Mapping[str, str], cwd: Path) -> Settings:
    """Reads every layer and settles each setting.

    Args:
        flags: By the settings' names; a value of None counts as not given.
        environ: The process environment.
        cwd: The folder that the search for a project's file starts from.

    Raises:
        ConfigError: For an unknown key, a value of the wrong kind, a file that is not TOML, or settings
            that contradict each other.
    """
    cwd = cwd.absolute()
    layers = (
        sources.from_flags(flags, cwd),
        sources.from_environ(environ, cwd),
        sources.from_project(cwd),
        sources.from_user(user_config_path(environ)),
    )
    return settled(layers, environ)


def settled(layers: Sequence[sources.Source], environ: Mapping[str, str]) -> Settings:
    """Settles each setting from layers that have been read, the highest first; see `load`."""
    entries = [_settle(spec, layers, environ) for spec in SETTINGS]
    return Settings(tuple(_select_preset(entries)))


def _settle(spec: SettingSpec, layers: Sequence[sources.Source], environ: Mapping[str, str]) -> Setting:
    """The setting's value from the highest layer that has one; the layers below are checked all the same."""
    settled: Setting | None = None
    for layer in layers:
        found = layer.found.get(spec.name)
        if found is None:
            continue
        try:
            value = read(spec, found.raw, base=layer.base, environ=environ)
        except Unfit:
            raise _wrong_value(spec, found) from None
        if layer.origin == "project_file" and spec.name == "workspace" and not _inside(value, layer.base):
            raise ConfigError(
                f"{found.where}: the workspace {found.raw!r} lies outside of the project",
                hint="a project names its own folder or one in it; set others in your own file",
            )
        settled = settled or Setting(spec.name, value, layer.origin, found.where)
    if settled is not None:
        return settled
    default = default_archive_path(environ) if spec.kind == "archive" else spec.default
    return Setting(spec.name, default, "default", "")


def _inside(folder: object, project: Path) -> bool:
    """Whether a folder is a project's own: whoever writes its files may not have others read."""
    return isinstance(folder, Path) and folder.resolve().is_relative_to(project.resolve())


def _wrong_value(spec: SettingSpec, found: sources.Found) -> ConfigError:
    shown = repr(found.raw)
    if len(shown) > 60:
        shown = shown[:57] + "..."
    place = f"{found.where} is {shown}" if _names_itself(found.where) else f"{found.where}: {spec.name} is {shown}"
    return ConfigError(f"{place}, expected {expected(spec)}", hint=_remedy(spec, found.raw))


def _names_itself(where: str) -> bool:
    """Whether the place is a flag or a variable, so that the setting's name would only repeat it."""
    return where.startswith(("--", "VADEMECUM_"))


def _remedy(spec: SettingSpec, raw: object) -> str:
    """The likeliest cause, where there is one."""
    if isinstance(raw, str):
        if spec.kind == "archive" and "://" in raw:
            return "the archive is an SQLite file; servers are not supported"
        return ""
    if isinstance(raw, bool) or not isinstance(raw, int | float):
        return ""
    if spec.kind == "fraction" and raw == 1:
        return "for the whole, write 1.0"
    if spec.kind == "fraction" and 1 < raw <= 100:
        return f"for {raw:g} percent, write {raw / 100}"
    if spec.kind == "tokens" and isinstance(raw, float) and raw.is_integer():
        return f"write {int(raw)}, without a dot"
    return ""


def _select_preset(entries: list[Setting]) -> list[Setting]:
    """Any `compression.*` key selects the preset hermes; what contradicts that is an error."""
    hermes = next((entry for entry in entries if entry.given and entry.name.startswith(HERMES_KEYS)), None)
    other = next((entry for entry in entries if entry.given and entry.name.startswith(OTHER_KEYS)), None)
    at = next(index for index, entry in enumerate(entries) if entry.name == "preset")
    preset = entries[at]
    if hermes and other:
        raise _contradiction(hermes, other, "the first belongs to the preset hermes, the second to the others")
    if hermes and preset.given and preset.value != "hermes":
        raise _contradiction(preset, hermes, f"{hermes.name} belongs to the preset hermes alone")
    if other and preset.value == "hermes":
        raise _contradiction(preset, other, f"{other.name} has no meaning in the preset hermes")
    if hermes and not preset.given:
        where = f"selected by {hermes.name} ({hermes.where})"
        entries[at] = replace(preset, value="hermes", origin=hermes.origin, where=where)
    return entries


def _contradiction(first: Setting, second: Setting, reason: str) -> ConfigError:
    named = " and ".join(f"{entry.name} = {entry.value} ({entry.where})" for entry in (first, second))
    return ConfigError(f"{named} contradict each other: {reason}", hint="remove one of the two")
