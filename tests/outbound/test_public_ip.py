"""Which IP addresses belong to the public internet, and which a name may not resolve to."""

import ipaddress

import pytest

from outbound.public_ip import is_public

PUBLIC = """
    1.1.1.1 93.184.216.34 100.63.255.255 100.128.0.0 172.15.255.255 172.32.0.0 191.255.255.255 198.17.255.255 198.20.0.0
    223.255.255.255 2606:2800:220:1:248:1893:25c8:1946 2001:200:: 2003:: 3ffe:ffff::1
    ::ffff:93.184.216.34 64:ff9b::5db8:d822
""".split()  # noqa: SIM905 - easier to read
NOT_PUBLIC = {
    "unspecified": "0.0.0.0 0.1.2.3 ::",
    "loopback": "127.0.0.1 127.255.255.255 ::1",
    "private": "10.0.0.1 10.255.255.255 172.16.0.1 172.31.255.255 192.168.1.1",
    "unique local": "fc00::1 fd00::1 fdff:ffff::1",
    "link-local": "169.254.169.254 fe80::1 fe80::1%eth0 febf::1",
    "site-local": "fec0::1 feff::1",
    "a provider's own": "100.64.0.1 100.127.255.255",
    "multicast": "224.0.0.1 239.255.255.255 ff02::1 ff0e::1",
    "reserved": "240.0.0.1 255.255.255.254 4000::1 8000::1 100::1 5f00::1",
    "protocol assignments": "192.0.0.1 192.0.0.170 2001::1 2001:20::1 2001:1ff:ffff::1",
    "benchmarks": "198.18.0.1 198.19.255.255 2001:2::1",
    "documentation": "192.0.2.1 198.51.100.1 203.0.113.1 2001:db8::1 3fff::1",
    "IPv4-translated": "::ffff:0:127.0.0.1 ::ffff:0:93.184.216.34",
    "IPv4-compatible": "::127.0.0.1 ::10.0.0.1 ::93.184.216.34 ::7f00:1",
    "NAT64": "64:ff9b::7f00:1 64:ff9b::192.168.1.1 64:ff9b:1::1 64:ff9b:1::93.184.216.34",
    "6to4": "2002:7f00:1:: 2002:5db8:d822:: 192.88.99.1",
    "Teredo": "2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:0:5db8:d822::",
}


@pytest.mark.parametrize("ip", PUBLIC)
def test_an_internet_address_is_public(ip):
    assert is_public(ip)


@pytest.mark.parametrize("kind", NOT_PUBLIC)
def test_an_address_with_a_special_purpose_is_not_public(kind):
    assert [each for each in NOT_PUBLIC[kind].split() if is_public(each)] == []


def test_a_private_ipv4_address_stays_private_inside_ipv6():
    for networks in NOT_PUBLIC.values():
        for each in networks.split():
            packed = ipaddress.ip_address(each.partition("%")[0]).packed
            if len(packed) == 4:
                assert not is_public(f"::ffff:{each}")
                assert not is_public(f"64:ff9b::{each}")
