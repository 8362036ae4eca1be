"""The visitor's IP address: read from headers only behind trusted proxies."""

from functools import partial
from ipaddress import ip_address, ip_network
from typing import Any

import pytest
from django.test import RequestFactory

from webchat.limits.client_ip import client_ip, origin_of


@pytest.fixture(autouse=True)
def two_proxies(settings: Any) -> None:
    settings.TRUSTED_PROXIES = [ip_network(each) for each in ("127.0.0.0/8", "::1", "10.1.0.0/16", "2001:db8:1::/48")]


SEEN = {
    "without a proxy": ("198.51.100.7", "", "198.51.100.7"),
    "a visitor's own claim is ignored": ("198.51.100.7", "203.0.113.9", "198.51.100.7"),
    "behind a proxy on this machine": ("127.0.0.1", "198.51.100.7", "198.51.100.7"),
    "a visitor's own claim, behind two proxies": ("10.1.2.3", "203.0.113.9,198.51.100.7, 10.1.9.9", "198.51.100.7"),
    "an untrusted proxy counts as the visitor": ("127.0.0.1", "198.51.100.7, 192.0.2.1", "192.0.2.1"),
    "with a port": ("127.0.0.1", "198.51.100.7:4711", "198.51.100.7"),
    "IPv6": ("::1", "2001:db8:9::7", "2001:db8:9::7"),
    "IPv4 written as IPv6": ("::ffff:127.0.0.1", "::ffff:198.51.100.7", "198.51.100.7"),
    "a second proxy that says unknown": ("127.0.0.1", "198.51.100.7, unknown, 10.1.9.9", "10.1.9.9"),
    "only proxies": ("10.1.2.3", "10.1.2.4, 127.0.0.1", None),
    "nonsense": ("127.0.0.1", "<script>, ;;, 999.1.1.1", "127.0.0.1"),
    "an endless IP": ("127.0.0.1", "1" * 100_000, "127.0.0.1"),
    "a private proxy that is not configured": ("172.18.0.2", "198.51.100.7", "172.18.0.2"),
    "a link-local peer": ("fe80::1%eth0", "198.51.100.7", "fe80::1%eth0"),
    "thousands of hops": ("127.0.0.1", ", ".join(["203.0.113.9", *["10.1.0.1"] * 5000]), None),
}


@pytest.mark.parametrize(("peer", "forwarded_for", "expected"), SEEN.values(), ids=SEEN)
def test_a_visitors_ip_is_the_one_that_the_last_trusted_proxy_saw(peer, forwarded_for, expected):
    assert client_ip(peer, forwarded_for) == (expected and ip_address(expected))


def origin(peer: str) -> str | None:
    return origin_of(RequestFactory().get("/", REMOTE_ADDR=peer))


def test_a_private_ip_keeps_one_limit_whatever_the_header_says(caplog):
    request = partial(RequestFactory().get, "/", REMOTE_ADDR="192.168.1.20")
    origins = {origin_of(request(headers={"X-Forwarded-For": f"198.51.100.{n}"} if n else {})) for n in range(5)}
    assert origins == {origin("192.168.1.20")}
    assert "not in TRUSTED_PROXIES" in caplog.text


def test_all_ips_of_one_ipv6_network_share_a_limit():
    assert origin("2001:db8:9:1::7") == origin("2001:db8:9:1:ffff::8")
    assert origin("2001:db8:9:1::7") != origin("2001:db8:9:2::7")
    assert origin("198.51.100.7") != origin("198.51.100.8")


def test_the_ip_cannot_be_read_from_its_hash(settings):
    before = origin("198.51.100.7")
    assert "198" not in before or "51" not in before
    settings.SECRET_KEY = "another"
    assert origin("198.51.100.7") != before
