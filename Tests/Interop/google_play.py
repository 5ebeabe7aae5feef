#!/usr/bin/env python3
"""Judges the simulated Google Play: google-api-python-client must get through every call about purchases and orders, and google-auth
must get tokens and believe those that are pushed, and no others.

usage: google_play.py DIRECTORY

DIRECTORY holds google.json: url, packageName, audience, token, order, renewal, otherToken, onceToken, onceOrder, onceProduct, voided,
refundable, kept, pushToken and forgedToken; and service_account.json, the file of the app's service account.
Exit code: 0 all as Google's clients expect it, 1 something is not. The last line is `N passed, N failed`.
"""

import json
import pathlib
import sys

import google.auth.exceptions
import google.auth.transport.requests
from google.oauth2 import id_token, service_account
from googleapiclient.discovery import build
from googleapiclient.errors import HttpError

passed = failed = 0


def expect(name, seen, wanted):
    global passed, failed
    if seen == wanted:
        passed += 1
    else:
        failed += 1
        print(f"{name}: {seen!r} instead of {wanted!r}")


def refusal(request):
    try:
        request.execute()
    except HttpError as error:
        return error.status_code, error.error_details[0]["reason"] if error.error_details else None
    return None


def believed(token, known, audience=None):
    try:
        claims = id_token.verify_token(
            token,
            google.auth.transport.requests.Request(),
            audience=audience or known["audience"],
            certs_url=known["url"] + "/oauth2/v1/certs",
        )
    except (ValueError, google.auth.exceptions.GoogleAuthError):
        return None
    return claims["email"]


def judge_subscriptions(purchases, known):
    app = known["packageName"]
    name = {"packageName": app, "token": known["token"]}
    v2 = purchases.subscriptionsv2()
    seen = v2.get(**name).execute()
    expect("state", seen["subscriptionState"], "SUBSCRIPTION_STATE_ACTIVE")
    expect("kind", seen["kind"], "androidpublisher#subscriptionPurchaseV2")
    expect("order", seen["lineItems"][0]["latestSuccessfulOrderId"], known["renewal"])
    expect("price", seen["lineItems"][0]["autoRenewingPlan"]["recurringPrice"]["units"], "9")
    expect("waits", seen["acknowledgementState"], "ACKNOWLEDGEMENT_STATE_PENDING")
    old = purchases.subscriptions()
    expect("acknowledge", old.acknowledge(subscriptionId="pro", body={}, **name).execute(), b"")
    expect("knows", v2.get(**name).execute()["acknowledgementState"], "ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED")
    other = {"packageName": app, "token": "nobody/1"}
    expect("unknown", refusal(v2.get(**other)), (404, "purchaseTokenNotFound"))
    expect("other app", refusal(v2.get(packageName="com.example.other", token=known["token"]))[0], 404)
    context = {"deferDuration": "86400s", "etag": "nobody's", "validateOnly": False}
    expect("other etag", refusal(v2.defer(body={"deferralContext": context}, **name))[0], 409)
    context["etag"] = v2.get(**name).execute()["etag"]
    moved = v2.defer(body={"deferralContext": context}, **name).execute()
    expect("deferred", moved["itemExpiryTimeDetails"][0]["productId"], "pro")
    expect("moved", v2.get(**name).execute()["lineItems"][0]["expiryTime"], moved["itemExpiryTimeDetails"][0]["expiryTime"])
    stop = {"cancellationContext": {"cancellationType": "USER_REQUESTED_STOP_RENEWALS"}}
    expect("cancel", v2.cancel(body=stop, **name).execute(), {})
    expect("cancelled", v2.get(**name).execute()["subscriptionState"], "SUBSCRIPTION_STATE_CANCELED")
    expect("revoke", v2.revoke(body={"revocationContext": {"fullRefund": {}}}, **name).execute(), {})
    expect("revoked", v2.get(**name).execute()["subscriptionState"], "SUBSCRIPTION_STATE_EXPIRED")
    before = {"packageName": app, "token": known["otherToken"], "subscriptionId": "basic"}
    info = {"deferralInfo": {"expectedExpiryTimeMillis": "1", "desiredExpiryTimeMillis": "4102444800000"}}
    expect("old defer", old.defer(body=info, **before).execute()["newExpiryTimeMillis"], "4102444800000")
    expect("old cancel", old.cancel(**before).execute(), b"")


def judge_products(purchases, known):
    name = {"packageName": known["packageName"], "token": known["onceToken"]}
    seen = purchases.productsv2().getproductpurchasev2(**name).execute()
    expect("bought", seen["purchaseStateContext"]["purchaseState"], "PURCHASED")
    expect("its order", seen["orderId"], known["onceOrder"])
    name["productId"] = known["onceProduct"]
    products = purchases.products()
    expect("bought, as before", products.get(**name).execute()["purchaseState"], 0)
    expect("acknowledge it", products.acknowledge(body={}, **name).execute(), b"")
    expect("consume it", products.consume(**name).execute(), b"")
    seen = purchases.productsv2().getproductpurchasev2(packageName=known["packageName"], token=known["onceToken"]).execute()
    offer = seen["productLineItem"][0]["productOfferDetails"]
    expect("consumed", offer["consumptionState"], "CONSUMPTION_STATE_CONSUMED")


def judge_orders(api, known):
    app = known["packageName"]
    orders = api.orders()
    seen = orders.get(packageName=app, orderId=known["order"]).execute()
    expect("total", seen["total"], {"currencyCode": "EUR", "units": "9", "nanos": 990000000})
    expect("token", seen["purchaseToken"], known["token"])
    both = orders.batchget(packageName=app, orderIds=[known["order"], known["renewal"]]).execute()["orders"]
    expect("both", [order["orderId"] for order in both], [known["order"], known["renewal"]])
    expect("one unknown", refusal(orders.batchget(packageName=app, orderIds=[known["order"], "GPA.0"]))[0], 404)
    expect("unknown order", refusal(orders.get(packageName=app, orderId="GPA.0")), (404, "orderNotFound"))
    review = {"pendingRefundToken": "r", "refundPreference": "DECLINE", "sampleContentProvided": True}
    expect("review", orders.reviewrefund(packageName=app, orderId=known["kept"], body=review).execute(), "")
    expect("refund", orders.refund(packageName=app, orderId=known["kept"], revoke=False).execute(), "")
    expect("refunded", orders.get(packageName=app, orderId=known["kept"]).execute()["state"], "REFUNDED")
    expect("refund again", refusal(orders.refund(packageName=app, orderId=known["kept"]))[0], 400)
    expect("refund and revoke", orders.refund(packageName=app, orderId=known["refundable"], revoke=True).execute(), "")


def judge_voided(purchases, known):
    seen = purchases.voidedpurchases().list(packageName=known["packageName"], type=1).execute()
    expect("voided", known["voided"] in [entry["orderId"] for entry in seen["voidedPurchases"]], True)
    page = purchases.voidedpurchases().list(packageName=known["packageName"], type=1, maxResults=1).execute()
    expect("a page", len(page["voidedPurchases"]), 1)
    expect("too early", refusal(purchases.voidedpurchases().list(packageName=known["packageName"], startTime="1"))[0], 400)


def main():
    folder = pathlib.Path(sys.argv[1])
    known = json.loads((folder / "google.json").read_text(encoding="utf-8"))
    credentials = service_account.Credentials.from_service_account_file(
        str(folder / "service_account.json"), scopes=["https://www.googleapis.com/auth/androidpublisher"]
    )
    api = build(
        "androidpublisher",
        "v3",
        credentials=credentials,
        static_discovery=True,
        client_options={"api_endpoint": known["url"]},
    )
    judge_orders(api, known)
    judge_subscriptions(api.purchases(), known)
    judge_products(api.purchases(), known)
    judge_voided(api.purchases(), known)
    expect("has a token", bool(credentials.token), True)
    expect("pushed by", believed(known["pushToken"], known), "pubsub-push@sim.iam.gserviceaccount.com")
    expect("for another", believed(known["pushToken"], known, "https://other.test"), None)
    expect("forged", believed(known["forgedToken"], known), None)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
