"""Model servers of this machine: the usual loopback ports are asked, all at once, with one short timeout."""

from __future__ import annotations

import http.client
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor

from vademecum.cli.checkup.finding import Finding

#: Port → what usually listens there.
USUAL: Mapping[int, str] = {
    1_234: "LM Studio",
    8_000: "vLLM",
    8_080: "llama.cpp",
    8_787: "vademecum proxy",
    11_434: "Ollama",
    30_000: "SGLang",
}
TIMEOUT_S = 0.5


def servers(usual: Mapping[int, str] = USUAL) -> Finding:
    """Which of the usual ports answer; none need."""
    with ThreadPoolExecutor(len(usual)) as pool:
        answering = [port for port, found in zip(usual, pool.map(answers, usual), strict=True) if found]
    if not answering:
        return Finding("servers", "ok", f"none answers on {', '.join(map(str, usual))} of this machine")
    told = ", ".join(f"port {port} (usually {usual[port]})" for port in answering)
    return Finding("servers", "ok", f"one answers on {told}")


def answers(port: int) -> bool:
    """Whether something on this machine speaks HTTP on a port."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT_S)
    try:
        connection.request("GET", "/v1/models")
        connection.getresponse()
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
    return True
