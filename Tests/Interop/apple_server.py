#!/usr/bin/env python3
"""Judges the simulated App Store Server API: Apple's own client, sync and async, must get through every call.

usage: apple_server.py DIRECTORY

DIRECTORY holds root.der, the key as AuthKey.p8, and server.json: url, sandboxUrl, issuerId, keyId, bundleId, appAppleId,
transactionIds (of two subscriptions that are active, one for each client), refundedTransactionId, sandboxTransactionId, and
notifications, how many the history must have.
Exit code: 0 all as Apple documents it, 1 something is not. The last line is `N passed, N failed`.
"""

import asyncio
import json
import pathlib
import sys
import time
import uuid

from appstoreserverlibrary.api_client import (
    APIError, APIException, AppStoreServerAPIClient, AsyncAppStoreServerAPIClient, GetTransactionHistoryVersion)
from appstoreserverlibrary.models.AccountTenure import AccountTenure
from appstoreserverlibrary.models.ConsumptionRequest import ConsumptionRequest
from appstoreserverlibrary.models.ConsumptionRequestV1 import ConsumptionRequestV1
from appstoreserverlibrary.models.DeliveryStatus import DeliveryStatus
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.models.ExtendReasonCode import ExtendReasonCode
from appstoreserverlibrary.models.ExtendRenewalDateRequest import ExtendRenewalDateRequest
from appstoreserverlibrary.models.InAppOwnershipType import InAppOwnershipType
from appstoreserverlibrary.models.MassExtendRenewalDateRequest import MassExtendRenewalDateRequest
from appstoreserverlibrary.models.NotificationHistoryRequest import NotificationHistoryRequest
from appstoreserverlibrary.models.NotificationTypeV2 import NotificationTypeV2
from appstoreserverlibrary.models.OrderLookupStatus import OrderLookupStatus
from appstoreserverlibrary.models.RefundPreference import RefundPreference
from appstoreserverlibrary.models.SendAttemptResult import SendAttemptResult
from appstoreserverlibrary.models.Status import Status
from appstoreserverlibrary.models.TransactionHistoryRequest import Order, ProductType, TransactionHistoryRequest
from appstoreserverlibrary.models.UpdateAppAccountTokenRequest import UpdateAppAccountTokenRequest
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier

V1, V2 = GetTransactionHistoryVersion.V1, GetTransactionHistoryVersion.V2
passed = failed = 0


def expect(name, condition, seen=""):
    global passed, failed
    if condition:
        passed += 1
    else:
        failed += 1
        print(f"{name}: {seen}")


class Sync:
    """The synchronous client with the asynchronous one's interface, so that one script runs both."""

    def __init__(self, client):
        self._client = client

    def __getattr__(self, name):
        method = getattr(self._client, name)

        async def call(*arguments):
            return method(*arguments)

        return call


async def refused(name, call, code):
    try:
        await call
        expect(name, False, "was not refused")
    except APIException as error:
        expect(name, error.raw_api_error == code and error.http_status_code == code // 10000,
               f"{error.http_status_code} {error.raw_api_error} {error.error_message}")


async def judge(kind, client, verifier, server, transaction_id):

    def name(call):
        return f"{kind} {call}"

    # Purchases of a customer.
    info = await client.get_transaction_info(transaction_id)
    transaction = verifier.verify_and_decode_signed_transaction(info.signedTransactionInfo)
    original_id = transaction.originalTransactionId
    expect(name("transaction info"), transaction.transactionId == transaction_id, transaction.transactionId)
    await refused(name("unknown transaction"), client.get_transaction_info("999999"), APIError.TRANSACTION_ID_NOT_FOUND)
    await refused(name("no transaction id"), client.get_transaction_info("x"), APIError.INVALID_TRANSACTION_ID)
    for version in (V1, V2):
        seen, revision, pages = [], None, 0
        while True:
            page = await client.get_transaction_history(transaction_id, revision, TransactionHistoryRequest(), version)
            seen += [verifier.verify_and_decode_signed_transaction(text) for text in page.signedTransactions]
            expect(name("page"), len(page.signedTransactions) <= 20 and page.bundleId == server["bundleId"])
            revision, pages = page.revision, pages + 1
            if not page.hasMore:
                break
        ids = [transaction.transactionId for transaction in seen]
        expect(name("history"), transaction_id in ids and len(ids) == len(set(ids)), ids)
        expect(name("pages"), pages == -(-len(ids) // 20), pages)
    narrow = TransactionHistoryRequest(
        startDate=transaction.purchaseDate, endDate=transaction.purchaseDate + 1, productIds=[transaction.productId],
        productTypes=[ProductType.AUTO_RENEWABLE, ProductType.CONSUMABLE], sort=Order.DESCENDING,
        subscriptionGroupIdentifiers=[transaction.subscriptionGroupIdentifier],
        inAppOwnershipType=InAppOwnershipType.PURCHASED, revoked=False)
    page = await client.get_transaction_history(transaction_id, None, narrow, V2)
    expect(name("narrow history"), len(page.signedTransactions) == 1, page)
    narrow.revoked = True
    page = await client.get_transaction_history(transaction_id, None, narrow, V2)
    expect(name("revoked history"), page.signedTransactions == [], page)
    await refused(name("no revision"), client.get_transaction_history(transaction_id, "x", narrow, V2),
                  APIError.INVALID_REQUEST_REVISION)
    backwards = TransactionHistoryRequest(startDate=2, endDate=1)
    await refused(name("backwards"), client.get_transaction_history(transaction_id, None, backwards, V2),
                  APIError.START_DATE_AFTER_END_DATE)
    app = await client.get_app_transaction_info(transaction_id)
    app = verifier.verify_and_decode_app_transaction(app.signedAppTransactionInfo)
    expect(name("app transaction"), app.bundleId == server["bundleId"], app)
    refunds = await client.get_refund_history(server["refundedTransactionId"], None)
    refunded = [verifier.verify_and_decode_signed_transaction(text) for text in refunds.signedTransactions]
    expect(name("refunds"), refunded and all(one.revocationDate for one in refunded), refunded)
    order = await client.look_up_order_id("M" + transaction_id)
    expect(name("order"), order.status == OrderLookupStatus.VALID and len(order.signedTransactions) == 1, order)
    order = await client.look_up_order_id("M1")
    expect(name("no order"), order.status == OrderLookupStatus.INVALID and not order.signedTransactions, order)

    # Statuses of subscriptions.
    statuses = await client.get_all_subscription_statuses(transaction_id, [Status.ACTIVE, Status.EXPIRED])
    last = [one for group in statuses.data for one in group.lastTransactions if one.originalTransactionId == original_id]
    expect(name("statuses"), len(last) == 1 and last[0].status == Status.ACTIVE, statuses)
    renewal = verifier.verify_and_decode_renewal_info(last[0].signedRenewalInfo)
    expect(name("renewal"), renewal.originalTransactionId == original_id, renewal)
    statuses = await client.get_all_subscription_statuses(transaction_id, [Status.REVOKED])
    expect(name("no such status"), all(not group.lastTransactions for group in statuses.data), statuses)

    # Renewal extensions: the same request has no further effect.
    extension = ExtendRenewalDateRequest(extendByDays=7, extendReasonCode=ExtendReasonCode.SERVICE_ISSUE_OR_OUTAGE,
                                         requestIdentifier=f"{kind}-one")
    first = await client.extend_subscription_renewal_date(original_id, extension)
    again = await client.extend_subscription_renewal_date(original_id, extension)
    expect(name("extension"), first.success and first.effectiveDate == again.effectiveDate, (first, again))
    info = await client.get_transaction_info(transaction_id)
    later = verifier.verify_and_decode_signed_transaction(info.signedTransactionInfo)
    expect(name("extended"), later.expiresDate == first.effectiveDate, later.expiresDate)
    await refused(name("days"), client.extend_subscription_renewal_date(original_id, ExtendRenewalDateRequest(
        extendByDays=91, extendReasonCode=ExtendReasonCode.OTHER, requestIdentifier="x")), APIError.INVALID_EXTEND_BY_DAYS)
    await refused(name("unknown original"), client.extend_subscription_renewal_date("999999", extension),
                  APIError.ORIGINAL_TRANSACTION_ID_NOT_FOUND)
    mass = MassExtendRenewalDateRequest(
        extendByDays=1, extendReasonCode=ExtendReasonCode.OTHER, requestIdentifier=f"{kind}-mass",
        productId=transaction.productId, storefrontCountryCodes=[transaction.storefront])
    accepted = await client.extend_renewal_date_for_all_active_subscribers(mass)
    expect(name("mass extension"), accepted.requestIdentifier == mass.requestIdentifier, accepted)
    status = await client.get_status_of_subscription_renewal_date_extensions(mass.requestIdentifier, mass.productId)
    expect(name("mass status"), status.complete and status.succeededCount >= 1, status)
    await refused(name("unknown mass"), client.get_status_of_subscription_renewal_date_extensions("x", mass.productId),
                  APIError.STATUS_REQUEST_NOT_FOUND)

    # Data that Apple gets.
    token = uuid.uuid4()
    await client.set_app_account_token(original_id, UpdateAppAccountTokenRequest(appAccountToken=str(token)))
    info = await client.get_transaction_info(transaction_id)
    own = verifier.verify_and_decode_signed_transaction(info.signedTransactionInfo)
    expect(name("app account token"), own.appAccountToken == str(token), own.appAccountToken)
    await refused(name("no token"), client.set_app_account_token(
        original_id, UpdateAppAccountTokenRequest(appAccountToken="x")), APIError.INVALID_APP_ACCOUNT_TOKEN_UUID_ERROR)
    told = ConsumptionRequest(customerConsented=True, sampleContentProvided=False,
                              deliveryStatus=DeliveryStatus.DELIVERED, refundPreference=RefundPreference.DECLINE)
    await client.send_consumption_information(transaction_id, told)
    await refused(name("no consent"), client.send_consumption_information(transaction_id, ConsumptionRequest(
        customerConsented=False, sampleContentProvided=False, deliveryStatus=DeliveryStatus.DELIVERED)),
        APIError.INVALID_CUSTOMER_CONSENTED)
    await refused(name("percentage of a subscription"), client.send_consumption_information(
        transaction_id, ConsumptionRequest(
            customerConsented=True, sampleContentProvided=False, deliveryStatus=DeliveryStatus.DELIVERED,
            consumptionPercentage=5000)), 4000209)
    await client.send_consumption_data(transaction_id, ConsumptionRequestV1(
        customerConsented=True, sampleContentProvided=False, appAccountToken=str(token),
        accountTenure=AccountTenure.TEN_DAYS_TO_THIRTY_DAYS))
    await client.finish_transaction(transaction_id)

    # Notifications that Apple sent.
    now = int(time.time() * 1000)
    request = NotificationHistoryRequest(startDate=now - 170 * 86_400_000, endDate=now + 60_000)
    uuids, token, pages = set(), None, 0
    while True:
        page = await client.get_notification_history(token, request)
        for sent in page.notificationHistory:
            uuids.add(verifier.verify_and_decode_notification(sent.signedPayload).notificationUUID)
        token, pages = page.paginationToken, pages + 1
        if not page.hasMore:
            break
    expect(name("notifications"), len(uuids) >= server["notifications"] and pages > 1, (len(uuids), pages))
    request.notificationType = NotificationTypeV2.DID_RENEW
    page = await client.get_notification_history(None, request)
    types = {verifier.verify_and_decode_notification(sent.signedPayload).notificationType
             for sent in page.notificationHistory}
    expect(name("of a type"), types == {NotificationTypeV2.DID_RENEW}, types)
    request.transactionId = transaction_id
    await refused(name("two filters"), client.get_notification_history(None, request),
                  APIError.MULTIPLE_FILTERS_SUPPLIED)
    await refused(name("too early"), client.get_notification_history(
        None, NotificationHistoryRequest(startDate=now - 181 * 86_400_000, endDate=now)),
        APIError.START_DATE_TOO_FAR_IN_PAST)
    asked = await client.request_test_notification()
    for _ in range(100):
        try:
            status = await client.get_test_notification_status(asked.testNotificationToken)
            break
        except APIException as error:
            if error.api_error != APIError.TEST_NOTIFICATION_NOT_FOUND:
                raise
            await asyncio.sleep(0.05)
    test = verifier.verify_and_decode_notification(status.signedPayload)
    results = [attempt.sendAttemptResult for attempt in status.sendAttempts]
    expect(name("test"), test.notificationType == NotificationTypeV2.TEST and results == [SendAttemptResult.SUCCESS],
           (test, results))
    await refused(name("no test"), client.get_test_notification_status(str(uuid.uuid4())),
                  APIError.TEST_NOTIFICATION_NOT_FOUND)


async def judge_sandbox(client, verifier, server):
    transaction_id = server["sandboxTransactionId"]
    info = await client.get_transaction_info(transaction_id)
    transaction = verifier.verify_and_decode_signed_transaction(info.signedTransactionInfo)
    expect("sandbox transaction", transaction.transactionId == transaction_id, transaction.transactionId)
    page = await client.get_transaction_history(transaction_id, None, TransactionHistoryRequest(), V2)
    expect("sandbox history", page.environment == Environment.SANDBOX and page.signedTransactions, page)
    app = await client.get_app_transaction_info(transaction_id)
    app = verifier.verify_and_decode_app_transaction(app.signedAppTransactionInfo)
    expect("sandbox app transaction", app.receiptType == Environment.SANDBOX and app.appAppleId is None, app)
    statuses = await client.get_all_subscription_statuses(transaction_id)
    expect("sandbox statuses", statuses.environment == Environment.SANDBOX and statuses.data, statuses)
    await refused("production transaction", client.get_transaction_info(server["transactionIds"][0]),
                  APIError.TRANSACTION_ID_NOT_FOUND)
    try:
        await client.look_up_order_id("M" + transaction_id)
        expect("sandbox order", False, "was looked up")
    except APIException as error:
        expect("sandbox order", error.http_status_code == 404 and error.raw_api_error is None, error.raw_api_error)
    now = int(time.time() * 1000)
    await refused("sandbox too early", client.get_notification_history(
        None, NotificationHistoryRequest(startDate=now - 31 * 86_400_000, endDate=now)),
        APIError.START_DATE_TOO_FAR_IN_PAST)


async def main():
    if len(sys.argv) != 2:
        print(__doc__)
        return 2
    folder = pathlib.Path(sys.argv[1])
    server = json.loads((folder / "server.json").read_text())
    verifier = SignedDataVerifier(
        [(folder / "root.der").read_bytes()], False, Environment.PRODUCTION, server["bundleId"], server["appAppleId"])
    key = (folder / "AuthKey.p8").read_bytes()
    arguments = (key, server["keyId"], server["issuerId"], server["bundleId"], Environment.PRODUCTION)
    sync, other = AppStoreServerAPIClient(*arguments), AsyncAppStoreServerAPIClient(*arguments)
    # There is no public setting for it.
    sync._base_url = other._base_url = server["url"]
    first, second = server["transactionIds"]
    await judge("sync", Sync(sync), verifier, server, first)
    await judge("async", other, verifier, server, second)
    await other.async_close()

    sandbox = AppStoreServerAPIClient(*arguments[:4], Environment.SANDBOX)
    sandbox._base_url = server["sandboxUrl"]
    await judge_sandbox(Sync(sandbox), SignedDataVerifier(
        [(folder / "root.der").read_bytes()], False, Environment.SANDBOX, server["bundleId"]), server)

    stranger = AppStoreServerAPIClient(key, server["keyId"], "another issuer", server["bundleId"], Environment.PRODUCTION)
    stranger._base_url = server["url"]
    try:
        stranger.get_transaction_info(first)
        expect("stranger", False, "was let in")
    except APIException as error:
        expect("stranger", error.http_status_code == 401 and error.raw_api_error is None, error.http_status_code)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
