"""`vademecum proxy`: compaction for any agent that can set a base URL."""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING

import click

from vademecum.cli.policy import DEFAULT_WINDOW, chosen_preset, settings
from vademecum.cli.summary import named_summarizer
from vademecum.cli.verb import Asked, Common, Verb, budget_options, common
from vademecum.config import Settings
from vademecum.core.budget import Budget, Window, budget
from vademecum.core.preset import Preset
from vademecum.errors import ConfigError
from vademecum.models.catalog import Catalog
from vademecum.models.errors.own import table_with

if TYPE_CHECKING:
    from vademecum.proxy.upstreams import Upstream


@click.command(
    cls=Verb,
    examples=(
        ("vademecum proxy --upstream https://api.anthropic.com", "then ANTHROPIC_BASE_URL=http://127.0.0.1:8787"),
        ("vademecum proxy --upstream https://api.openai.com --window 128K --port 9000", "then OPENAI_BASE_URL=http://127.0.0.1:9000/v1"),
        ("vademecum proxy --upstream https://api.openai.com --upstream http://127.0.0.1:8080#qwen3", "a chain"),
    ),
)  # fmt: skip
@click.option(
    "--upstream",
    "upstream",
    metavar="URL[#MODEL]",
    multiple=True,
    help="Base URL of a provider, without /v1; several are asked in their order. [default: the setting upstreams]",
)
@click.option(
    "--port", metavar="N", type=click.IntRange(0, 65_535), default=8_787, show_default=True, help="0 for any."
)
@click.option("--workspace", metavar="DIR", help="Show edited files of this folder in the carry as they are now.")
@click.option("--summarizer", metavar="WHO", help="off (default), local, URL#M or P:M.")
@click.option(
    "--advice", is_flag=True, help="Add to system texts that names and raw errors are to be said in the text."
)
@budget_options
@common
def command(
    shared: Common,
    *,
    upstream: tuple[str, ...],
    port: int,
    workspace: str | None,
    summarizer: str | None,
    advice: bool,
    asked: Asked,
) -> int:
    """Serves an API and compacts what passes.

    It listens on 127.0.0.1 and takes OpenAI's chat and responses, Anthropic, Gemini and Ollama. Requests below the
    trigger go on as they came, those above it with a compacted context. Without --window that of the model which a
    request names is found: its server is asked, the catalog looked up, and what an error names is learned.

    Of several upstreams the first that is well is asked, and the next where that fails; each gets the context that
    fits its model's window. #MODEL replaces the model that a request names, ?key=VARIABLE behind it the client's key.
    With --advice the system text of sessions that begin under it is another one than the client's, the same at every
    request.
    """
    more = {"workspace": workspace, "upstreams": upstream or None, "summary.by": summarizer}
    config = settings({**shared.flags(asked), **more})
    if config.summary_by == "active":
        raise ConfigError("the proxy has no key of its own", hint="name the model: --summarizer provider:model")
    by, key = named_summarizer(config)
    if config["model"].given and config.window is None:
        shared.say("each request names its model, and that one's window counts; --model is not used")
    chosen = chosen_preset(config)
    try:
        from vademecum.proxy import ProxyConfig
        from vademecum.proxy.serve import serve
    except ImportError as error:
        raise ConfigError(f"the proxy needs {error.name}", hint="pip install 'vademecum[proxy]'") from error
    upstreams = _upstreams(config)
    names = ", then ".join(one.called for one in upstreams)
    if not shared.quiet:
        logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    serve(
        ProxyConfig(
            upstreams,
            config.db,
            chosen,
            _base(config, chosen),
            catalog=Catalog.of(config.catalog),
            wordings=table_with(config.errors),
            trigger=config.trigger,
            target=config.target,
            workspace=config.workspace,
            pin_cap=config.pin_cap,
            token_compression=config.token_compression,
            summarizer=by,
            key=key,
            advice=advice,
        ),
        port=port,
        ready=lambda at: shared.say(f"proxy on http://127.0.0.1:{at} for {names}; stop it with Ctrl-C"),
    )
    return 0


def _upstreams(config: Settings) -> tuple[Upstream, ...]:
    from vademecum.proxy.upstreams import checked, upstream_of

    held = config["upstreams"]
    if held.origin == "project_file":
        # Whoever writes a project's files would get what is said, and the key, by naming a place of their own.
        raise ConfigError(
            f"{held.where}: a project does not say where requests and keys go",
            hint="set upstreams in your own file, or give --upstream",
        )
    return checked([upstream_of(text, os.environ) for text in config.upstreams])


def _base(config: Settings, preset: Preset) -> Budget:
    """The budget of the user's window; where there is none, that of sessions whose model is not known yet."""
    if config.window is None:
        return budget(preset, window=DEFAULT_WINDOW, max_output=config.max_output)
    window = Window(config.window, "user")
    return budget(preset, window=window, max_output=config.max_output, trigger=config.trigger, target=config.target)
