"""Under which key a model takes its output limit."""

import pytest

from requirement import requirement
from vademecum import Compactor
from vademecum.models.clients import body_of
from vademecum.models.limit_keys import limit_key

MESSAGES = [{"role": "user", "content": "Hello."}]


@requirement("C-5")
@pytest.mark.parametrize("model", ["gpt-5", "openai:gpt-5-mini", "openai/gpt-5.1", "o3", "o4-mini", "openai:o1-pro"])
def test_reasoning_models_of_openai(model: str) -> None:
    assert limit_key("openai-chat", model, "max_tokens") == "max_completion_tokens"


@pytest.mark.parametrize("model", ["", "gpt-4o", "gpt-oss:20b", "qwen3", "deepseek-r1", "llama-3.1-o1-merge", "foo3"])
def test_all_others_take_the_usual_one(model: str) -> None:
    assert limit_key("openai-chat", model, "max_tokens") == "max_tokens"


def test_another_format_has_its_own() -> None:
    assert limit_key("openai-responses", "gpt-5", "max_output_tokens") == "max_output_tokens"


@requirement("C-5", "M-10")
def test_the_compactor_and_a_client_ask_so() -> None:
    assert Compactor(model="openai:gpt-5-mini", max_output=900).fit(MESSAGES).limits == {"max_completion_tokens": 900}
    assert Compactor(window=8_000, max_output=900).fit(MESSAGES).limits == {"max_tokens": 900}
    assert body_of("openai-chat", "gpt-5", MESSAGES, max_output=9)["max_completion_tokens"] == 9
    own = body_of("openai-chat", "gpt-5", MESSAGES, max_output=9, options={"max_tokens": 50})
    assert (own["max_tokens"], "max_completion_tokens" in own) == (9, False)
