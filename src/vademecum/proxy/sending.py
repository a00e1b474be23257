"""Sending: a request as it goes to an upstream, with that one's address, key and model."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterable, Mapping

from aiohttp import web
from yarl import URL

from vademecum.proxy.attempt import Attempt
from vademecum.proxy.config import ProxyConfig
from vademecum.proxy.encoding import readable
from vademecum.proxy.endpoints import format_of, with_model, words_of
from vademecum.proxy.fitted import Fitted
from vademecum.proxy.forward import Outgoing
from vademecum.proxy.journey import Journey
from vademecum.proxy.members import Member
from vademecum.proxy.upstreams import KEY_HEADERS, Upstream

_log = logging.getLogger("vademecum.proxy")


def passing(request: web.Request, member: Member, body: AsyncIterable[bytes] | None) -> Outgoing:
    """A request that passes through."""
    upstream = member.upstream
    headers = {name.lower(): value for name, value in request.headers.items()} if upstream.key else {}
    keyed = upstream.keyed(headers, words_of(request.path))
    dropped = frozenset[str]() if upstream.takes_client_key else frozenset(KEY_HEADERS)
    return Outgoing(_target(request, upstream), body, drop=dropped, replace=keyed)


def sending(
    request: web.Request, headers: Mapping[str, str], attempt: Attempt, journey: Journey, config: ProxyConfig
) -> Outgoing:
    """A request whose context was fitted.

    Args:
        request: The client's.
        headers: Its headers, with names in lower case.
        attempt: To whom it goes, and as what.
        journey: What is asked should it be refused.
        config: The proxy's settings.
    """
    ready, upstream = attempt.ready, attempt.member.upstream
    keyed = upstream.keyed(headers, format_of(request.path) or "")
    dropped = {"content-encoding"} if ready.plain else set[str]()
    replaced = {"Accept-Encoding": readable(headers["accept-encoding"])} if "accept-encoding" in headers else {}
    several = len(config.upstreams) > 1
    return Outgoing(
        _target(request, upstream),
        ready.body,
        drop=frozenset(dropped if upstream.takes_client_key else dropped | set(KEY_HEADERS)),
        replace={**replaced, **keyed},
        answer={**_answer(ready), "x-vademecum-upstream": attempt.member.called} if several else _answer(ready),
        again=journey.again if journey.may_change else None,
        hold=config.hold,
        wordings=config.wordings,
        answer_timeout=config.answer_timeout if several else None,
    )


def _target(request: web.Request, upstream: Upstream) -> URL:
    """Where a request goes: its path and query as they were written, save for another's key and model."""
    raw = request.raw_path
    if not raw.startswith("/"):
        raw = request.rel_url.raw_path_qs
    path, mark, query = raw.partition("?")
    if upstream.model:
        path = with_model(path, upstream.model)
    if query and not upstream.takes_client_key:
        query = "&".join(piece for piece in query.split("&") if not piece.startswith("key="))
    return URL(f"{upstream.url}{path}{mark}{query}", encoded=True)


def _answer(ready: Fitted) -> dict[str, str]:
    """Headers that say what was done; a log line says it too."""
    receipt = ready.receipt
    if receipt is None:
        return {"x-vademecum-session": ready.session, "x-vademecum-outcome": "kept_upstream"} if ready.taken else {}
    whole = receipt.tokens_after if ready.sent is None else ready.sent.transcript
    _log.info(
        "session=%s cycle=%d outcome=%s before=%d after=%d transcript=%d window=%d (%s)",
        ready.session,
        receipt.cycle,
        receipt.outcome,
        receipt.tokens_before,
        receipt.tokens_after,
        whole,
        receipt.window.tokens,
        receipt.window.origin,
    )
    warnings = {"x-vademecum-warnings": "; ".join(receipt.warnings)} if receipt.warnings else {}
    return {
        **warnings,
        "x-vademecum-session": ready.session,
        "x-vademecum-cycle": str(receipt.cycle),
        "x-vademecum-outcome": receipt.outcome,
        "x-vademecum-tokens": str(receipt.tokens_after),
        "x-vademecum-transcript-tokens": str(whole),
        "x-vademecum-window": str(receipt.window.tokens),
        "x-vademecum-window-origin": receipt.window.origin,
    }
