import Billing
import Foundation
import Operations
import Postgres
import Storage
import TestSupport
import Testing

@Suite("An anonymous customer and the account that they sign in to") struct MergeCustomersTests {
    @Test("the account has everything of the device, its timeline shows it, and what named the device leads to it")
    func everything() async throws {
        try await TestOffice.run { office in
            let app = try await office.app()
            let admin = try await office.staff("ada@example.com", .admin)
            let (device, account) = (
                try await identify("phone", anonymous: true, office), try await identify("mei", office)
            )
            _ = try await office.backOffice.change(
                device,
                of: app,
                .grant(plan: "PRO", .days(7)),
                reason: Reason(.customerRequest, "They asked in the chat."),
                key: nil,
                version: nil,
                caller: admin
            )
            _ = try await office.backOffice.addNote(
                "Asks about the price.",
                id: CustomerNote.ID(UUID()),
                about: device,
                of: app,
                author: "Ada",
                caller: admin
            )
            let session = try await begin(device, office)
            let token = try #require(session.accountToken)

            #expect(try await office.backOffice.mergeAnonymousCustomer(device, into: account, of: app))

            #expect(try await office.entitlement(account)?.plan.code == "PRO")
            #expect(try await office.entitlement(device) == nil)
            for table in CustomerBelongings.moved + ["grants", "orders", "subscriptions"] {
                let left = try await office.lines("SELECT 'left' FROM \(unsafe: table) WHERE customer_id = \(device)")
                #expect(left == [], "\(table)")
            }
            let (renewed, survivor, timeline) = try await office.database.readPrimary { reader in
                (
                    try await reader.customerSession(session.id),
                    try await reader.screens.survivor(of: device, app: app),
                    try await reader.screens.timeline(of: account, Timeline.Filter(), seesPersonalData: true)
                )
            }
            #expect(renewed?.customer == account)
            #expect(survivor == account)
            #expect(timeline.rows.contains { if case .merger = $0.what { true } else { false } })
            // A purchase with the device's account token is the account's.
            let (buyer, _) = try await office.buyer(token)
            #expect(buyer == account)
            #expect(try await office.backOffice.mergeAnonymousCustomer(device, into: account, of: app))
            #expect(try await office.backOffice.verifyRollups().map(\.differences) == [0])
        }
    }

    @Test("two accounts never become one, and nothing changes; who is not the app's is not found")
    func accounts() async throws {
        try await TestOffice.run { office in
            let app = try await office.app()
            let (mei, li) = (try await identify("mei", office), try await identify("li", office))
            #expect(try await office.backOffice.mergeAnonymousCustomer(mei, into: li, of: app) == false)
            #expect(try await office.count("customers WHERE merged_into IS NOT NULL") == 0)
            let error = await #expect(throws: OperationsError.self) {
                try await office.backOffice.mergeAnonymousCustomer(Customer.ID(UUID()), into: li, of: app)
            }
            #expect(error?.code == .notFound)
        }
    }

    @Test("of anonymous customers who are merged into each other at once one stays, with all that all of them had")
    func crossing() async throws {
        try await TestOffice.run { office in
            let app = try await office.app()
            var devices: [Customer.ID] = []
            for number in 0..<4 {
                let token = UUID()
                devices.append(try await office.buyer(token, subscription: "t\(number)").0)
            }
            let all = devices
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<5 {
                    for one in all {
                        for other in all where one != other {
                            group.addTask {
                                try await office.backOffice.mergeAnonymousCustomer(one, into: other, of: app)
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            let left = try await office.lines("SELECT id::text FROM customers WHERE merged_into IS NULL")
            #expect(left.count == 1)
            let owners = try await office.lines("SELECT DISTINCT customer_id::text FROM subscriptions")
            #expect(owners == left)
            #expect(try await office.count("subscriptions") == 4)
            #expect(
                try await office.lines("SELECT DISTINCT merged_into::text FROM customers WHERE id::text <> \(left[0])")
                    == left
            )
            #expect(try await office.backOffice.verifyRollups().map(\.differences) == [0])
        }
    }

    @Test("what is counted for the device while it is merged is counted for the account, each once")
    func counting() async throws {
        try await UsageOffice.run { office in
            let account = try await identify("mei", office.office)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<40 {
                    group.addTask { try await office.count("scan", key: number.isMultiple(of: 2) ? "k\(number)" : nil) }
                    if number == 20 {
                        group.addTask {
                            try await office.backOffice.mergeAnonymousCustomer(
                                office.session.customer,
                                into: account,
                                of: office.session.app
                            )
                        }
                    }
                }
                try await group.waitForAll()
            }
            // The session was read before.
            try await office.count("scan", 2)
            #expect(try await office.counters() == ["42 42 42"])
            #expect(try await office.days() == ["2026-01-01 42 0"])
            #expect(
                try await office.lines("SELECT DISTINCT customer_id::text FROM usage_counters") == [account.description]
            )
            let owners = try await office.lines("SELECT DISTINCT owner_id::text FROM idempotency_keys")
            #expect(owners == [account.description])
        }
    }

    @Test("what is reserved by the device is settled by it as the account's")
    func reserved() async throws {
        try await UsageOffice.run { office in
            let account = try await identify("mei", office.office)
            let reservation = try await office.backOffice.reserve("scan", quantity: 10, for: office.session)
            try await office.backOffice.mergeAnonymousCustomer(
                office.session.customer,
                into: account,
                of: office.session.app
            )
            _ = try await office.backOffice.settle(
                StoredUsageReservation.ID(reservation.id),
                of: "scan",
                quantity: 4,
                for: office.session
            )
            #expect(try await office.counters() == ["4 4 4"])
        }
    }

    private func identify(_ name: String, anonymous: Bool = false, _ office: TestOffice) async throws -> Customer.ID {
        let app = try await office.app()
        let customer = try await office.database.write { transaction in
            try await transaction.customers.identify(
                CustomerIdentity(externalID: name, isAnonymous: anonymous),
                of: app
            )
        }
        return try #require(customer)
    }

    private func begin(_ customer: Customer.ID, _ office: TestOffice) async throws -> CustomerSession {
        let app = try await office.app()
        let id = try await office.database.write { transaction in
            try await transaction.customerSessions.begin(
                .minted,
                for: customer,
                of: app,
                until: transaction.now.addingTimeInterval(3_600)
            )
        }
        return try #require(try await office.database.readPrimary { try await $0.customerSession(id) })
    }
}

extension UsageOffice {
    fileprivate func lines(_ query: Query) async throws -> [String] { try await office.lines(query) }
}
