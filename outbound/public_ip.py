"""Which IP addresses belong to the public internet, and which hosts are this machine."""

import ipaddress

# Path not taken: ipaddress's is_global: it differs between Python's patch releases and accepts ::127.0.0.1 and fec0::1.
_NOT_PUBLIC = """
    0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
    192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3
    ::/3 2001::/23 2001:db8::/32 2002::/16 3fff::/20 4000::/2 8000::/1
"""  # IANA's registries; 6to4 (2002::/16), Teredo (in 2001::/23) and all IPv6 outside 2000::/3, global unicast
_SPECIAL = [ipaddress.ip_network(each) for each in _NOT_PUBLIC.split()]
_HOLDS_IPV4 = [ipaddress.ip_network("::ffff:0:0/96"), ipaddress.ip_network("64:ff9b::/96")]  # mapped, and NAT64's


def is_public(ip: str) -> bool:
    """Return whether an IP address belongs to the public internet. An IPv4 address inside an IPv6 one decides."""
    parsed = ipaddress.ip_address(ip.partition("%")[0])
    if any(parsed in network for network in _HOLDS_IPV4):
        parsed = ipaddress.IPv4Address(int(parsed) & 0xFFFFFFFF)
    return not any(parsed in network for network in _SPECIAL)


def is_loopback(host: str) -> bool:
    """Return whether a URL's host, a name or an IP address without brackets, is this machine."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
