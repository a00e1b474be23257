"""A model behind a client as a summariser: in every wire format, and when it does not answer."""

from __future__ import annotations

from typing import Any

import pytest

from provider import PATHS, Said, provider, whole
from requirement import requirement
from vademecum import Client, Compactor
from vademecum.models.clients import ClientModel
from vademecum.models.clients.retrying import Retries
from vademecum.models.model import Prompt
from vademecum.testing import sample


@requirement("M-10", "C-42")
@pytest.mark.parametrize("format", sorted(PATHS))
def test_it_completes_a_prompt(format: str) -> None:
    with (
        provider(lambda path, sent: Said(whole(format, "in short"))) as told,
        Client(format, url=told.url + PATHS[format], retries=Retries(tries=1)) as client,
    ):
        reply = ClientModel(client, "m-1", 8_192).complete(Prompt("be brief", "a long story", 64))
    assert (reply.text, reply.finish, reply.input_tokens, reply.output_tokens) == ("in short", "stop", 100, 5)
    assert "be brief" in str(told.bodies[0])
    assert "64" in str(told.bodies[0])


@requirement("C-34")
def test_a_summariser_that_is_busy_for_an_hour_loses_nothing() -> None:
    busy = Said({"error": {"message": "Rate limit reached"}}, 429, {"retry-after": "3600"})
    rows: list[Any] = list(sample(turns=60))
    with (
        provider(lambda path, sent: busy) as told,
        Client("openai-chat", url=f"{told.url}/v1") as client,
    ):
        fitted = Compactor(window=8_192, summarizer=ClientModel(client, "m-1", 8_192)).fit(rows)
    assert fitted.receipt.outcome == "compacted"
    assert fitted.receipt.tokens_after < fitted.receipt.trigger_tokens
