import Billing
import Foundation
import Testing

@testable import Storage

@Suite("the events' own JSON")
struct EventJSONTests {
    @Test("writes what Codable reads", arguments: events)
    func written(_ event: StoreEvent) throws {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .millisecondsSince1970
        #expect(try decoder.decode(StoreEvent.self, from: Data(EventJSON.text(of: event).utf8)) == event)
    }

    @Test("reads what Codable writes", arguments: events)
    func read(_ event: StoreEvent) throws {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .millisecondsSince1970
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        #expect(try EventJSON.event(from: String(decoding: encoder.encode(event), as: UTF8.self)) == event)
    }

    @Test("passes over members that it does not know")
    func unknownMembers() throws {
        let event = try #require(Self.events.first)
        let text = EventJSON.text(of: event).dropFirst()
        let more = #"{"new": {"a": [1, -2.5e3, true, false, null, "\"\\é", {}, []], "b": {}}, "#
        #expect(try EventJSON.event(from: more + text) == event)
    }

    @Test("refuses what is no event", arguments: broken)
    func refused(_ text: String) {
        #expect(throws: (any Error).self) { try EventJSON.event(from: text) }
    }

    @Test("is empty for no event")
    func none() {
        #expect(EventJSON.text(of: nil).isEmpty)
    }

    private static let broken: [String] = {
        let whole = events.first.map { EventJSON.text(of: $0) } ?? ""
        return [
            "", "{}", "null", "[]", whole + "x", String(whole.dropLast()), whole.replacing("apple", with: "Acme & Co"),
            whole.replacing("\"quantity\":1", with: "\"quantity\":1.5"),
            whole.replacing("\"quantity\":1", with: "\"quantity\":99999999999999999999"),
            whole.replacing("\"quantity\":1", with: "\"quantity\":-"),
            whole.replacing("\"isFamilyShared\":false", with: "\"isFamilyShared\":falsy"),
        ]
    }()

    private static let events: [StoreEvent] = {
        let moment = Date(timeIntervalSince1970: 1_780_000_000.125)
        let price = Currency("CNY").map { Money(minorUnits: -1_800, currency: $0) }
        let bare = StoreEvent(
            id: "0b1e",
            store: .apple,
            environment: .production,
            signedAt: moment,
            kind: .subscribed,
            transaction: StoreTransaction(
                id: "1",
                originalID: "1",
                productID: "com.example.pro",
                purchasedAt: moment,
                expiresAt: nil,
                price: nil
            )
        )
        var full = bare
        full.id = "quotes \" and \\ and \n and \u{1} and 李娜 and 👍"
        full.kind = .refunded
        full.environment = .sandbox
        full.signedAt = Date(timeIntervalSince1970: 0.000_5)
        full.transaction.expiresAt = Date(timeIntervalSince1970: -62_135_596_800)
        full.transaction.price = price
        full.transaction.startsAt = Date(timeIntervalSince1970: 1_780_000_001.5)
        full.transaction.wholePrice = price
        full.transaction.quantity = Int.max
        full.transaction.reason = .renewal
        full.transaction.isFamilyShared = true
        full.transaction.offer = .init(kind: .winBack, identifier: "back", isFreeTrial: true)
        full.transaction.revocation = .init(at: moment, reason: 0, milliPercent: 50_000, keepsAccess: true)
        full.transaction.replacesWithoutCredit = true
        full.awaitsAcknowledgement = true
        full.acknowledgeBy = moment
        full.purchaseToken = "tok/1.AO-J1O"
        full.reviewToken = "review \"1\""
        full.transaction.customerToken = UUID()
        full.transaction.storefront = "CHN"
        full.transaction.appTransactionID = "704346128302837465"
        full.transaction.previousOriginalID = "0"
        full.transaction.commitment = Commitment(period: 2, periods: 12, endsAt: moment, price: price)
        full.status = .gracePeriod
        full.consumptionReason = .fulfillmentIssue
        full.renewal = RenewalTerms(
            renewsAutomatically: true,
            nextProductID: "com.example.premium",
            renewsAt: moment,
            renewalPrice: price,
            gracePeriodEndsAt: moment,
            isInBillingRetry: true,
            expirationReason: .billingError,
            priceIncreaseAccepted: false,
            commitmentRenews: true,
            offer: RenewalOffer(
                kind: .code,
                identifier: "SUMMER \"25\"",
                discount: .payAsYouGo,
                period: BillingPeriod(3, .month)
            ),
            winBackOfferIDs: ["back", "and \\ again", ""],
            isPartial: false
        )
        var sparse = bare
        sparse.renewal = RenewalTerms(renewsAutomatically: nil, offer: RenewalOffer(), winBackOfferIDs: [])
        return [bare, full, sparse]
    }()
}
