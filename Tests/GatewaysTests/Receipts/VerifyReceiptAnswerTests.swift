import Billing
import Foundation
import Testing

@testable import Gateways

@Suite("The body of an answer of verifyReceipt")
struct VerifyReceiptAnswerTests {
    @Test("numbers are texts, flags are texts, and dates come in three forms of which the milliseconds count")
    func texts() throws {
        let item = try purchase([
            "quantity": "2", "product_id": "p", "transaction_id": "1", "original_transaction_id": "1",
            "purchase_date": "nonsense", "purchase_date_ms": "1573407425000", "purchase_date_pst": "nonsense",
            "original_purchase_date": "2019-11-10 17:37:05 Etc/GMT", "expires_date": "1573407425999",
            "is_trial_period": "true", "is_in_intro_offer_period": "false", "is_upgraded": "true",
            "cancellation_date_ms": "1573407426000", "cancellation_reason": "1",
            "in_app_ownership_type": "FAMILY_SHARED",
            "subscription_group_identifier": "20", "promotional_offer_id": "", "offer_code_ref_name": "SPRING",
            "app_account_token": "7E3FB204-2EB0-4A5E-9A57-5D3C3F0E4F10", "web_order_line_item_id": "77",
        ])
        #expect(item.quantity == 2)
        #expect(item.purchasedAt == Date(timeIntervalSince1970: 1_573_407_425))
        #expect(item.originallyPurchasedAt == Date(timeIntervalSince1970: 1_573_407_425))
        #expect(item.expiresAt == Date(timeIntervalSince1970: 1_573_407_425.999))
        #expect(item.isTrial && !item.isIntroductoryOffer && item.isUpgraded && item.isFamilyShared)
        #expect(item.cancelledAt == Date(timeIntervalSince1970: 1_573_407_426))
        #expect(item.cancellationReason == 1)
        #expect(item.subscriptionGroupID == "20")
        #expect(item.promotionalOfferID == nil)
        #expect(item.webOrderLineItemID == "77")
        let transaction = item.storeTransaction
        #expect(transaction.price == nil)
        #expect(transaction.revocation == nil, "an upgrade is no refund")
        #expect(transaction.offer?.kind == .code)
        #expect(transaction.customerToken?.uuidString == "7E3FB204-2EB0-4A5E-9A57-5D3C3F0E4F10")
        #expect(transaction.isFamilyShared)
    }

    @Test("what was taken back is a revocation; a copy for another device is a restoration and no purchase")
    func meanings() throws {
        let refunded = try purchase([
            "product_id": "p", "transaction_id": "2", "purchase_date_ms": 1_573_407_425_000, "cancellation_reason": "0",
            "cancellation_date_ms": "1573407426000", "expires_date_ms": "1573407429000",
            "original_transaction_id": "1",
        ])
        #expect(refunded.storeTransaction.revocation?.reason == 0)
        #expect(refunded.storeTransaction.reason == .renewal)
        #expect(!refunded.isRestoration)
        let copy = try purchase([
            "product_id": "p", "transaction_id": "2", "original_transaction_id": "1",
            "purchase_date_ms": "1573407425000",
        ])
        #expect(copy.isRestoration)
        #expect(copy.storeTransaction.reason == nil)
        #expect(copy.storeTransaction.kind == .nonConsumable)
    }

    @Test("an item without id, product or date is missing something; one of another type is malformed")
    func broken() {
        let whole: JSON = ["product_id": "p", "transaction_id": "1", "purchase_date_ms": "1573407425000"]
        for name in ["product_id", "transaction_id", "purchase_date_ms"] {
            var item = whole
            item[name] = nil
            #expect(error(.missing) { _ = try purchase(item) }, "\(name)")
        }
        let wrong: [(String, JSON)] = [
            ("quantity", "many"), ("quantity", []), ("purchase_date_ms", "x"),
            ("purchase_date_ms", "99999999999999999"),
            ("purchase_date_ms", "999999999999999999999999"), ("expires_date", "soon"), ("expires_date", "a b c d"),
            ("expires_date", "2019-13-10 17:37:05 Etc/GMT"), ("is_trial_period", "maybe"), ("transaction_id", ["a": 1]),
            ("cancellation_reason", "x"),
        ]
        for (name, value) in wrong {
            var item = whole
            item[name] = value
            #expect(error(.malformed) { _ = try purchase(item) }, "\(name) \(value)")
        }
    }

    @Test(
        "a body that is no object with a status is malformed",
        arguments: ["", "[]", "{}", "{\"status\":\"x\"}", "nonsense"]
    )
    func noAnswer(_ body: String) {
        #expect(error(.malformed) { _ = try VerifyReceiptAnswer(Data(body.utf8)) })
    }

    @Test("a status may be a text, and lists may be missing, null, or hold something else")
    func lists() throws {
        let body: JSON = ["status": "0", "latest_receipt_info": .null, "pending_renewal_info": []]
        let answer = try VerifyReceiptAnswer(Data(body.bytes))
        #expect(answer.status == 0)
        var unreadable: [String] = []
        #expect(try answer.purchases(&unreadable).isEmpty)
        #expect(try answer.renewals(&unreadable).isEmpty)
        #expect(unreadable.isEmpty)
        #expect(
            error(.malformed) {
                _ = try VerifyReceiptAnswer(
                    Data(
                        JSON.object([.init(name: "status", value: 0), .init(name: "latest_receipt_info", value: 5)])
                            .bytes
                    )
                ).purchases(&unreadable)
            }
        )
    }

    @Test("an entry of a list that cannot be read is named, and keeps back no other")
    func oddEntries() throws {
        let good: JSON = ["transaction_id": "1", "product_id": "p", "purchase_date_ms": "1700000000000"]
        for odd: JSON in [
            "x", 7, [], ["transaction_id": 1], ["transaction_id": "2", "product_id": [], "purchase_date_ms": "x"],
        ] {
            let body: JSON = [
                "status": 0, "latest_receipt_info": [odd, good], "pending_renewal_info": [7, ["product_id": "p"]],
            ]
            var unreadable: [String] = []
            let answer = try VerifyReceiptAnswer(Data(body.bytes))
            #expect(try answer.purchases(&unreadable).map(\.transactionID) == ["1"])
            #expect(unreadable.count == 1)
            #expect(try answer.renewals(&unreadable).count == 1)
            #expect(unreadable.count == 2)
        }
    }

    @Test("whether a subscription renews may be unknown, which is not off")
    func unknownRenewal() throws {
        let body: JSON = ["status": 0, "pending_renewal_info": [["product_id": "p", "expiration_intent": "9"]]]
        var unreadable: [String] = []
        let renewal = try #require(try VerifyReceiptAnswer(Data(body.bytes)).renewals(&unreadable).first)
        #expect(renewal.renewsAutomatically == nil)
        #expect(renewal.terms.renewsAutomatically == nil)
        #expect(renewal.terms.expirationReason == .other)
        #expect(renewal.rawExpirationIntent == 9)
    }

    private func purchase(_ json: JSON) throws -> AppleReceiptPurchase {
        try AppleReceiptPurchase(LooseFields(json, of: "purchase"))
    }
}
