#!/usr/bin/env python3
"""Signs and mis-signs notifications with a CA of its own, and says what Apple's own verifier makes of each.

usage: apple_signs.py DIRECTORY

Writes into DIRECTORY: root.der; app.json {bundleId, appAppleId}; cases.jsonl, one case a line:
{name, signedPayload, now (ms), expected: accept|reject, code, stricter}. `code` is INVALID_APP_IDENTIFIER,
INVALID_ENVIRONMENT or null for any other reason. `stricter` marks the cases that Apple's verifier accepts and ours must
refuse (Apple's leaves them to the caller).
Exit code: 0 when Apple's verifier agrees with what each case was made to be, else 1. The last line is
`N passed, N failed`.
"""

import base64
import hashlib
import hmac
import json
import pathlib
import sys
import uuid

from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils

from apple_chain import DAY, NOW, Chain, base64url, compact
from apple_judge import Judge

BUNDLE = "com.example.judge"
APP_APPLE_ID = 1234567890


def transaction(signed=NOW, **bent):
    return {
        "transactionId": "300000000000001", "originalTransactionId": "300000000000000", "bundleId": BUNDLE,
        "productId": "com.example.pro", "subscriptionGroupIdentifier": "g", "purchaseDate": signed,
        "originalPurchaseDate": signed, "expiresDate": signed + 30 * DAY, "quantity": 1,
        "type": "Auto-Renewable Subscription", "appAccountToken": "7e3fb204-2eb0-4a5e-9a57-5d3c3f0e4f10",
        "inAppOwnershipType": "PURCHASED", "signedDate": signed, "environment": "Production", "storefront": "CHN",
        "storefrontId": "143465", "transactionReason": "PURCHASE", "price": 18000, "currency": "CNY", **bent}


def renewal(signed=NOW, **bent):
    return {
        "originalTransactionId": "300000000000000", "productId": "com.example.pro",
        "autoRenewProductId": "com.example.pro", "autoRenewStatus": 1, "signedDate": signed,
        "environment": "Production", "renewalDate": signed + 30 * DAY, "renewalPrice": 18000, "currency": "CNY", **bent}


def notification(chain, signed=NOW, *, inner=None, data=None, in_transaction=None, in_renewal=None,
                 environment="Production", body=None, outer=None, **bent):
    """Returns a notification's payload; each keyword argument changes one part."""
    inner = inner or chain
    if body is None:
        body = {"data": {
            "appAppleId": APP_APPLE_ID, "bundleId": BUNDLE, "bundleVersion": "1", "environment": environment,
            "status": 1,
            "signedTransactionInfo": inner.sign(
                transaction(signed, **{"environment": environment, **(in_transaction or {})})),
            "signedRenewalInfo": inner.sign(renewal(signed, **{"environment": environment, **(in_renewal or {})})),
            **(data or {})}}
    return {
        "notificationType": "SUBSCRIBED", "subtype": "INITIAL_BUY", "notificationUUID": str(uuid.uuid4()),
        "version": "2.0", "signedDate": signed, **body, **bent}


def tampered(token):
    header, payload, signature = token.split(".")
    value = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
    value["notificationType"] = "REFUND"
    return ".".join([header, base64url(compact(value)), signature])


def with_signature(token, change):
    header, payload, signature = token.split(".")
    raw = base64.urlsafe_b64decode(signature + "=" * (-len(signature) % 4))
    return ".".join([header, payload, base64url(change(raw))])


def hs256(chain, payload):
    """Returns a token of the classic confusion: the public certificate used as a shared secret."""
    signing_input = f"{base64url(compact({'alg': 'HS256', 'x5c': chain.x5c}))}.{base64url(compact(payload))}".encode()
    return signing_input.decode() + "." + base64url(hmac.new(chain.ders[0], signing_input, hashlib.sha256).digest())


def cases(root):
    """Yields (name, signedPayload, expected, code, stricter)."""
    chain = Chain(root)
    foreign = Chain()
    honest = notification(chain)

    def accept(name, payload):
        return name, payload, "accept", None, False

    def reject(name, payload, code=None):
        return name, payload, "reject", code, False

    def stricter(name, payload):
        return name, payload, "reject", None, True

    yield accept("honest production notification", chain.sign(honest))
    yield accept("honest sandbox notification", chain.sign(notification(chain, environment="Sandbox", data={
        "appAppleId": None})))
    yield accept("signed by the second leaf of the root", Chain(root).sign(notification(chain)))
    yield accept("unknown type", chain.sign(notification(chain, notificationType="LOYALTY_LEVEL_CHANGED")))
    yield accept("unknown subtype and fields", chain.sign(notification(
        chain, subtype="HOLOGRAM", hologram={"a": [1, None, {"b": "ğüş 欧阳"}]})))
    yield accept("TEST without a transaction", chain.sign(notification(chain, notificationType="TEST", body={
        "data": {"appAppleId": APP_APPLE_ID, "bundleId": BUNDLE, "environment": "Production"}}, subtype=None)))
    yield accept("summary", chain.sign(notification(chain, notificationType="RENEWAL_EXTENSION", subtype="SUMMARY", body={
        "summary": {"appAppleId": APP_APPLE_ID, "bundleId": BUNDLE, "environment": "Production", "productId": "p",
                    "requestIdentifier": "efb27071-45a4-4aca-9854-2a1e9146f265", "storefrontCountryCodes": ["CAN"],
                    "succeededCount": 5, "failedCount": 2}})))
    yield accept("external purchase token", chain.sign(notification(
        chain, notificationType="EXTERNAL_PURCHASE_TOKEN", subtype="UNREPORTED", body={"externalPurchaseToken": {
            "appAppleId": APP_APPLE_ID, "bundleId": BUNDLE, "externalPurchaseId": "b2158121",
            "tokenCreationDate": NOW}})))
    yield accept("external purchase token of the sandbox", chain.sign(notification(
        chain, notificationType="EXTERNAL_PURCHASE_TOKEN", subtype="UNREPORTED", body={"externalPurchaseToken": {
            "bundleId": BUNDLE, "externalPurchaseId": "SANDBOX_b2158121", "tokenCreationDate": NOW}})))

    # Parts and encodings.
    token = chain.sign(honest)
    yield reject("empty", "")
    yield reject("three words", "a.b.c")
    yield reject("two parts", token.rsplit(".", 1)[0])
    yield reject("four parts", token + ".AAAA")
    yield reject("header is no JSON", base64url(b"{") + "." + token.split(".", 1)[1])
    yield reject("payload is no JSON", chain.sign(honest).split(".")[0] + "." + base64url(b"{\"a\":") + ".AAAA")
    yield reject("payload is a list", chain.sign([honest]))

    # Algorithms.
    yield reject("alg none", chain.sign(honest, algorithm="none"))
    yield reject("alg none without a signature", chain.sign(honest, algorithm="none").rsplit(".", 1)[0] + ".")
    yield reject("alg HS256 over the leaf", hs256(chain, honest))
    yield reject("alg ES384 signed with ES256", chain.sign(honest, algorithm="ES384"))
    p384 = Chain(root, leaf_curve=ec.SECP384R1())
    yield reject("alg ES384 with a P-384 leaf", p384.sign(notification(chain), algorithm="ES384"))
    yield reject("alg ES256 with a P-384 leaf", p384.sign(notification(chain)))
    yield reject("alg absent", chain.sign(honest, header={"x5c": chain.x5c}))

    # The encoding of the chain.
    yield reject("x5c absent", chain.sign(honest, header={"alg": "ES256"}))
    yield reject("x5c empty", chain.sign(honest, x5c=[]))
    yield reject("x5c of one", chain.sign(honest, x5c=chain.x5c[:1]))
    yield reject("x5c of two", chain.sign(honest, x5c=chain.x5c[:2]))
    yield reject("x5c of four", chain.sign(honest, x5c=chain.x5c + chain.x5c[2:]))
    yield accept("x5c[2] is garbage", chain.sign(honest, x5c=chain.x5c[:2] + ["garbage"]))
    yield accept("x5c[2] is another root", chain.sign(honest, x5c=chain.x5c[:2] + [foreign.x5c[2]]))
    yield reject("x5c[0] is bad base64", chain.sign(honest, x5c=["abc"] + chain.x5c[1:]))
    yield reject("x5c[1] is bad base64", chain.sign(honest, x5c=[chain.x5c[0], "abc", chain.x5c[2]]))
    yield reject("x5c[0] is no certificate", chain.sign(honest, x5c=["YWJj"] + chain.x5c[1:]))
    yield reject("x5c[1] is no certificate", chain.sign(honest, x5c=[chain.x5c[0], "YWJj", chain.x5c[2]]))
    in_url_letters = [base64.urlsafe_b64encode(der).decode() for der in chain.ders]
    while not set("-_") & set(in_url_letters[0]):
        chain = Chain(root)
        honest = notification(chain)
        in_url_letters = [base64.urlsafe_b64encode(der).decode() for der in chain.ders]
    yield reject("x5c in base64url", chain.sign(honest, x5c=in_url_letters))
    yield reject("x5c[0] with a line break", chain.sign(honest, x5c=[chain.x5c[0][:64] + "\n" + chain.x5c[0][64:]]
                 + chain.x5c[1:]))

    # The chain itself.
    yield reject("foreign root", foreign.sign(notification(foreign)))
    yield reject("foreign chain that shows our root", foreign.sign(
        notification(chain), x5c=foreign.x5c[:2] + [chain.x5c[2]]))
    yield reject("swapped leaf", chain.sign(honest, x5c=[foreign.x5c[0]] + chain.x5c[1:]))
    yield reject("foreign leaf and key under our intermediate", foreign.sign(
        notification(chain), x5c=[foreign.x5c[0]] + chain.x5c[1:]))
    yield reject("leaf and intermediate in the wrong order", chain.sign(
        honest, x5c=[chain.x5c[1], chain.x5c[0], chain.x5c[2]]))
    yield reject("intermediate left out for the root", chain.sign(
        honest, x5c=[chain.x5c[0], chain.x5c[2], chain.x5c[2]]))

    def bent(name, **arguments):
        other = Chain(root, **arguments)
        return reject(name, other.sign(notification(chain)))

    yield bent("leaf without its marker", leaf={"marker": None})
    yield bent("leaf with a neighbouring marker", leaf={"marker": x509.ObjectIdentifier("1.2.840.113635.100.6.11.2")})
    yield bent("intermediate without its marker", intermediate={"marker": None})
    yield bent("intermediate with a neighbouring marker", intermediate={
        "marker": x509.ObjectIdentifier("1.2.840.113635.100.6.2.2")})
    yield bent("intermediate that is no authority", intermediate={"authority": False, "usage": False})
    yield bent("intermediate that may not sign certificates", intermediate={"usage": False})
    yield bent("leaf expired at the signed date", leaf={"days": (-400, -1)})
    yield bent("leaf not yet valid at the signed date", leaf={"days": (1, 400)})
    yield bent("intermediate expired at the signed date", intermediate={"days": (-400, -1)})
    yield bent("intermediate not yet valid at the signed date", intermediate={"days": (1, 400)})
    old = Chain(root, leaf={"days": (-399, -100)})
    yield accept("leaf expired now, valid at the signed date", old.sign(notification(old, NOW - 200 * DAY)))
    yield reject("leaf expired now, no signed date", old.sign(notification(chain, signedDate=None)))
    yield reject("older than every certificate", chain.sign(notification(chain, NOW - 500 * DAY)))

    # Signatures.
    yield reject("tampered payload", tampered(token))
    yield reject("signature cut by a byte", with_signature(token, lambda raw: raw[:-1]))
    yield reject("signature cut in half", with_signature(token, lambda raw: raw[:32]))
    yield reject("signature empty", with_signature(token, lambda raw: b""))
    yield reject("signature longer by a byte", with_signature(token, lambda raw: raw + b"\0"))
    yield reject("signature of zeros", with_signature(token, lambda raw: bytes(64)))
    yield reject("signature in DER", with_signature(token, lambda raw: utils.encode_dss_signature(
        int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))))
    yield reject("signature with r and s swapped", with_signature(token, lambda raw: raw[32:] + raw[:32]))
    yield reject("foreign key under our chain", chain.sign(honest, key=foreign.key))
    yield reject("signature of another notification", token.rsplit(".", 1)[0] + "." + chain.sign(
        notification(chain)).rsplit(".", 1)[1])

    # App and environment.
    app, environment = "INVALID_APP_IDENTIFIER", "INVALID_ENVIRONMENT"
    yield reject("another bundle id", chain.sign(notification(chain, data={"bundleId": "com.example.other"})), app)
    yield reject("bundle id in other letters", chain.sign(notification(chain, data={"bundleId": BUNDLE.upper()})), app)
    yield reject("no bundle id", chain.sign(notification(chain, data={"bundleId": None})), app)
    yield reject("another Apple ID", chain.sign(notification(chain, data={"appAppleId": APP_APPLE_ID + 1})), app)
    yield reject("no Apple ID in production", chain.sign(notification(chain, data={"appAppleId": None})), app)
    yield reject("none of the four bodies", chain.sign(notification(chain, body={})), app)
    yield reject("environment Xcode", chain.sign(notification(chain, environment="Xcode")), environment)
    yield reject("environment LocalTesting", chain.sign(notification(chain, environment="LocalTesting")), environment)
    yield reject("environment unknown", chain.sign(notification(chain, environment="Moon")), environment)
    yield reject("environment absent", chain.sign(notification(chain, data={"environment": None})), environment)
    yield reject("another Apple ID of the environment Xcode", chain.sign(notification(
        chain, environment="Xcode", data={"bundleId": "com.example.other"})), app)

    # The inner tokens.
    yield reject("transaction of another app", chain.sign(notification(
        chain, in_transaction={"bundleId": "com.example.other"})), app)
    yield reject("transaction of the sandbox", chain.sign(notification(
        chain, in_transaction={"environment": "Sandbox"})), environment)
    yield reject("transaction of Xcode", chain.sign(notification(
        chain, in_transaction={"environment": "Xcode"})), environment)
    yield reject("renewal info of the sandbox", chain.sign(notification(
        chain, in_renewal={"environment": "Sandbox"})), environment)
    yield reject("inner tokens signed by a foreign chain", chain.sign(notification(chain, inner=foreign)))
    yield reject("transaction signed by a foreign key", chain.sign(notification(chain, data={
        "signedTransactionInfo": chain.sign(transaction(), key=foreign.key)})))
    yield reject("renewal info signed by a foreign key", chain.sign(notification(chain, data={
        "signedRenewalInfo": chain.sign(renewal(), key=foreign.key)})))
    yield reject("transaction with alg none", chain.sign(notification(chain, data={
        "signedTransactionInfo": chain.sign(transaction(), algorithm="none")})))
    yield reject("transaction is no JWS", chain.sign(notification(chain, data={"signedTransactionInfo": "a.b.c"})))
    yield accept("inner tokens signed by another leaf of the root", chain.sign(notification(
        chain, inner=Chain(root))))
    expired_inner = Chain(root, leaf={"days": (-400, -1)})
    yield reject("inner leaf expired at its signed date", chain.sign(notification(chain, inner=expired_inner)))
    yield accept("without a renewal info", chain.sign(notification(chain, data={"signedRenewalInfo": None})))

    # Checks that Apple's verifier leaves to the caller.
    yield stricter("signed ten minutes in the future", chain.sign(notification(chain, NOW + 600_000)))
    yield stricter("transaction signed a day in the future", chain.sign(notification(
        chain, in_transaction={"signedDate": NOW + DAY})))
    yield accept("signed a minute in the future", chain.sign(notification(chain, NOW + 60_000)))


def main():
    if len(sys.argv) != 2:
        print(__doc__)
        return 2
    directory = pathlib.Path(sys.argv[1])
    root = Chain.new_root()
    root_der = root[1].public_bytes(serialization.Encoding.DER)
    (directory / "root.der").write_bytes(root_der)
    (directory / "app.json").write_text(json.dumps({"bundleId": BUNDLE, "appAppleId": APP_APPLE_ID}))
    judge = Judge(root_der, BUNDLE, APP_APPLE_ID)
    passed = failed = 0
    with open(directory / "cases.jsonl", "w", encoding="utf-8") as file:
        for name, signed_payload, expected, code, stricter in cases(root):
            verdict, status = judge.verdict(signed_payload)
            semantic = status if status in ("INVALID_APP_IDENTIFIER", "INVALID_ENVIRONMENT") else None
            if (verdict, semantic) == (("accept", None) if stricter else (expected, code)):
                passed += 1
            else:
                failed += 1
                print(f"{name}: meant {expected} {code}, Apple's verifier says {verdict} {status}")
            file.write(json.dumps({
                "name": name, "signedPayload": signed_payload, "now": NOW, "expected": expected, "code": code,
                "stricter": stricter}) + "\n")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
