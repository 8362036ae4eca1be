"""The IP address that a request comes from, as reported by the trusted proxies in front of the site."""

import hashlib
import hmac
import ipaddress
import logging

from django.conf import settings
from django.http import HttpRequest

logger = logging.getLogger(__name__)

IP = ipaddress.IPv4Address | ipaddress.IPv6Address

# Python's is_private means more than these.
PRIVATE = [
    ipaddress.ip_network(each) for each in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "127.0.0.0/8", "fc00::/7")
]
MOST_HOPS = 20  # no real visitor is behind more; a header of megabytes is not parsed


def origin_of(request: HttpRequest) -> str | None:
    """Return a keyed hash of where the request comes from: the same for everybody behind one IPv4 address or IPv6 /64.

    None if that isn't known. The hash doesn't give the IP address away, and the address itself is never stored.
    """
    ip = client_ip(request.META.get("REMOTE_ADDR", ""), request.headers.get("X-Forwarded-For", ""))
    if ip is None:
        return None
    # Whoever has one IPv6 address usually has the other 2^64 of its network as well.
    network = ipaddress.ip_network((ip, 64), strict=False) if ip.version == 6 else ip
    return hmac.new(settings.SECRET_KEY.encode(), f"origin\0{network}".encode(), hashlib.sha256).hexdigest()[:32]


def client_ip(peer: str, forwarded_for: str) -> IP | None:
    """Return the nearest hop that is not a trusted proxy; what is further left in the header may be forged.

    A hop that can't be parsed counts as the proxy that reported it, so that no header can switch the limit off.
    """
    ip = _read(peer or "127.0.0.1")  # a Unix socket has no peer address
    if not _is_trusted(ip) and peer:
        if forwarded_for and ip is not None and any(ip in network for network in PRIVATE):
            logger.warning("X-Forwarded-For comes from %s, which is not in TRUSTED_PROXIES: not believed", ip)
        return ip
    if not forwarded_for.strip():
        return None
    for hop in reversed(forwarded_for.split(",")[-MOST_HOPS:]):
        reporter, ip = ip, _read(hop.strip())
        if not _is_trusted(ip):
            return ip or reporter
    return None


def _is_trusted(ip: IP | None) -> bool:
    return ip is not None and any(ip in network for network in settings.TRUSTED_PROXIES)


def _read(text: str) -> IP | None:
    """Parse an address with or without a port; an IPv4-mapped IPv6 address becomes IPv4."""
    host = text
    if text.startswith("["):
        host = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        host = text.partition(":")[0]
    try:
        ip = ipaddress.ip_address(host)
    except ValueError:
        return None
    return getattr(ip, "ipv4_mapped", None) or ip
