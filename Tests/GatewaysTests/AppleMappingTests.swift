import Billing
import Foundation
import Testing

@testable import Gateways

@Suite("Apple's words in the words of all stores")
struct AppleMappingTests {
    @Test("each of the 43 known pairings has its meaning", arguments: Pairing.all)
    func known(_ pairing: Pairing) throws {
        let notification = try read(TestNotification().of(pairing.type, pairing.subtype))
        #expect(notification.isKnown)
        #expect(try notification.event()?.kind == pairing.kind)
    }

    @Test("there are 43 of them, each once")
    func complete() {
        #expect(Pairing.all.count == 43)
        #expect(Set(Pairing.all.map { "\($0.type)/\($0.subtype ?? "")" }).count == 43)
        #expect(Set(Pairing.all.map(\.type)) == Set(AppleNotificationType.allCases.map(\.rawValue)))
        #expect(
            Set(Pairing.all.compactMap(\.subtype)) == Set(AppleNotificationSubtype.allCases.map(\.rawValue))
        )
    }

    @Test(
        "what Apple adds later is kept in its own words and is no event",
        arguments: [
            ("LOYALTY_LEVEL_CHANGED", nil), ("LOYALTY_LEVEL_CHANGED", "UPGRADE"), ("DID_RENEW", "FROM_GIFT_CARD"),
            ("DID_CHANGE_RENEWAL_STATUS", nil), ("EXPIRED", "UPGRADE"), ("REFUND", "PARTIAL"),
        ]
    )
    func unknown(type: String, subtype: String?) throws {
        let notification = try read(TestNotification().of(type, subtype))
        #expect(!notification.isKnown)
        #expect(notification.rawType == type)
        #expect(notification.rawSubtype == subtype)
        #expect(try notification.event() == nil)
    }

    @Test(
        "older documents' redeemed offers are purchases",
        arguments: [("INITIAL_BUY", StoreEvent.Kind.subscribed), ("RESUBSCRIBE", .resubscribed)]
    )
    func olderOffers(subtype: String, kind: StoreEvent.Kind) throws {
        #expect(try read(TestNotification().of("OFFER_REDEEMED", subtype)).event()?.kind == kind)
    }

    @Test("an event carries the notification's id in lower case, its date, environment, transaction and terms")
    func fields() throws {
        let event = try #require(try read(TestNotification()).event())
        let cny = try #require(Currency("CNY"))
        #expect(event.id == "002e14d5-51f5-4503-b5a8-c3a1af68eb20")
        #expect(event.store == .apple)
        #expect(event.environment == .production)
        #expect(event.signedAt == Date(timeIntervalSince1970: 1_750_000_000))
        #expect(
            event.transaction
                == StoreTransaction(
                    id: "300000000000001",
                    originalID: "300000000000000",
                    productID: "com.example.pro.monthly",
                    purchasedAt: Date(timeIntervalSince1970: 1_750_000_000),
                    expiresAt: Date(timeIntervalSince1970: 1_752_592_000),
                    price: Money(minorUnits: 1_800, currency: cny),
                    reason: .purchase,
                    customerToken: UUID(uuidString: "7e3fb204-2eb0-4a5e-9a57-5d3c3f0e4f10"),
                    storefront: "CHN",
                    purchaseID: "300000000000009"
                )
        )
        #expect(
            event.renewal
                == RenewalTerms(
                    renewsAutomatically: true,
                    nextProductID: "com.example.pro.monthly",
                    renewsAt: Date(timeIntervalSince1970: 1_752_592_000),
                    renewalPrice: Money(minorUnits: 1_800, currency: cny)
                )
        )
    }

    @Test(
        "prices in thousandths become minor units of their currency",
        arguments: [
            (9_990, "USD", 999), (18_000, "CNY", 1_800), (400_000, "JPY", 400), (1_500, "KWD", 1_500), (0, "EUR", 0),
            (10_005, "USD", 1_001),
        ]
    )
    func prices(milliunits: Int64, code: String, minorUnits: Int64) throws {
        let event = try read(with: ["price": .integer(milliunits), "currency": .string(code)]).event()
        #expect(event?.transaction.price == Money(minorUnits: minorUnits, currency: try #require(Currency(code))))
    }

    @Test("a price without a currency is not known yet; one that no book takes is an error, never a silent nothing")
    func unusablePrices() throws {
        for unknown in [
            ["price": nil, "currency": nil], ["price": 0, "currency": nil], ["currency": nil], ["currency": ""],
            ["currency": "yuan"],
        ] as [[String: JSON?]] {
            let event = try #require(try read(with: unknown).event())
            #expect(event.transaction.price == nil)
        }
        #expect(error(.malformed) { _ = try self.read(with: ["price": .integer(.max), "currency": "CLF"]).event() })
    }

    @Test(
        "a price or a date beyond what the books take is an error of its message",
        arguments: [
            ["price": .integer(.max)], ["price": .integer(.min)], ["price": .integer(100_000_000_000_010)],
            ["expiresDate": 253_402_300_799_000], ["purchaseDate": -62_135_596_800_000],
            ["revocationDate": 32_503_680_000_000],
        ] as [[String: JSON?]]
    )
    func absurd(fields: [String: JSON?]) throws {
        let notification = try read(with: fields)
        #expect(error(.malformed) { _ = try notification.event() })
    }

    @Test(
        "each product type has its kind; an unknown one is told by its group and its end",
        arguments: [
            (["type": "Consumable"], StoreTransaction.Kind.consumable),
            (["type": "Non-Consumable"], .nonConsumable),
            (["type": "Non-Renewing Subscription"], .nonRenewing),
            (["type": "Hologram"], .autoRenewable),
            (["type": "Hologram", "subscriptionGroupIdentifier": nil], .nonRenewing),
            (["type": nil, "subscriptionGroupIdentifier": nil, "expiresDate": nil], .nonConsumable),
        ] as [([String: JSON?], StoreTransaction.Kind)]
    )
    func kinds(fields: [String: JSON?], kind: StoreTransaction.Kind) throws {
        #expect(try read(with: fields).event()?.transaction.kind == kind)
    }

    @Test("family sharing, quantities, offers and revocations come along")
    func everything() throws {
        let transaction = try #require(
            try read(with: [
                "inAppOwnershipType": "FAMILY_SHARED", "quantity": 3, "offerType": 3,
                "offerIdentifier": "SUMMER", "offerDiscountType": "FREE_TRIAL", "revocationDate": 1_750_000_001_000,
                "revocationReason": 1, "revocationType": "REFUND_PRORATED", "revocationPercentage": 50_000,
                "transactionReason": "RENEWAL",
            ]).event()
        ).transaction
        #expect(transaction.isFamilyShared)
        #expect(transaction.quantity == 3)
        #expect(transaction.reason == .renewal)
        #expect(transaction.offer == StoreTransaction.Offer(kind: .code, identifier: "SUMMER", isFreeTrial: true))
        #expect(
            transaction.revocation
                == StoreTransaction.Revocation(
                    at: Date(timeIntervalSince1970: 1_750_000_001),
                    reason: 1,
                    milliPercent: 50_000
                )
        )
        let unknownOffer = try read(with: ["offerType": 9]).event()?.transaction.offer
        #expect(unknownOffer == StoreTransaction.Offer(kind: nil, identifier: nil, isFreeTrial: false))
    }

    @Test(
        "why it ended is Apple's intent, or else the subtype",
        arguments: [
            (1, "VOLUNTARY", ExpirationReason.cancelled), (2, "BILLING_RETRY", .billingError),
            (3, "PRICE_INCREASE", .priceIncreaseRefused), (4, "PRODUCT_NOT_FOR_SALE", .productUnavailable),
            (5, nil, .other), (6, nil, .other), (nil, "VOLUNTARY", .cancelled), (nil, "BILLING_RETRY", .billingError),
            (nil, "PRICE_INCREASE", .priceIncreaseRefused), (nil, "PRODUCT_NOT_FOR_SALE", .productUnavailable),
            (nil, nil, .other),
        ] as [(Int64?, String?, ExpirationReason)]
    )
    func reasons(intent: Int64?, subtype: String?, reason: ExpirationReason) throws {
        var notification = TestNotification().of("EXPIRED", subtype)
        notification.renewal?["expirationIntent"] = intent.map { .integer($0) }
        #expect(try read(notification).event()?.renewal?.expirationReason == reason)
    }

    @Test("grace, retry and the price's consent come along")
    func terms() throws {
        var notification = TestNotification().of("DID_FAIL_TO_RENEW", "GRACE_PERIOD")
        notification.renewal?["gracePeriodExpiresDate"] = 1_750_900_000_000
        notification.renewal?["isInBillingRetryPeriod"] = true
        notification.renewal?["priceIncreaseStatus"] = 0
        notification.renewal?["autoRenewStatus"] = 0
        let terms = try #require(try read(notification).event()?.renewal)
        #expect(terms.gracePeriodEndsAt == Date(timeIntervalSince1970: 1_750_900_000))
        #expect(terms.isInBillingRetry)
        #expect(terms.priceIncreaseAccepted == false)
        #expect(terms.renewsAutomatically == false)
        #expect(terms.expirationReason == nil)
    }

    @Test("what Apple does not say of the renewal is unknown, and its own account of the status comes along")
    func status() throws {
        var notification = TestNotification()
        notification.renewal?["autoRenewStatus"] = nil
        for (status, meaning) in [
            (1, StoreEvent.Status.active), (2, .expired), (3, .billingRetry), (4, .gracePeriod), (5, .revoked),
            (6, nil),
        ] {
            notification.data["status"] = .integer(Int64(status))
            let event = try #require(try read(notification).event())
            #expect(event.status == meaning)
            #expect(event.renewal?.renewsAutomatically == nil)
        }
    }

    @Test("an introductory period that costs nothing is a trial, also where Apple names no kind of discount")
    func freeIntroduction() throws {
        #expect(try offer(["offerType": 1, "price": 0, "offerDiscountType": nil])?.isFreeTrial == true)
        #expect(try offer(["offerType": 1, "price": 9_000, "offerDiscountType": nil])?.isFreeTrial == false)
        #expect(try offer(["offerType": 2, "price": 0, "offerDiscountType": nil])?.isFreeTrial == false)
        #expect(try offer(["offerType": 1, "price": 0, "offerDiscountType": "PAY_UP_FRONT"])?.isFreeTrial == false)
    }

    private func offer(_ fields: [String: JSON?]) throws -> StoreTransaction.Offer? {
        try read(with: fields).event()?.transaction.offer
    }

    @Test("an event without a transaction, or without its ids, is missing something")
    func missing() throws {
        var none = TestNotification()
        none.transaction = nil
        #expect(error(.missing) { _ = try self.read(none).event() })
        for name in ["transactionId", "originalTransactionId", "productId", "purchaseDate"] {
            #expect(error(.missing) { _ = try self.read(with: [name: nil]).event() })
        }
    }

    private func read(with fields: [String: JSON?]) throws -> AppleNotification {
        var notification = TestNotification()
        for (name, value) in fields { notification.transaction?[name] = value }
        return try read(notification)
    }

    private func read(_ notification: TestNotification) throws -> AppleNotification {
        var payload = notification.payload
        payload["data"] = notification.data
        return try AppleNotification(
            payload: payload,
            body: AppleNotification.Body(payload),
            transaction: notification.transaction,
            renewal: notification.renewal,
            appTransaction: nil
        )
    }
}
