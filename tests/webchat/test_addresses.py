"""From where a request comes: the visitor's own address behind trusted proxies, and nobody else's."""

from ipaddress import ip_address, ip_network
from typing import Any

import pytest
from django.test import RequestFactory

from webchat.limits.client_ip import client_address, origin_of


@pytest.fixture(autouse=True)
def two_proxies(settings: Any) -> None:
    settings.TRUSTED_PROXIES = [ip_network(each) for each in ("127.0.0.0/8", "::1", "10.1.0.0/16", "2001:db8:1::/48")]


SEEN = {
    "without a proxy": ("198.51.100.7", "", "198.51.100.7"),
    "what a visitor claims counts for nothing": ("198.51.100.7", "203.0.113.9", "198.51.100.7"),
    "behind a proxy on this machine": ("127.0.0.1", "198.51.100.7", "198.51.100.7"),
    "behind a socket": ("", "198.51.100.7", "198.51.100.7"),
    "behind two proxies": ("10.1.2.3", "198.51.100.7, 10.1.9.9", "198.51.100.7"),
    "what a visitor claims, behind two proxies": ("10.1.2.3", "203.0.113.9,198.51.100.7, 10.1.9.9", "198.51.100.7"),
    "a proxy that nobody trusts is the visitor": ("127.0.0.1", "198.51.100.7, 192.0.2.1", "192.0.2.1"),
    "with a port": ("127.0.0.1", "198.51.100.7:4711", "198.51.100.7"),
    "IPv6": ("::1", "2001:db8:9::7", "2001:db8:9::7"),
    "IPv6 with a port": ("::1", "[2001:db8:9::7]:4711", "2001:db8:9::7"),
    "IPv6 behind IPv6": ("2001:db8:1::1", "2001:db8:9::7", "2001:db8:9::7"),
    "IPv4 that is written as IPv6": ("::ffff:127.0.0.1", "::ffff:198.51.100.7", "198.51.100.7"),
    "a proxy that doesn't tell": ("127.0.0.1", "", None),
    "a proxy that doesn't know": ("127.0.0.1", "unknown", None),
    "only proxies": ("10.1.2.3", "10.1.2.4, 127.0.0.1", None),
    "rubbish": ("127.0.0.1", "<script>, ;;, 999.1.1.1", None),
    "a private proxy that nobody has named": ("172.18.0.2", "198.51.100.7", None),
    "a private visitor": ("192.168.1.20", "", "192.168.1.20"),
    "thousands of hops": ("127.0.0.1", ", ".join(["203.0.113.9", *["10.1.0.1"] * 5000]), None),
}


@pytest.mark.parametrize(("peer", "forwarded_for", "expected"), SEEN.values(), ids=SEEN)
def test_a_visitor_has_the_address_that_the_last_trusted_proxy_saw(peer, forwarded_for, expected):
    assert client_address(peer, forwarded_for) == (expected and ip_address(expected))


def origin(peer: str) -> str | None:
    return origin_of(RequestFactory().get("/", REMOTE_ADDR=peer))


def test_all_addresses_of_one_ipv6_network_are_one_origin():
    assert origin("2001:db8:9:1::7") == origin("2001:db8:9:1:ffff::8")
    assert origin("2001:db8:9:1::7") != origin("2001:db8:9:2::7")
    assert origin("198.51.100.7") != origin("198.51.100.8")


def test_the_address_cannot_be_read_from_its_name(settings):
    before = origin("198.51.100.7")
    assert "198" not in before or "51" not in before
    settings.SECRET_KEY = "another"
    assert origin("198.51.100.7") != before
