#!/usr/bin/env python3
"""Judges signed offers with Apple's own library: it signs the same ones with the same key, and both must agree.

usage: apple_offers.py DIRECTORY

DIRECTORY holds key.pem, the private key; offers.jsonl, one a line:
{form: V1, bundleId, keyId, productId, offerId, customer, nonce, time (ms), signature}, or
{form: V2|introductory, bundleId, keyId, issuerId, productId, offerId or allowed, transactionId, token}.
Written: library.jsonl, the library's signature or token for each line.
Exit code: 0 all agree, 1 some do not, 2 nothing to judge. The last line is `N passed, N failed`.
"""

import base64
import json
import pathlib
import sys
import uuid

import jwt
from appstoreserverlibrary.jws_signature_creator import (
    IntroductoryOfferEligibilitySignatureCreator,
    PromotionalOfferV2SignatureCreator,
)
from appstoreserverlibrary.promotional_offer import PromotionalOfferSignatureCreator
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

SEPARATOR = "\u2063"


def judge_signature(offer, key, pem):
    signed = SEPARATOR.join([
        offer["bundleId"], offer["keyId"], offer["productId"], offer["offerId"], offer["customer"].lower(),
        offer["nonce"].lower(), str(offer["time"])])
    key.public_key().verify(base64.b64decode(offer["signature"], validate=True), signed.encode(),
                            ec.ECDSA(hashes.SHA256()))
    creator = PromotionalOfferSignatureCreator(pem, offer["keyId"], offer["bundleId"])
    return creator.create_signature(
        offer["productId"], offer["offerId"], offer["customer"], uuid.UUID(offer["nonce"]), offer["time"])


def judge_token(offer, key, pem):
    if offer["form"] == "V2":
        creator = PromotionalOfferV2SignatureCreator(pem, offer["keyId"], offer["issuerId"], offer["bundleId"])
        token = creator.create_signature(offer["productId"], offer["offerId"], offer["transactionId"])
        audience = "promotional-offer"
    else:
        creator = IntroductoryOfferEligibilitySignatureCreator(
            pem, offer["keyId"], offer["issuerId"], offer["bundleId"])
        token = creator.create_signature(offer["productId"], offer["allowed"], offer["transactionId"])
        audience = "introductory-offer-eligibility"

    def read(text):
        claims = jwt.decode(text, key.public_key(), algorithms=["ES256"], audience=audience)
        # Values that are never the same twice must be present, and of their type.
        uuid.UUID(claims.pop("nonce"))
        int(claims.pop("iat"))
        return jwt.get_unverified_header(text), claims

    if read(offer["token"]) != read(token):
        raise ValueError(f"ours says {read(offer['token'])}, Apple's {read(token)}")
    return token


def main():
    folder = pathlib.Path(sys.argv[1])
    pem = (folder / "key.pem").read_bytes()
    key = serialization.load_pem_private_key(pem, password=None)
    passed = failed = 0
    with open(folder / "offers.jsonl", encoding="utf-8") as lines, \
            open(folder / "library.jsonl", "w", encoding="utf-8") as library:
        for number, line in enumerate(lines, 1):
            offer = json.loads(line)
            try:
                judge = judge_signature if offer["form"] == "V1" else judge_token
                library.write(json.dumps(judge(offer, key, pem)) + "\n")
                passed += 1
            except (ValueError, InvalidSignature, jwt.PyJWTError) as error:
                failed += 1
                print(f"line {number}: {error!r}")
    print(f"{passed} passed, {failed} failed")
    return 2 if passed + failed == 0 else 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
