"""`vademecum models probe`: servers are asked for the windows of their models."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import click

from vademecum.cli.checkup.servers import USUAL
from vademecum.cli.output import emit, table
from vademecum.cli.policy import settings
from vademecum.cli.verb import Common, Verb, common
from vademecum.cli.window_sources import told_fields, trigger_of
from vademecum.config import Settings
from vademecum.core.windows import Sources, Told, endpoint_of
from vademecum.errors import ConfigError
from vademecum.models.endpoint import key_headers

#: Models of one server that are asked for where none is named.
_MOST = 20
#: What usually listens on a port of this machine and is no server of models.
_OURS = "vademecum proxy"


@dataclass(frozen=True, slots=True)
class Found:
    """One model of a server that answers.

    Attributes:
        endpoint: The server.
        model: The model's id there.
        told: What the server says of its window; None where it says nothing.
    """

    endpoint: str
    model: str
    told: Told | None


@click.command(
    "probe",
    cls=Verb,
    examples=(
        ("vademecum models probe", "the usual ports of this machine"),
        ("vademecum models probe --url http://127.0.0.1:8080", "every model of one server"),
        ("vademecum models probe --url https://api.groq.com/openai --model M --key GROQ_KEY", "one of a provider"),
    ),
)  # fmt: skip
@click.option(
    "--url", "urls", metavar="URL", multiple=True, help="A server, without /v1; the usual local ones by default."
)
@click.option("--model", metavar="M", default="", help="Only this model of it.")
@click.option("--key", metavar="VAR", default="", help="The environment variable that holds the server's key.")
@common
def command(shared: Common, *, urls: tuple[str, ...], model: str, key: str) -> int:
    """Asks servers for the windows of their models, and keeps the answers. Exit code 1 when none says one."""
    config = settings(shared.flags())
    asked = [_endpoint(url) for url in urls] or [
        f"http://127.0.0.1:{port}" for port, name in USUAL.items() if name != _OURS
    ]
    secret = os.environ.get(key, "") if key else ""
    if key and not secret:
        raise ConfigError(f"the environment has no {key}", hint="--key names the variable that holds the key")
    if find_spec("aiohttp") is None:
        raise ConfigError("asking servers needs aiohttp", hint="pip install 'vademecum[proxy]'")
    found = asyncio.run(_asked(asked, model, secret, shared))
    told = [each for each in found if each.told is not None]
    if told:
        with shared.archive(make=True) as archive:
            for each in told:
                if each.told is not None:
                    archive.windows.remember(each.endpoint, each.model, each.told)
    if shared.json:
        emit("probe/1", {"models": [_fields(each, config) for each in found]})
    elif found:
        _show(found, config)
    if not found:
        shared.say(f"no server answers at {', '.join(asked)}")
    return 0 if told else 1


def _endpoint(url: str) -> str:
    if not url.startswith(("http://", "https://")):
        raise ConfigError(f"--url {url!r} is no URL", hint="such as http://127.0.0.1:8080")
    return endpoint_of(url)


async def _asked(endpoints: Sequence[str], model: str, secret: str, shared: Common) -> list[Found]:
    import aiohttp

    async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as client:
        groups = await asyncio.gather(*(_of_server(client, each, model, secret, shared) for each in endpoints))
    return [found for group in groups for found in group]


async def _of_server(client: Any, endpoint: str, model: str, secret: str, shared: Common) -> list[Found]:
    from vademecum.models.probe import probed, served

    headers = key_headers(endpoint, secret)
    names = [model] if model else await served(client, endpoint, headers=headers)
    if names is None:
        return []
    if len(names) > _MOST:
        shared.say(f"{endpoint} has {len(names):,} models; the first {_MOST} are asked for, --model names one")
    answers = [await probed(client, endpoint, name, headers=headers, now=time.time()) for name in names[:_MOST]]
    return [Found(endpoint, name, told) for name, told in zip(names, answers, strict=False)]


def _fields(found: Found, config: Settings) -> dict[str, Any]:
    window = Sources(probed=found.told).window
    return {
        "endpoint": found.endpoint,
        "model": found.model,
        "answer": None if found.told is None else told_fields("probed", found.told),
        "window": {"tokens": window.tokens, "origin": window.origin},
        "trigger_tokens": trigger_of(config, window),
    }


def _show(found: Sequence[Found], config: Settings) -> None:
    rows = [("endpoint", "model", "window", "output", "trigger", "says")]
    for each in found:
        told = each.told
        if told is None:
            rows.append((each.endpoint, each.model, "-", "-", "-", "nothing of its window"))
            continue
        most = "" if told.standing != "bound" else "at most "
        trigger = trigger_of(config, Sources(probed=told).window)
        rows.append(
            (
                each.endpoint,
                each.model,
                "-" if told.window is None else f"{most}{told.window:,}",
                "-" if told.max_output is None else f"{told.max_output:,}",
                f"{trigger:,}",
                told.source,
            )
        )
    table(rows, right=(2, 3, 4))
