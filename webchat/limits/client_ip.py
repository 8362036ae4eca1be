"""From where a request comes: the visitor's own address, behind the proxies that are trusted to tell it."""

import hashlib
import hmac
import ipaddress
import logging

from django.conf import settings
from django.http import HttpRequest

logger = logging.getLogger(__name__)

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

# Python's is_private means more than these.
PRIVATE = [
    ipaddress.ip_network(each) for each in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "127.0.0.0/8", "fc00::/7")
]
MOST_HOPS = 20  # nobody is behind more of them; a header of megabytes isn't read


def origin_of(request: HttpRequest) -> str | None:
    """A name for where the request comes from: the same for all who share an address or a network of IPv6.

    None when it can't be told. Nobody can read the address from it: none is stored.
    """
    address = client_address(request.META.get("REMOTE_ADDR", ""), request.headers.get("X-Forwarded-For", ""))
    if address is None:
        return None
    # Whoever has one address of IPv6 has 2^64 of them.
    network = ipaddress.ip_network((address, 64), strict=False) if address.version == 6 else address
    return hmac.new(settings.SECRET_KEY.encode(), f"origin\0{network}".encode(), hashlib.sha256).hexdigest()[:32]


def client_address(peer: str, forwarded_for: str) -> Address | None:
    """The nearest hop that is no trusted proxy; what stands further left in the header, anybody may have written.

    A hop that can't be read counts as the one that reported it: no header switches the limit off.
    """
    address = _read(peer or "127.0.0.1")  # a socket of this machine has no address
    if not _is_trusted(address) and peer:
        if address is not None and any(address in network for network in PRIVATE) and forwarded_for:
            logger.warning("X-Forwarded-For comes from %s, which is not in TRUSTED_PROXIES: not believed", address)
        return address
    if not forwarded_for.strip():
        return None
    for hop in reversed(forwarded_for.split(",")[-MOST_HOPS:]):
        reporter, address = address, _read(hop.strip())
        if not _is_trusted(address):
            return address or reporter
    return None


def _is_trusted(address: Address | None) -> bool:
    return address is not None and any(address in network for network in settings.TRUSTED_PROXIES)


def _read(text: str) -> Address | None:
    """With or without a port; IPv4 that is written as IPv6 is IPv4."""
    host = text
    if text.startswith("["):
        host = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        host = text.partition(":")[0]
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address
