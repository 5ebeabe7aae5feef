import Billing
import Foundation
import Operations
import Postgres
import Storage
import Testing

extension ApplyNotificationTests {
    @Test("an event that comes a second time under another notification changes nothing")
    func known() async throws {
        try await TestOffice.run { office in
            try await office.live(.told(.subscribed, on: 0, Self.month))
            let before = try await office.orders() + office.ledger() + office.events() + office.subscriptions()
            let lease = try await Self.again(office)
            guard case .known = try await office.backOffice.apply(lease) else {
                Issue.record("the event is not known")
                return
            }
            let after = try await office.orders() + office.ledger() + office.events() + office.subscriptions()
            #expect(after == before)
            #expect(try await office.attempts() == ["1 processed", "2 processed"])
        }
    }

    @Test("who lost the lease changes nothing, not even by making a customer")
    func leaseLost() async throws {
        try await TestOffice.run { office in
            try await office.tell(.told(.subscribed, on: 0, Self.month))
            let lost = try #require(try await office.lease())
            try await Self.endLeases(office)
            #expect(try await office.database.queue(.notifications).rescue() == 1)
            let taken = try #require(try await office.lease())
            let before = try await office.everything()
            guard case .leaseLost = try await office.backOffice.apply(lost) else {
                Issue.record("the lost lease was honoured")
                return
            }
            #expect(try await office.everything() == before)
            #expect(try await office.count("subscriptions") == 0)
            guard case .applied = try await office.backOffice.apply(taken) else {
                Issue.record("the lease that holds was not honoured")
                return
            }
            let after = try await office.everything()
            guard case .leaseLost = try await office.backOffice.apply(taken) else {
                Issue.record("a finished notification was applied again")
                return
            }
            #expect(try await office.everything() == after)
            #expect(
                try await office.attempts() == ["1 retried The worker went away before it was done.", "2 processed"]
            )
        }
    }

    @Test("two subscriptions of one customer, and copies of one notification, worked on at once, end as they should")
    func together() async throws {
        try await TestOffice.run { office in
            for chain in 0..<20 {
                let first = StoreTransaction.sold("a\(chain)", of: "a\(chain)", from: 0, to: 30, to: Self.ada)
                let second = StoreTransaction.sold("b\(chain)", of: "a\(chain)", from: 30, to: 60, to: Self.ada)
                try await office.tell(.told(.renewed, on: 30, second), .told(.subscribed, on: 0, first))
            }
            let leased = try await office.database.leaseNotifications(limit: 100, by: UUID(), for: .seconds(30))
            #expect(leased.count == 40)
            await withTaskGroup(of: Void.self) { group in
                for lease in leased + leased {
                    group.addTask {
                        do {
                            // Like the worker, this leaves a customer whom somebody is changing for later.
                            while try await office.applied(lease) == nil {}
                        } catch {
                            Issue.record(error)
                        }
                    }
                }
            }
            #expect(try await office.count("customers") == 1)
            #expect(try await office.count("orders") == 40)
            #expect(try await office.count("ledger_entries") == 40)
            #expect(try await office.subscriptions().allSatisfy { $0.contains(" active b") })
            #expect(Set(try await office.lines("SELECT number FROM orders")).count == 40)
            #expect(try await office.attempts() == Array(repeating: "1 processed", count: 40))
        }
    }

    /// Leases the only notification once more, as if it had not been applied.
    private static func again(_ office: TestOffice) async throws -> LeasedNotification {
        _ = try await office.pool.query("UPDATE store_notifications SET state = 'received', finalized_at = NULL")
        return try #require(try await office.lease())
    }

    private static func endLeases(_ office: TestOffice) async throws {
        _ = try await office.pool.query("UPDATE store_notifications SET lease_ends_at = now() - interval '1 s'")
    }
}
