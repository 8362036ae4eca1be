"""Why there was no reply, for the owner's diagnosis: more detail than visitors are told."""

import socket
import ssl
from enum import StrEnum


class Cause(StrEnum):
    """Each cause has its own sentence in `diagnosis`."""

    UNKNOWN = "unknown"
    # nothing can be sent
    ADDRESS = "address not allowed"
    KEY_MISSING = "no key"
    KEY_NOT_SENDABLE = "key not sendable"
    # no connection was made
    DNS = "the host has no address"
    CONNECTION_REFUSED = "connection refused"
    CONNECT_TIMEOUT = "no connection in time"
    NO_ROUTE = "no route"
    TLS_EXPIRED = "certificate expired"
    TLS_WRONG_HOST = "certificate of another host"
    TLS_UNTRUSTED = "certificate not trusted"
    TLS_FAILED = "no secure connection"
    # something else answered
    REDIRECT = "redirect"
    NO_ENDPOINT = "no endpoint"
    NO_JSON = "no JSON taken"
    GATEWAY_CERTIFICATE = "certificate refused by a gateway"
    # the message may have arrived
    LATE = "no answer in time"
    GATEWAY_FAILED = "a gateway got no answer"
    CUT = "answer broken off"
    UNUSABLE = "answer not readable"
    WITHOUT_REPLY = "answer without a reply"


# OpenSSL's X509_V_ERR_… numbers
_CERTIFICATE_FAULTS = {10: Cause.TLS_EXPIRED, 62: Cause.TLS_WRONG_HOST, 64: Cause.TLS_WRONG_HOST}


def connection_cause(error: BaseException | None) -> Cause:
    """Return why no connection was made, from the exception."""
    match error:
        case ssl.SSLCertVerificationError():
            return _CERTIFICATE_FAULTS.get(error.verify_code, Cause.TLS_UNTRUSTED)
        case ssl.SSLError():
            return Cause.TLS_FAILED
        case socket.gaierror():
            return Cause.DNS
        case TimeoutError():
            return Cause.CONNECT_TIMEOUT
        case ConnectionRefusedError():
            return Cause.CONNECTION_REFUSED
        case _:
            return Cause.NO_ROUTE
