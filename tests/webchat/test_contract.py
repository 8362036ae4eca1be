"""The fake upstream passes the same cases as docbot, so that it can be trusted."""

from collections.abc import Iterator

import pytest

from tests.webchat.contract import CASES, Service, names
from tests.webchat.upstream_server import UpstreamServer


@pytest.fixture
def service() -> Iterator[Service]:
    with UpstreamServer() as upstream:
        yield Service(upstream.base_url, upstream.api_key, upstream.other_key, upstream.disabled_key)


@pytest.mark.parametrize("case", CASES, ids=names)
def test_the_fake_upstream_fulfils_the_contract(case, service):
    case(service)
