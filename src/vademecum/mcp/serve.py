"""Serving until the client goes away (stdio) or a signal comes (HTTP)."""

from __future__ import annotations

import asyncio
import hmac
import signal
import socket
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import anyio
import uvicorn
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings

from vademecum.errors import ConfigError
from vademecum.mcp.config import ServerConfig
from vademecum.mcp.desk import Desk
from vademecum.mcp.server import make_server

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

LOOPBACK = ("127.0.0.1", "localhost", "::1")
#: Bytes of a request that is read, at most.
_MOST_BODY = 4 << 20


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where an HTTP server listens.

    Attributes:
        host: The address.
        port: The port, 0 for any that is free.
        token: What every request has to bring as `Authorization: Bearer …`; empty for none.
    """

    host: str = "127.0.0.1"
    port: int = 0
    token: str = ""


def serve_stdio(config: ServerConfig) -> None:
    """Serves one client over standard input and output, until it closes them."""
    desk = Desk(config)

    async def serve() -> None:
        server = make_server(desk)
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())

    try:
        anyio.run(serve)
    finally:
        desk.close()


def serve_http(config: ServerConfig, endpoint: Endpoint, ready: Callable[[str], None]) -> None:
    """Serves streamable HTTP at `/mcp` until SIGINT or SIGTERM.

    Args:
        config: The server's settings.
        endpoint: Where to listen.
        ready: Told the URL once connections are accepted.

    Raises:
        ConfigError: The address cannot be used, or others could reach the archive there without a token.
    """
    if endpoint.host not in LOOPBACK and not endpoint.token:
        raise ConfigError(
            f"--host {endpoint.host}: whoever reaches that address could read the archive",
            hint="give --token-file FILE, whose content every request has to bring; or leave the host as it is",
        )
    listening = _listening(endpoint)
    port = listening.getsockname()[1]
    desk = Desk(config)
    try:
        server = _Http(uvicorn.Config(make_app(desk, endpoint), log_level="warning", lifespan="on"))
        host = f"[{endpoint.host}]" if ":" in endpoint.host else endpoint.host
        ready(f"http://{host}:{port}/mcp")
        asyncio.run(server.serve(sockets=[listening]))
    finally:
        listening.close()
        desk.close()


def make_app(desk: Desk, endpoint: Endpoint) -> ASGIApp:
    """The application; on loopback only requests by its own names are answered (DNS rebinding)."""
    local = endpoint.host in LOOPBACK
    names = ("127.0.0.1", "localhost", "[::1]")
    security = TransportSecuritySettings(
        enable_dns_rebinding_protection=local,
        allowed_hosts=[*names, *(f"{name}:*" for name in names)],
        allowed_origins=[f"http://{name}:*" for name in names],
    )
    app = make_server(desk).streamable_http_app(
        json_response=True,
        stateless_http=True,  # nothing is kept between calls, so no client has to come back to the same one
        max_request_body_size=_MOST_BODY,
        transport_security=security,
        host=endpoint.host,
    )
    return _Guard(app, endpoint.token) if endpoint.token else app


class _Guard:
    """Lets requests pass that bring the token."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._expected = b"bearer " + token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not self._passes(dict(scope["headers"]).get(b"authorization", b"")):
            body = b"the token is missing or wrong\n"
            headers = [
                (b"content-type", b"text/plain"),
                (b"content-length", str(len(body)).encode()),
                (b"www-authenticate", b"Bearer"),
            ]
            await send({"type": "http.response.start", "status": 401, "headers": headers})
            await send({"type": "http.response.body", "body": body})
            return
        await self._app(scope, receive, send)

    def _passes(self, given: bytes) -> bool:
        return hmac.compare_digest(given[:7].lower() + given[7:].strip(), self._expected)


class _Http(uvicorn.Server):
    """A server that ends well on SIGINT and SIGTERM instead of dying of them again after it has stopped."""

    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        loop = asyncio.get_running_loop()
        names = (signal.SIGINT, signal.SIGTERM)
        for name in names:
            loop.add_signal_handler(name, self._stop)
        try:
            yield
        finally:
            for name in names:
                loop.remove_signal_handler(name)

    def _stop(self, *_: Any) -> None:
        self.should_exit = True


def _listening(endpoint: Endpoint) -> socket.socket:
    family = socket.AF_INET6 if ":" in endpoint.host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((endpoint.host, endpoint.port))
        listening.listen()
    except OSError as error:
        listening.close()
        raise ConfigError(
            f"{endpoint.host}:{endpoint.port} cannot be used: {error.strerror or error}", hint="name another --port"
        ) from error
    return listening
