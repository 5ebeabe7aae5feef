import Billing
import Foundation
import StoreSimulator
import Testing

@testable import Gateways

@Suite("Groups and seats at the App Store") struct AppleSeatCallTests {
    private static let original = "400000000000001"

    private static func sold(
        _ id: String = original,
        seats: Int64 = 4,
        _ more: [String: JSON] = [:]
    ) -> SimulatedMessage {
        var transaction: JSON = [
            "transactionId": .string(id), "originalTransactionId": .string(original), "bundleId": "com.readmigo.app",
            "productId": "com.readmigo.pro.monthly", "purchaseDate": 1_790_000_000_000,
            "originalPurchaseDate": 1_790_000_000_000, "expiresDate": 1_792_592_000_000, "quantity": .integer(seats),
            "type": "Auto-Renewable Subscription", "inAppOwnershipType": "PURCHASED", "environment": "Sandbox",
            "price": 9_990, "currency": "CNY", "storefront": "CHN",
            "multiSeatInfo": [
                "invitationManagement": "DEVELOPER", "priceTiers": [["price": 9_990, "quantity": .integer(seats)]],
            ],
        ]
        for (name, value) in more { transaction[name] = value }
        return SimulatedMessage(
            notification: [
                "notificationType": "SUBSCRIBED", "subtype": "INITIAL_BUY",
                "notificationUUID": .string(UUID().uuidString.lowercased()), "signedDate": 1_790_000_000_000,
                "data": ["bundleId": "com.readmigo.app", "environment": "Sandbox", "status": 1],
            ],
            transaction: transaction
        )
    }

    private func withStore(
        _ messages: [SimulatedMessage],
        _ body: (TestAppStore, AppleSeatServer) async throws -> Void
    ) async throws {
        let store = try await TestAppStore(customers: 0)
        store.server.record(messages, as: .arrived)
        try await body(store, AppleSeatServer(try store.api(), asksProduction: false))
        await store.server.stop()
    }

    @Test("a seat is claimed once under one identifier, counted, and free again; the buyer needs no claim")
    func claims() async throws {
        try await withStore([Self.sold()]) { (store, seats) async throws in
            let id = UUID()
            let claim = try await seats.claim(id, of: Self.original, for: "a1", in: .sandbox)
            store.server.fail(SimulatedFault(.silenceAfterEffect))
            #expect(try await seats.claim(id, of: Self.original, for: "a1", in: .sandbox) == claim)
            let other = try await seats.claim(UUID(), of: Self.original, for: nil, in: .sandbox)
            #expect(other != claim)
            let info = try await seats.seats(of: Self.original, in: .sandbox)
            #expect((info.total, info.available, Set(info.claimIDs)) == (4, 1, [claim, other]))
            try await seats.associate(other, of: Self.original, with: "a2", in: .sandbox)
            let group = try #require(try await seats.groups(of: Self.original, in: .sandbox).first)
            #expect(!group.isOrganization)
            #expect(Set(try await seats.members(ofGroup: group.id, in: .sandbox)) == ["a1", "a2"])
            try await seats.unclaim(claim, of: Self.original, in: .sandbox)
            #expect(try await seats.seats(of: Self.original, in: .sandbox).claimIDs == [other])
        }
    }

    @Test("no seat is left: the number of that error is not known, so it is not the store's no, and the seats say why")
    func full() async throws {
        try await withStore([Self.sold(seats: 2)]) { (_, seats) async throws in
            _ = try await seats.claim(UUID(), of: Self.original, for: nil, in: .sandbox)
            let failure = await #expect(throws: StoreFailure.self) {
                _ = try await seats.claim(UUID(), of: Self.original, for: nil, in: .sandbox)
            }
            #expect(failure?.refusal == nil)
            #expect(failure?.message.contains("No available seats") == true)
            #expect(try await seats.seats(of: Self.original, in: .sandbox).available == 0)
        }
    }

    @Test("added and refunded seats count")
    func additions() async throws {
        let added = Self.sold("400000000000002", seats: 3, ["additionalTransactionReason": "SEAT_ADDITION"])
        let refunded = Self.sold(
            seats: 4,
            [
                "multiSeatInfo": ["invitationManagement": "DEVELOPER", "revokedSeatQuantity": 1]
            ]
        )
        try await withStore([Self.sold(), added, refunded]) { (_, seats) async throws in
            #expect(try await seats.seats(of: Self.original, in: .sandbox).total == 6)
        }
    }

    @Test("who is in no group is in none: the group that the sandbox makes up, and its member, are dropped")
    func placeholders() async throws {
        try await withStore([Self.sold()]) { (store, seats) async throws in
            #expect(try await seats.groups(of: Self.original, in: .sandbox) == [])
            #expect(try await seats.members(ofGroup: "900000000000000000", in: .sandbox) == [])
            let failure = await #expect(throws: StoreFailure.self) {
                _ = try await seats.members(ofGroup: "123", in: .sandbox)
            }
            #expect(failure?.refusal?.code == AppleErrorCode.groupNotFound.rawValue)
        }
    }

    @Test("production is not asked before the account says so")
    func production() async throws {
        try await withStore([Self.sold()]) { (store, seats) async throws in
            for ask in [
                { _ = try await seats.seats(of: Self.original, in: .production) },
                { _ = try await seats.groups(of: Self.original, in: .production) },
                { _ = try await seats.members(ofGroup: "1", in: .production) },
            ] as [() async throws -> Void] {
                let failure = await #expect(throws: StoreFailure.self) { try await ask() }
                guard case .misconfigured(let reason) = failure else {
                    Issue.record("\(String(describing: failure))")
                    continue
                }
                #expect(reason.field == "api.seats")
            }
            let asking = AppleSeatServer(try store.api(), asksProduction: true)
            let failure = await #expect(throws: StoreFailure.self) {
                _ = try await asking.seats(of: Self.original, in: .production)
            }
            #expect(failure?.refusal?.code == AppleErrorCode.transactionIDNotFound.rawValue)
        }
    }

    @Test("an assigned seat is not extended, gets no account and no consumption answer; Apple's no has its number")
    func assigned() async throws {
        let member = Self.sold(seats: 4, ["inAppOwnershipType": "ASSIGNED"])
        try await withStore([member]) { (store, _) async throws in
            let api = try store.api()
            let length = AppleExtension(days: 3, reason: .other, requestIdentifier: "refused")
            let consumption = AppleConsumption(
                customerConsented: true,
                sampleContentProvided: false,
                deliveryStatus: .delivered,
                consumptionPercentage: nil,
                refundPreference: nil
            )
            for (code, ask) in [
                (4_030_028, { _ = try await api.extend(Self.original, by: length, in: .sandbox) }),
                (4_000_227, { _ = try await api.setAppAccountToken(UUID(), of: Self.original, in: .sandbox) }),
                (4_000_227, { _ = try await api.sendConsumption(consumption, of: Self.original, in: .sandbox) }),
            ] as [(Int64, () async throws -> Void)] {
                let error = await #expect(throws: AppleServerError.self) { try await ask() }
                #expect(error?.rawCode == code)
                #expect(error?.isSaidNo == true)
            }
        }
    }
}
