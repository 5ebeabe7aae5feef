import Billing
import Foundation
import Testing

@testable import Gateways

@Suite("What Apple says of seats") struct AppleSeatTests {
    private static let tiers: JSON = [["price": 9_990, "quantity": 5], ["price": 7_990, "quantity": 3]]
    private static let info: JSON = ["invitationManagement": "APPLE", "priceTiers": tiers]
    private static let eight: [String: JSON?] = ["quantity": 8, "price": 9_240, "multiSeatInfo": info]

    @Test("a group of eight is charged the sum of its tiers, never price times quantity and never the average")
    func tiers() throws {
        let transaction = try #require(try read(Self.eight).event()).transaction
        #expect(transaction.price?.minorUnits == 7_392)
        #expect(transaction.quantity == 8)
        #expect(transaction.seats == StoreTransaction.Seats(invitations: .store))
        #expect(!transaction.isShared)
        #expect(try read(Self.eight).transaction?.chargedPrice?.minorUnits == 7_392)
    }

    @Test("without seats the price is of all of them, as it always was")
    func plainQuantity() throws {
        let transaction = try #require(try read(["quantity": 3, "price": 54_000]).event()).transaction
        #expect(transaction.price?.minorUnits == 5_400)
        #expect((transaction.quantity, transaction.seats) == (3, nil))
    }

    @Test("a member's transaction carries the purchaser's seats, price and quantity, and is none of them")
    func assigned() throws {
        var fields = Self.eight
        fields["inAppOwnershipType"] = "ASSIGNED"
        for (name, value) in [("price", JSON.integer(.max)), ("quantity", JSON.number(1e19)), ("price", 9_240)] {
            fields[name] = value
            let transaction = try #require(try read(fields).event()).transaction
            #expect((transaction.isAssigned, transaction.isFamilyShared, transaction.isShared) == (true, false, true))
            #expect((transaction.price, transaction.quantity, transaction.seats) == (nil, 1, nil))
        }
    }

    @Test(
        "an ownership that is neither bought nor shared by family is access alone; none at all is a purchase",
        arguments: [
            ("PURCHASED", false), ("FAMILY_SHARED", false), ("ASSIGNED", true), ("LENT", true), ("", false),
            (nil, false),
        ] as [(String?, Bool)]
    )
    func ownership(_ word: String?, isAssigned: Bool) throws {
        let transaction = try #require(try read(["inAppOwnershipType": word.map { .string($0) }]).event()).transaction
        #expect((transaction.isAssigned ?? false) == isAssigned)
        #expect((transaction.price == nil) == isAssigned)
    }

    @Test("an assignment's end ends access and is no money, also where the ownership is missing")
    func assignmentRevoked() throws {
        var notification = TestNotification().of("REVOKE", nil)
        notification.transaction?["inAppOwnershipType"] = nil
        notification.transaction?["revocationDate"] = 1_750_000_001_000
        notification.transaction?["revocationType"] = "ASSIGNMENT_REVOKE"
        let event = try #require(try read(notification).event())
        #expect((event.kind, event.transaction.isAssigned) == (.revoked, true))
        #expect(event.transaction.revocation?.at == Date(timeIntervalSince1970: 1_750_000_001))
    }

    @Test("refunded seats, their share, added seats and who invites come along")
    func refund() throws {
        var info = Self.info
        info["revokedSeatQuantity"] = 3
        info["invitationManagement"] = "DEVELOPER"
        var notification = TestNotification().of("REFUND", "SEATS")
        for (name, value) in Self.eight { notification.transaction?[name] = value }
        notification.transaction?["multiSeatInfo"] = info
        notification.transaction?["additionalTransactionReason"] = "SEAT_ADDITION"
        notification.transaction?["revocationPercentage"] = 37_500
        let event = try #require(try read(notification).event())
        #expect(event.kind == .seatsRefunded)
        #expect(event.transaction.revocation == nil)
        #expect(
            event.transaction.seats
                == StoreTransaction.Seats(revoked: 3, milliPercent: 37_500, isAddition: true, invitations: .app)
        )
        #expect(event.transaction.price?.minorUnits == 7_392)
    }

    @Test("what renews by seats costs the sum of its tiers, and says with how many")
    func renewal() throws {
        var notification = TestNotification().of("DID_CHANGE_RENEWAL_PREF", "DECREASE_QUANTITY")
        notification.renewal?["renewalQuantity"] = 6
        notification.renewal?["renewalPrice"] = 9_657
        notification.renewal?["multiSeatInfo"] = [
            "renewalPriceTiers": [["price": 9_990, "quantity": 5], ["price": 7_990, "quantity": 1]]
        ]
        let event = try #require(try read(notification).event())
        #expect(event.kind == .seatsChanged)
        #expect((event.renewal?.seats, event.renewal?.renewalPrice?.minorUnits) == (6, 5_794))
        notification.renewal?["multiSeatInfo"] = ["renewalPriceTiers": "none"]
        #expect(try read(notification).event()?.renewal?.renewalPrice == nil)
        notification.renewal?["renewalQuantity"] = 1
        #expect(try read(notification).event()?.renewal?.renewalPrice?.minorUnits == 966)
    }

    private static let oddities: [JSON] = [
        .null, -1, .integer(.min), .integer(.max), .number(1e19), .number(1.5), .string("3"), true, .array([]),
        .array([1, .null]), .object([]), .array([["price": -1, "quantity": 1]]), .array([["price": 1]]),
        .array([["price": .integer(.max), "quantity": 1_000_000]]), .array([["price": 1, "quantity": .number(1e19)]]),
    ]

    @Test(
        "whatever stands where seats should, a purchase is taken; its amount is not known where its tiers are not",
        arguments: oddities
    )
    func odd(_ value: JSON) throws {
        for name in ["multiSeatInfo", "additionalTransactionReason", "quantity"] {
            var fields = Self.eight
            fields[name] = value
            let event = try #require(try read(fields).event())
            #expect((1...1_000_000).contains(event.transaction.quantity))
            if name == "additionalTransactionReason" { #expect(event.transaction.price?.minorUnits == 7_392) }
            if name == "multiSeatInfo" {
                // No seats at all: the price is of all of it. Something that cannot be read: nobody knows.
                #expect(event.transaction.price?.minorUnits == (value == .null ? 924 : nil))
            }
        }
        for name in ["priceTiers", "revokedSeatQuantity", "invitationManagement"] {
            var info = Self.info
            info[name] = value
            let event = try #require(try read(["quantity": 8, "price": 9_240, "multiSeatInfo": info]).event())
            #expect(event.transaction.price?.minorUnits == (name == "priceTiers" ? nil : 7_392))
            #expect((0...8).contains(event.transaction.seats?.revoked ?? 0))
        }
        for name in ["renewalQuantity", "multiSeatInfo"] {
            var notification = TestNotification()
            notification.renewal?[name] = value
            let terms = try #require(try read(notification).event()?.renewal)
            #expect(terms.seats == nil)
        }
        var notification = TestNotification()
        notification.renewal?["multiSeatInfo"] = ["renewalPriceTiers": value]
        #expect(try read(notification).event()?.renewal?.renewalPrice == nil)
    }

    @Test(
        "a subtype that nobody knows is about money where its transaction was paid for by the customer, and says how much"
    )
    func unknownMoney() throws {
        var notification = TestNotification().of("REFUND", "HALF_A_SEAT")
        #expect(try read(notification).unknownMoney?.contains("HALF_A_SEAT of REFUND") == true)
        #expect(try read(notification).unknownMoney?.contains("300000000000001 of 18.00 CNY") == true)
        notification.transaction?["price"] = nil
        #expect(try read(notification).unknownMoney?.contains("whose amount is not known") == true)
        for (field, value) in [
            ("price", JSON.integer(0)), ("inAppOwnershipType", "ASSIGNED"), ("inAppOwnershipType", "FAMILY_SHARED"),
        ] {
            var free = TestNotification().of("REFUND", "HALF_A_SEAT")
            free.transaction?[field] = value
            #expect(try read(free).unknownMoney == nil)
        }
        #expect(try read(TestNotification().of("LOYALTY_LEVEL_CHANGED", nil)).unknownMoney == nil)
        #expect(try read(TestNotification().of("REFUND", nil)).unknownMoney == nil)
        var none = TestNotification().of("REFUND", "HALF_A_SEAT")
        (none.transaction, none.renewal) = (nil, nil)
        #expect(try read(none).unknownMoney == nil)
    }

    private func read(_ fields: [String: JSON?]) throws -> AppleNotification {
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
