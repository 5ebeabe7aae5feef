import Billing
import Foundation
import Testing

@testable import Gateways

@Suite("What is read of a notification")
struct AppleWireTypeTests {
    private let store: TestStore

    init() throws {
        store = try TestStore()
    }

    @Test("fields of another type than documented are malformed; the notification is known to be authentic still")
    func wrongTypes() async throws {
        let wrong: [(String, JSON)] = [
            ("price", "18000"), ("price", .number(18_000.5)), ("price", .number(1e300)), ("quantity", .number(-1e19)),
            ("transactionId", 1), ("purchaseDate", "2025-06-15"), ("purchaseDate", .number(1e300)),
            ("expiresDate", .integer(.max)), ("expiresDate", .integer(.min)), ("isUpgraded", 1),
            ("appAccountToken", 5), ("currency", []), ("offerType", "1"), ("commitmentInfo", "x"),
        ]
        for (name, value) in wrong {
            var notification = TestNotification()
            notification.transaction?[name] = value
            let known = try await store.verify(try notification.signed(by: store.chain))
            #expect(throws: GatewayError.self) { try known.event() }
            #expect(known.problem?.code == .malformed, "\(name)")
            #expect(known.transaction == nil)
            #expect(known.notificationUUID == notification.payload["notificationUUID"]?.string)
        }
        var foreign = TestNotification()
        foreign.transaction?["bundleId"] = 5
        #expect(await store.code(try foreign.signed(by: store.chain)) == .malformed)
        var undated = TestNotification()
        undated.payload["signedDate"] = nil
        #expect(await store.code(try undated.signed(by: store.chain)) == .missing)
        undated.payload["signedDate"] = 253_402_300_799_001
        #expect(await store.code(try undated.signed(by: store.chain)) == .malformed)
        undated.payload["signedDate"] = .number(-1e300)
        #expect(await store.code(try undated.signed(by: store.chain)) == .malformed)
        // The first and the last readable date, and Xcode's "never": no certificate covers those years.
        for edge in [-62_167_219_200_000, -62_135_769_600_000, 253_402_300_799_000] as [Int64] {
            undated.payload["signedDate"] = .integer(edge)
            #expect(await store.code(try undated.signed(by: store.chain)) == .invalidChain)
        }
    }

    @Test("what is authentic is kept with the reason, whichever member beside the app's own has another type")
    func wrongTypesOutside() async throws {
        let wrong: [(String, JSON)] = [
            ("status", "1"), ("status", .number(1.5)), ("consumptionRequestReason", 5), ("signedRenewalInfo", 5),
            ("signedAppTransactionInfo", []),
        ]
        for (name, value) in wrong {
            var notification = TestNotification()
            notification.data[name] = value
            if name == "signedRenewalInfo" { notification.renewal = nil }
            let known = try await store.verify(try notification.signed(by: store.chain))
            #expect(known.problem?.message.contains(name) == true, "\(name)")
            #expect(throws: GatewayError.self) { try known.event() }
        }
        var oddSubtype = TestNotification()
        oddSubtype.payload["subtype"] = 5
        #expect(try await store.verify(oddSubtype.signed(by: store.chain)).problem != nil)
        // A fault in a field that nobody needs does not hold a notification up.
        var unneeded = TestNotification()
        unneeded.payload["version"] = 2
        unneeded.data["bundleVersion"] = 7
        unneeded.transaction?["storefrontId"] = 143_465
        unneeded.transaction?["originalPurchaseDate"] = "2025"
        unneeded.transaction?["offerPeriod"] = 5
        unneeded.transaction?["webOrderLineItemId"] = 900
        unneeded.renewal?["eligibleWinBackOfferIds"] = "none"
        unneeded.renewal?["recentSubscriptionStartDate"] = "2025"
        let read = try await store.verify(unneeded.signed(by: store.chain))
        #expect(try read.event()?.transaction.purchaseID == "900")
        #expect(read.problem == nil)
        #expect(try read.event() != nil)
    }

    @Test("an empty subtype is none")
    func emptySubtype() async throws {
        let renewed = try await store.verify(TestNotification().of("DID_RENEW", "").signed(by: store.chain))
        #expect(renewed.rawSubtype == nil)
        #expect(try renewed.event()?.kind == .renewed)
    }

    @Test("dates may be fractions of a millisecond, which are cut; whole prices may be written with a point")
    func fractions() async throws {
        var notification = TestNotification()
        notification.transaction?["purchaseDate"] = .number(1_697_679_936_049.7297)
        notification.transaction?["price"] = .number(18_000)
        let transaction = try await store.verify(notification.signed(by: store.chain)).transaction
        #expect(transaction?.purchaseDate == Date(timeIntervalSince1970: 1_697_679_936.049))
        #expect(transaction?.price == 18_000)
    }

    @Test("fields and values that Apple adds later do not matter; null is absent")
    func laterAdditions() async throws {
        var notification = TestNotification()
        notification.transaction?["hologram"] = ["a": [1, 2, ["b": .null]]]
        notification.transaction?["type"] = "Hologram"
        notification.transaction?["inAppOwnershipType"] = "BORROWED"
        notification.transaction?["offerType"] = 9
        notification.transaction?["isUpgraded"] = .null
        notification.data["status"] = 17
        let read = try await store.verify(notification.signed(by: store.chain))
        #expect(read.transaction?.type == nil)
        #expect(read.transaction?.rawType == "Hologram")
        #expect(read.transaction?.rawOwnership == "BORROWED")
        #expect(read.transaction?.rawOfferType == 9)
        #expect(read.transaction?.isUpgraded == nil)
        #expect(read.status == nil)
        #expect(read.rawStatus == 17)
    }
}
