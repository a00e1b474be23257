"""An OpenAI-compatible server on this machine, for tests."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Line = tuple[int, Any, dict[str, str]]


@contextmanager
def server(*script: Line | Callable[[Any], Line]) -> Iterator[tuple[str, list[tuple[str, dict[str, str], Any]]]]:
    """A server on this machine that answers from a script of lines, or functions of a body; the last repeats."""
    seen: list[tuple[str, dict[str, str], Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            told = json.loads(self.rfile.read(int(self.headers["content-length"])))
            seen.append((self.path, {key.lower(): value for key, value in self.headers.items()}, told))
            line = script[min(len(seen), len(script)) - 1]
            status, body, headers = line(told) if callable(line) else line
            data = body if isinstance(body, bytes) else json.dumps(body).encode()
            self.send_response(status)
            for key, value in headers.items():
                self.send_header(key, value)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *args: object) -> None:
            pass

    made = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{made.server_port}/v1#local", seen
    finally:
        made.shutdown()
        thread.join()
        made.server_close()
