"""What the proxy adds to a request's time, and what it does to recorded clients; writes `results/proxy.json`.

    .venv/bin/python bench/proxy.py [CLIENTS]

A conversation of about 200,000 tokens grows by a round a request, far below the trigger. Each request is sent
straight to a server on loopback, through a pass-through on the same stack that buffers the body and parses it
once, and through `vademecum proxy`, one after the other in changing order; each server is a process of its own.
CLIENTS is the folder with recorded requests of real programs; by default `../shared/cases/clients` beside the
project, which is optional: each is replayed with a window so small that it has to be compacted.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import aiohttp
from aiohttp import web

ROOT = Path(__file__).resolve().parents[1]
# In place of this folder, whose file of the same name would be found first.
sys.path[0] = str(ROOT / "tests")

from proxy.harness import CHAT, MESSAGES, between, chunked, encoded  # noqa: E402
from proxy.outside import process, served  # noqa: E402
from proxy.replay import COUNTER, loaded, replay  # noqa: E402
from proxy.transcripts import MAKERS, body  # noqa: E402
from vademecum.proxy.endpoints import format_of  # noqa: E402

RESULTS = ROOT / "bench/results/proxy.json"
TOKENS, WORDS, REQUESTS, WARM = 200_000, 250, 120, 10
AIM = 1.5


def main() -> None:
    """Measures everything and writes the results."""
    match sys.argv[1:]:
        case ["upstream"]:
            asyncio.run(upstream())
        case ["passthrough", target]:
            asyncio.run(passthrough(target))
        case ["latency"]:
            for path in (CHAT, MESSAGES):
                asyncio.run(latency(path))
        case rest:
            asyncio.run(measure(Path(rest[0] if rest else ROOT / "../shared/cases/clients")))


async def measure(clients: Path) -> None:
    """Runs all measurements."""
    results: dict[str, Any] = {
        "setting": {
            "tokens": TOKENS,
            "requests": REQUESTS,
            "warm": WARM,
            "aim": AIM,
            "python": ".".join(map(str, sys.version_info[:3])),
            "aiohttp": aiohttp.__version__,
            "cores": os.cpu_count(),
        },
        "latency": {path: await latency(path) for path in (CHAT, MESSAGES)},
        "loop": [await loop_lag(size) for size in (700_000, 2_000_000)],
    }
    rows = [await replayed(path) for path in sorted(clients.glob("*.jsonl.xz"))]
    results["clients"] = [row for row in rows if row is not None]
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(results, indent=1) + "\n", "utf-8")
    print(f"wrote {RESULTS.relative_to(ROOT)}")


# Servers -----------------------------------------------------------------------------------------------


async def upstream() -> None:
    """Reads a request and answers a few bytes."""

    async def handle(request: web.Request) -> web.Response:
        await request.read()
        return web.json_response({"id": "x"})

    await served(handle)


async def passthrough(target: str) -> None:
    """The least a proxy that looks into bodies can do: buffer, parse, forward, stream the reply back."""
    session = aiohttp.ClientSession(auto_decompress=False)

    async def handle(request: web.Request) -> web.StreamResponse:
        data = await request.read()
        json.loads(data)
        headers = {"Content-Length": str(len(data)), "Content-Type": "application/json"}
        async with session.post(target + request.path, data=chunked(data), headers=headers) as reply:
            response = web.StreamResponse(status=reply.status, headers={"Content-Type": reply.content_type})
            await response.prepare(request)
            async for chunk in reply.content.iter_any():
                await response.write(chunk)
            await response.write_eof()
            return response

    await served(handle)


# Latency -----------------------------------------------------------------------------------------------


async def latency(path: str) -> dict[str, Any]:
    """Median times of growing requests on the three ways."""
    rounds = rounds_for(path)
    with tempfile.TemporaryDirectory() as folder:
        async with AsyncExitStack() as stack:
            bench = str(Path(__file__).resolve())
            target, _ = await stack.enter_async_context(process(bench, "upstream"))
            plain, _ = await stack.enter_async_context(process(bench, "passthrough", target))
            arguments = ["--window", "1M", "--trigger", "900000", "--db", f"{folder}/a.db", "--port", "0"]
            ours, _ = await stack.enter_async_context(
                process("-m", "vademecum", "proxy", "--upstream", target, *arguments)
            )
            ways = {"direct": target, "passthrough": plain, "proxy": ours}
            client = await stack.enter_async_context(aiohttp.ClientSession())
            times: dict[str, list[float]] = {name: [] for name in ways}
            for at in range(REQUESTS + WARM):
                data = encoded(body(path, MAKERS[path](rounds + at, words=WORDS)))
                names = list(ways)
                for name in [*names[at % 3 :], *names[: at % 3]]:
                    took = await timed(client, ways[name] + path, data)
                    if at >= WARM:
                        times[name].append(took)
    return figures(times, len(data))


async def timed(client: aiohttp.ClientSession, url: str, data: bytes) -> float:
    """Milliseconds of a request."""
    headers = {"Content-Length": str(len(data)), "Content-Type": "application/json"}
    start = time.perf_counter()
    async with client.post(url, data=chunked(data), headers=headers) as reply:
        await reply.read()
        assert reply.status == 200
    return (time.perf_counter() - start) * 1_000


def figures(times: dict[str, list[float]], size: int) -> dict[str, Any]:
    """Medians, what each way adds to the direct one (paired), and the ratio of that."""
    added = {
        name: [way - direct for way, direct in zip(times[name], times["direct"], strict=True)]
        for name in ("passthrough", "proxy")
    }
    found = {
        "bytes": size,
        "median_ms": {name: round(median(values), 2) for name, values in times.items()},
        "p90_ms": {name: round(quantiles(values, n=10)[-1], 2) for name, values in times.items()},
        "added_ms": {name: round(median(values), 2) for name, values in added.items()},
        "ratio_added": round(median(added["proxy"]) / median(added["passthrough"]), 2),
        "ratio_whole": round(median(times["proxy"]) / median(times["passthrough"]), 2),
    }
    print(json.dumps(found))
    return found


def rounds_for(path: str) -> int:
    """Rounds that make a conversation of about `TOKENS` tokens."""
    some = 20
    format = format_of(path)
    assert format is not None
    size = sum(COUNTER.messages(loaded(format, encoded(body(path, MAKERS[path](some, words=WORDS))))))
    return TOKENS * some // size


# The event loop ----------------------------------------------------------------------------------------


async def loop_lag(size: int) -> dict[str, Any]:
    """How late timers are on the proxy's loop while a large body is taken in and compacted."""
    rounds = size // 1_600
    late: list[float] = []

    async def probe() -> None:
        while True:
            start = time.perf_counter()
            await asyncio.sleep(0.001)
            late.append((time.perf_counter() - start - 0.001) * 1_000)

    with tempfile.TemporaryDirectory() as folder:
        async with between(Path(folder) / "a.db", window=200_000, trigger=60_000) as proxy:
            watch = asyncio.create_task(probe())
            data = encoded(body(CHAT, MAKERS[CHAT](rounds, words=WORDS)))
            start = time.perf_counter()
            reply = await proxy.send(CHAT, data)
            took = time.perf_counter() - start
            watch.cancel()
    assert reply.cycle == 1
    found = {
        "bytes": len(data),
        "request_ms": round(took * 1_000),
        "late_ms": {
            "median": round(median(late), 2),
            "p99": round(quantiles(late, n=100)[-1], 2),
            "max": round(max(late), 2),
        },
    }
    print(json.dumps(found))
    return found


async def replayed(path: Path) -> dict[str, object] | None:
    """The row of a recorded client."""
    with tempfile.TemporaryDirectory() as folder:
        done = await replay(path, Path(folder) / "a.db")
    if done is None:
        return None
    row = {**done.row(), "wrong": len(done.wrong)}
    print(json.dumps(row))
    return row


if __name__ == "__main__":
    main()
