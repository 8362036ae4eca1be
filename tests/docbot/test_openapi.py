"""The OpenAPI document, and schemathesis checking the endpoint against it."""

import pytest
from django.core.wsgi import get_wsgi_application
from hypothesis import HealthCheck, given, settings

from docbot.endpoint import openapi
from docbot.endpoint.errors import ERRORS

URL = "/api/public/openapi.json"


@pytest.mark.parametrize("kind", ["POSITIVE", "NEGATIVE"])
def test_the_endpoint_matches_its_description(kind, transactional_db, key):
    """Use a real database: each request closes its connection, which would end a test's own transaction.

    Nothing is compressed, because schemathesis reads an application's answers as they are.
    """
    import schemathesis  # here, because it takes half a second in each worker; its plugin for pytest takes a whole one

    schema = schemathesis.openapi.from_dict(openapi.document())
    schema.app = get_wsgi_application()
    # A message that is too long is refused with 413, and an unknown chat is not invalid input.
    schema.config.checks.negative_data_rejection.expected_statuses = ["400", "401", "405", "413", "415"]
    schema.config.checks.positive_data_acceptance.expected_statuses = ["200", "404"]

    @settings(
        max_examples=15,
        derandomize=True,
        database=None,
        deadline=None,
        # The bot fixture stays the same from one example to the next, as a real bot does.
        suppress_health_check=list(HealthCheck),
    )
    @given(schema["/api/public/chat"]["POST"].as_strategy(schemathesis.GenerationMode[kind]))
    def check(case):
        case.call_and_validate(headers={"X-BOT-API-KEY": key, "Accept-Encoding": "identity"})

    check()


def test_the_document_is_public_and_cacheable_and_follows_the_message_limit(client, settings):
    settings.DOCBOT_MESSAGE_MAX_LENGTH = 77
    response = client.get(URL)
    assert response.status_code == 200
    assert response.headers["Content-Type"] == "application/json"
    assert "max-age=3600" in response.headers["Cache-Control"]
    assert not response.cookies
    described = response.json()
    assert described["openapi"].startswith("3.1")
    assert described["components"]["schemas"]["Request"]["properties"]["message"]["maxLength"] == 77


def test_each_error_is_described_with_its_status_and_code(client):
    described = client.get(URL).json()
    responses = described["paths"]["/api/public/chat"]["post"]["responses"]
    assert len(ERRORS) == 10
    texts = {code: responses[str(usual["status"])]["description"] for code, usual in ERRORS.items()}
    assert [code for code, text in texts.items() if f"`{code}`" not in text] == []
    codes = described["components"]["schemas"]["Error"]["properties"]["error"]["properties"]["code"]["enum"]
    assert set(codes) == ERRORS.keys()


def test_its_examples_are_accepted_by_the_endpoint(client, ask, bot):
    operation = client.get(URL).json()["paths"]["/api/public/chat"]["post"]
    first = operation["requestBody"]["content"]["application/json"]["examples"]["first"]["value"]
    assert ask(**first).status_code == 200
