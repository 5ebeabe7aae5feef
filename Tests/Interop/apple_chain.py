"""Certificates of Apple's shape from a CA of its own, and payloads that their keys sign."""

import base64
import datetime
import json
import time

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.x509.oid import NameOID

NOW = int(time.time() * 1000)
DAY = 86_400_000
LEAF_MARKER = x509.ObjectIdentifier("1.2.840.113635.100.6.11.1")
INTERMEDIATE_MARKER = x509.ObjectIdentifier("1.2.840.113635.100.6.2.1")


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def compact(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def date(milliseconds):
    return datetime.datetime.fromtimestamp(milliseconds // 1000, datetime.timezone.utc)


def certificate(common_name, key, issuer, issuer_key, *, authority, path_length=None, marker=None, days=(-400, 400),
                usage=None):
    """Returns a certificate as a strict verifier wants it, apart from the faults that the arguments give it."""
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common_name)])
    certifies = authority if usage is None else usage
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject).issuer_name(issuer or subject).public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(date(NOW + days[0] * DAY)).not_valid_after(date(NOW + days[1] * DAY))
        .add_extension(x509.BasicConstraints(authority, path_length if authority else None), critical=True)
        .add_extension(x509.KeyUsage(
            digital_signature=not certifies, content_commitment=False, key_encipherment=False,
            data_encipherment=False, key_agreement=False, key_cert_sign=certifies, crl_sign=certifies,
            encipher_only=False, decipher_only=False), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_key.public_key()), critical=False)
    )
    if marker is not None:
        builder = builder.add_extension(x509.UnrecognizedExtension(marker, b"\x05\x00"), critical=False)
    return builder.sign(issuer_key, hashes.SHA384())


class Chain:
    """Root, intermediate and leaf; `leaf` and `intermediate` change one certificate's arguments."""

    def __init__(self, root=None, leaf=None, intermediate=None, leaf_curve=ec.SECP256R1()):
        self.root_key, self.root = root or self.new_root()
        self.intermediate_key = ec.generate_private_key(ec.SECP384R1())
        self.intermediate = certificate(
            "Judge Intermediate", self.intermediate_key, self.root.subject, self.root_key,
            **{"authority": True, "path_length": 0, "marker": INTERMEDIATE_MARKER, **(intermediate or {})})
        self.key = ec.generate_private_key(leaf_curve)
        self.leaf = certificate(
            "Judge Leaf", self.key, self.intermediate.subject, self.intermediate_key,
            **{"authority": False, "marker": LEAF_MARKER, **(leaf or {})})

    @staticmethod
    def new_root():
        key = ec.generate_private_key(ec.SECP384R1())
        return key, certificate("Judge Root", key, None, key, authority=True)

    @property
    def ders(self):
        return [c.public_bytes(serialization.Encoding.DER) for c in (self.leaf, self.intermediate, self.root)]

    @property
    def x5c(self):
        return [base64.b64encode(der).decode() for der in self.ders]

    def sign(self, payload, *, key=None, algorithm="ES256", header=None, **bent_header):
        if header is None:
            header = {"alg": algorithm, "x5c": self.x5c, **bent_header}
        signing_input = f"{base64url(compact(header))}.{base64url(compact(payload))}".encode()
        return signing_input.decode() + "." + base64url(raw_signature(key or self.key, signing_input))


def raw_signature(key, signing_input):
    size = (key.curve.key_size + 7) // 8
    r, s = utils.decode_dss_signature(
        key.sign(signing_input, ec.ECDSA(hashes.SHA256() if size == 32 else hashes.SHA384())))
    return r.to_bytes(size, "big") + s.to_bytes(size, "big")
