#!/usr/bin/env python3
"""Signs identity tokens rightly and wrongly with keys of its own, and checks PyJWT's verdict on each.

usage: apple_id_signs.py DIRECTORY

Writes into DIRECTORY: keys.json, a JWK set in Apple's form; cases.jsonl, one case a line:
{name, token, expected: accept|reject}.
Exit code: 0 when PyJWT agrees with each case's intended verdict, else 1. The last line is `N passed, N failed`.
"""

import base64
import hashlib
import hmac
import json
import pathlib
import sys
import time

import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa

ISSUER = "https://appleid.apple.com"
CLIENTS = ["com.example", "com.example.web"]
HOUR = 3600


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def jwk(key, kid):
    public = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(key.public_key()))
    return {"kty": "RSA", "kid": kid, "use": "sig", "alg": "RS256", "n": public["n"], "e": public["e"]}


def cases(first, second, stranger, curve):
    now = int(time.time())

    def claims(**bent):
        whole = {"iss": ISSUER, "aud": "com.example", "exp": now + 24 * HOUR, "iat": now, "sub": "001.a", **bent}
        return {name: value for name, value in whole.items() if value is not None}

    def sign(key=first, kid="A", algorithm="RS256", headers=None, **bent):
        return jwt.encode(claims(**bent), key, algorithm=algorithm, headers={"kid": kid, **(headers or {})})

    def keyed_with_the_public_key():
        secret = first.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
        signed = ".".join(base64url(json.dumps(part).encode()) for part in ({"alg": "HS256", "kid": "A"}, claims()))
        return signed + "." + base64url(hmac.new(secret, signed.encode(), hashlib.sha256).digest())

    header, payload, signature = sign().split(".")
    changed = base64url(json.dumps(claims(sub="somebody.else")).encode())
    yield "authentic", sign(), True
    yield "signed with the other key", sign(key=second, kid="B"), True
    yield "for the page", sign(aud="com.example.web"), True
    yield "for several", sign(aud=["com.other", "com.example"]), True
    yield "claims that come later", sign(hologram={"a": [1, None]}, email_verified="true"), True
    yield "for another app", sign(aud="com.other"), False
    yield "for several others", sign(aud=["com.other"]), False
    yield "for nobody", sign(aud=None), False
    yield "by somebody else", sign(iss="https://appleid.apple.com.example.org"), False
    yield "by nobody", sign(iss=None), False
    yield "over since an hour", sign(exp=now - HOUR), False
    yield "without an end", sign(exp=None), False
    yield "from tomorrow", sign(iat=now + 24 * HOUR, exp=now + 48 * HOUR), False
    yield "about nobody", sign(sub=None), False
    yield "about a number", sign(sub=5), False
    yield "key that Apple does not have", sign(key=stranger, kid="C"), False
    yield "key of somebody else under Apple's id", sign(key=stranger), False
    yield "the other key's id", sign(kid="B"), False
    yield "not signed", jwt.encode(claims(), None, algorithm="none", headers={"kid": "A"}), False
    yield "keyed with the public key", keyed_with_the_public_key(), False
    yield "signed over SHA-512", sign(algorithm="RS512"), False
    yield "signed with PSS", sign(algorithm="PS256"), False
    yield "signed with a curve", sign(key=curve, algorithm="ES256"), False
    yield "an extension that must be understood", sign(headers={"crit": ["x"], "x": 1}), False
    yield "changed", f"{header}.{changed}.{signature}", False
    yield "cut", f"{header}.{payload}.{signature[:-8]}", False
    yield "without a signature", f"{header}.{payload}.", False
    yield "of two parts", f"{header}.{payload}", False
    yield "of four parts", f"{header}.{payload}.{signature}.{signature}", False


def accepted(token, keys):
    try:
        kid = jwt.get_unverified_header(token).get("kid")
        key = next((key for key in keys if key.key_id == kid), None)
        if key is None:
            return False
        jwt.decode(token, key, algorithms=["RS256"], audience=CLIENTS, issuer=ISSUER,
                   options={"require": ["iss", "aud", "exp", "sub"]})
        return True
    except jwt.PyJWTError:
        return False


def main():
    folder = pathlib.Path(sys.argv[1])
    first, second, stranger = (rsa.generate_private_key(65537, 2048) for _ in range(3))
    curve = ec.generate_private_key(ec.SECP256R1())
    members = [jwk(first, "A"), jwk(second, "B")]
    other = json.loads(jwt.algorithms.ECAlgorithm.to_jwk(curve.public_key()))
    (folder / "keys.json").write_text(json.dumps({"keys": [{**other, "kid": "D"}, *members]}), encoding="utf-8")
    keys = jwt.PyJWKSet.from_dict({"keys": members}).keys
    passed = failed = 0
    with open(folder / "cases.jsonl", "w", encoding="utf-8") as lines:
        for name, token, expected in cases(first, second, stranger, curve):
            if accepted(token, keys) == expected:
                passed += 1
            else:
                failed += 1
                print(f"{name}: PyJWT does not {'accept' if expected else 'reject'} it")
            lines.write(json.dumps({"name": name, "token": token, "expected": "accept" if expected else "reject"}) + "\n")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
