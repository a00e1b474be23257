"""200 streams at once through the proxy for a while: what is lost, mixed or late, and what the memory does.

    .venv/bin/python bench/perf/soak.py [SECONDS]

Writes `results/perf/soak.json`. 200 conversations send their next request in waves; the upstream answers each with
events that say whose they are, which one, and when they were sent. The same waves go through a pass-through on the
same stack for comparison. Upstream, pass-through and proxy are processes of their own.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
import tempfile
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import aiohttp
from aiohttp import web
from figures import ROOT, p95, write

sys.path.insert(0, str(ROOT / "tests"))

from proxy.harness import CHAT, encoded
from proxy.outside import process, served
from proxy.transcripts import body, chat

STREAMS, EVENTS, PAUSE, SECONDS = 200, 20, 0.1, 40.0
#: Waves after which everything that is allocated once has been, and milliseconds from which on an event is late.
WARM, LATE_MS = 3, 1_000.0


@dataclass
class Soak:
    """What was seen on one way."""

    waves: int = 0
    lost: int = 0
    mixed: int = 0
    delays: list[float] = field(default_factory=list)
    rss: list[float] = field(default_factory=list)

    def figures(self) -> dict[str, Any]:
        """For the record."""
        warm, last = self.rss[min(WARM, len(self.rss)) - 1], self.rss[-1]
        return {
            "waves": self.waves,
            "events": len(self.delays),
            "lost": self.lost,
            "mixed": self.mixed,
            "late": sum(delay > LATE_MS for delay in self.delays),
            "delay_ms": {"median": round(median(self.delays), 2), "p95": p95(self.delays), "max": max(self.delays)},
            "rss_mb": {"after_warming": warm, "last": last, "ratio": round(last / warm, 3), "all": self.rss},
        }


def main() -> None:
    """Measures, or is the upstream."""
    if sys.argv[1:] == ["upstream"]:
        asyncio.run(upstream())
        return
    asyncio.run(measure(float(sys.argv[1]) if len(sys.argv) > 1 else SECONDS))


async def measure(seconds: float) -> None:
    """Both ways, one after the other: a third of the time the pass-through, the rest the proxy."""
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        target, _ = await stack.enter_async_context(process(__file__, "upstream"))
        plain, pid = await stack.enter_async_context(process(str(ROOT / "bench/proxy.py"), "passthrough", target))
        through = await soaked(plain, pid, seconds / 3)
        arguments = ("--window", "1M", "--trigger", "900000", "--db", f"{folder}/a.db", "--port", "0")
        ours, pid = await stack.enter_async_context(
            process("-m", "vademecum", "proxy", "--upstream", target, *arguments)
        )
        found = await soaked(ours, pid, seconds * 2 / 3)
    proxy, plain_figures = found.figures(), through.figures()
    aims = {
        "events lost, mixed or late": (float(proxy["lost"] + proxy["mixed"] + proxy["late"]), 0.0),
        "memory at the end to that after warming": (proxy["rss_mb"]["ratio"], 1.15),
    }
    write("soak", aims, {"streams": STREAMS, "proxy": proxy, "passthrough": plain_figures})


async def soaked(url: str, pid: int, seconds: float) -> Soak:
    """Waves of streams until the time is over, a few at least."""
    found = Soak()
    until = time.monotonic() + seconds
    timeout = aiohttp.ClientTimeout(total=60)
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0), timeout=timeout) as client:
        while found.waves <= WARM or time.monotonic() < until:
            await asyncio.gather(*(stream(client, url, at, found) for at in range(STREAMS)))
            found.waves += 1
            found.rss.append(resident(pid))
    return found


async def stream(client: aiohttp.ClientSession, url: str, number: int, found: Soak) -> None:
    """One request of a conversation, and the events of its reply."""
    tag = f"c{number}"
    data = encoded(body(CHAT, chat(found.waves + 1, tag=tag), stream=True))
    expected = 0
    async with client.post(url + CHAT, data=data, headers={"Content-Type": "application/json"}) as reply:
        async for line in reply.content:
            if not line.startswith(b'data: ["c'):
                continue
            whose, at, sent = json.loads(line[6:])
            if whose != f"{tag}:{found.waves}":
                found.mixed += 1
                continue
            found.lost += int(at != expected)
            expected = at + 1
            found.delays.append(round((time.monotonic() - sent) * 1_000, 2))
    found.lost += EVENTS - expected


def resident(pid: int) -> float:
    """Megabytes that a process has in memory."""
    status = Path(f"/proc/{pid}/status").read_text("ascii")
    return round(int(status.partition("VmRSS:")[2].split()[0]) / 1_024, 1)


async def upstream() -> None:
    """Answers by events that say whose they are, which one, and when they were sent."""

    async def handle(request: web.Request) -> web.StreamResponse:
        rows = json.loads(await request.read())["messages"]
        found = re.search(r"\bc\d+\b", rows[1]["content"])
        assert found is not None, rows[1]
        whose = f"{found[0]}:{sum(row['role'] == 'tool' for row in rows) - 1}"
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        for at in range(EVENTS):
            await response.write(b"data: " + json.dumps([whose, at, time.monotonic()]).encode() + b"\n\n")
            await asyncio.sleep(PAUSE)
        await response.write(b"data: [DONE]\n\n")
        return response

    await served(handle)


if __name__ == "__main__":
    main()
