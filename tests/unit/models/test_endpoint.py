"""Who serves at a URL, how it takes a key, and what headers ask of a model."""

from requirement import requirement
from vademecum.core.budget import Window
from vademecum.core.windows import Key, Told
from vademecum.models.catalog import Catalog
from vademecum.models.endpoint import key_headers, provider_of, url_of, variant_of
from vademecum.models.sources import sources

CATALOG = Catalog.of()


def test_providers_by_host() -> None:
    assert provider_of("https://api.anthropic.com/v1") == "anthropic"
    assert provider_of("https://europe-west4-aiplatform.googleapis.com") == ""
    assert provider_of("https://eu.api.openai.com") == "openai"
    assert provider_of("https://notapi.openai.com.example.org") == provider_of("http://127.0.0.1:8080") == ""
    assert url_of("anthropic") == "https://api.anthropic.com"
    assert url_of("nobody") == ""


def test_keys_go_where_the_provider_wants_them() -> None:
    assert key_headers("https://api.anthropic.com", "k")["x-api-key"] == "k"
    assert key_headers("https://generativelanguage.googleapis.com", "k") == {"x-goog-api-key": "k"}
    assert key_headers("http://127.0.0.1:8080", "k") == {"Authorization": "Bearer k"}
    assert key_headers("http://127.0.0.1:8080", "") == {}


@requirement("M-1", "M-2")
def test_a_model_as_its_provider_serves_it_else_as_its_maker_does() -> None:
    model = "claude-3-5-haiku-20241022"
    assert sources(Key("anthropic", "https://api.anthropic.com", model), catalog=CATALOG).window.tokens == 200_000
    assert sources(Key("", "http://127.0.0.1:1", model), catalog=CATALOG).window == Window(200_000, "catalog")
    assert sources(Key("", "http://127.0.0.1:1", "no-such"), catalog=CATALOG).window == Window(32_000, "default")


@requirement("M-2")
def test_a_header_widens_what_is_published_and_not_what_is_set_aside() -> None:
    wide = variant_of({"anthropic-beta": "other-1, context-1m-2025-08-07"})
    assert wide is not None
    assert variant_of({"anthropic-beta": "other-1"}) is None
    key = Key("anthropic", "https://api.anthropic.com", "claude-3-5-haiku-20241022")
    published, aside = Told(200_000, "announced", at=1.0), Told(200_000, "runtime", at=1.0)
    assert sources(key, catalog=CATALOG, probed=published, variant=wide).window == Window(1_000_000, "probed")
    assert sources(key, catalog=CATALOG, probed=aside, variant=wide).window == Window(200_000, "probed")
    learned = Told(340_000, "learned", at=2.0)
    assert sources(key, catalog=CATALOG, learned=learned, variant=wide).window == Window(340_000, "learned")
