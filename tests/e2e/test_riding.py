"""A summary that rides on the request as it stands, on a real server: its cache has what was sent before."""

from __future__ import annotations

from dataclasses import replace

from e2e.llama import llama
from requirement import requirement
from vademecum import Client, Compactor
from vademecum.models.clients import ClientModel, body_of
from vademecum.models.clients.retrying import Retries
from vademecum.models.model import Prompt, Reply, Ride
from vademecum.testing import sample

WINDOW, WORDS = 4_096, 2
OPTIONS = {"temperature": 0}


class Bounded(ClientModel):
    """The real model, with short replies: what is looked at is what it reads."""

    def __init__(self, client: Client) -> None:
        super().__init__(client, "smollm2", WINDOW, options=OPTIONS)
        self.read: list[tuple[str, Reply]] = []

    def complete(self, prompt: Prompt) -> Reply:
        self.read.append(("separate", super().complete(replace(prompt, max_tokens=WORDS))))
        return replace(self.read[-1][1], finish="stop")

    def ride(self, ride: Ride) -> Reply:
        self.read.append(("ride", super().ride(replace(ride, max_tokens=WORDS))))
        return replace(self.read[-1][1], finish="stop")


@requirement("C-15", "M-9")
def test_the_server_s_cache_has_most_of_what_a_riding_summary_reads() -> None:
    rows = sample(turns=24, rounds=1, chars=250)
    with llama(WINDOW) as server, Client("openai-chat", url=f"{server.url}/v1", retries=Retries(tries=1)) as client:
        model = Bounded(client)
        compactor = Compactor(window=WINDOW, trigger=1_200, model="smollm2", summarizer=model)
        for length in range(10, len(rows), 6):
            receipt = compactor.fit(rows[:length]).receipt
            if receipt.cycle:
                break
            reply = client.send(body_of("openai-chat", "smollm2", rows[:length], max_output=WORDS, options=OPTIONS))
            compactor.observe(reply.raw)
        before, (way, ride) = reply.usage, model.read[0]
        assert receipt.summary_ways[0].way == way == "ride"
        assert before is not None
        # What the request before had is read from the cache, save for its very end.
        assert ride.cached_tokens >= 0.9 * before.prompt_tokens
        apart = model.complete(Prompt("Summarise this.", str(rows[:length]), 1))
        assert apart.cached_tokens < 0.1 * apart.input_tokens
        assert compactor.session is not None
        paid = {total.kind: total for total in compactor.session.usage()}
        assert paid["summary"].cached_tokens >= ride.cached_tokens
