"""Certificates for servers on loopback: valid ones, and each kind of invalid one."""

import datetime
import ipaddress
import ssl
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


class Authority:
    """A certificate authority, whose files are in `folder`, where `ssl` can read them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = _name("An authority of the tests")
        certificate = (
            _draft(self._name, self._name, self._key)
            .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
            .sign(self._key, hashes.SHA256())
        )
        self.file = folder / "authority.pem"
        self.file.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))

    def server_context(
        self, host: str = "127.0.0.1", *more: str, expired: bool = False, self_signed: bool = False
    ) -> ssl.SSLContext:
        """Return a context for a server at these IP addresses or host names."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate_file(host, *more, expired=expired, self_signed=self_signed))
        return context

    def certificate_file(self, *hosts: str, expired: bool = False, self_signed: bool = False) -> Path:
        """Write key and certificate to one file and return its path."""
        key = ec.generate_private_key(ec.SECP256R1())
        issuer, signer = (_name(hosts[0]), key) if self_signed else (self._name, self._key)
        certificate = (
            _draft(_name(hosts[0]), issuer, key, expired=expired)
            .add_extension(x509.SubjectAlternativeName([_alternative(each) for each in hosts]), critical=False)
            .sign(signer, hashes.SHA256())
        )
        file = self._folder / f"{certificate.serial_number}.pem"
        file.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            )
            + certificate.public_bytes(serialization.Encoding.PEM)
        )
        return file


def _draft(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, *, expired: bool = False
) -> x509.CertificateBuilder:
    now = datetime.datetime.now(datetime.UTC)
    day = datetime.timedelta(days=1)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - 10 * day)
        .not_valid_after(now + (-day if expired else 10 * day))
    )


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _alternative(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)
