import Billing
import Foundation
import Gateways
import Jobs
import Operations
import Postgres
import Storage
import StoreSimulator
import Testing

@Suite("Seats that were booked as purchases") struct AssignedOrderTests {
    private static let booked = "t1 initial_purchase completed 1800 0 CNY PRO of apple:t1"
    private static let void = "t1 initial_purchase cancelled 1800 0 CNY PRO of apple:t1"
    private static let kept: Query = """
        SELECT coalesce(sum(amount), 0)::text FROM ledger_entries WHERE status = 'success'
        """
    private static let access: Query = "SELECT concat_ws(' ', state, is_assigned) FROM subscriptions"

    @Test("an order of an assigned seat from before that was known is void, audited and without money; access stays")
    func readAgain() async throws {
        try await TestOffice.run { office in
            let (app, signer) = (try await office.app(), AppleSigner(authority: try TestOffice.authority.get()))
            _ = try await office.backOffice.receiveNotification(try signer.sign(AppleWords.bought), from: .apple)
            _ = try await office.worker.drain()
            #expect(try await office.orders() == [Self.booked])
            // Apple had said so all along.
            var said = AppleWords.bought
            said.transaction?["inAppOwnershipType"] = "ASSIGNED"
            _ = try await office.pool.query(
                "UPDATE store_notifications SET signed_payload = \(try signer.sign(said)), received_at = '2025-12-01'"
            )
            for _ in 1...2 {
                _ = try await office.pool.query(
                    """
                    INSERT INTO jobs (id, app_id, kind, subject_id, state, scheduled_at, created_at)
                    VALUES (gen_random_uuid(), \(app), 'order_joining', \(app), 'available', now(), now())
                    """
                )
                try await office.workOffJobs()
                #expect(try await office.count("jobs WHERE state <> 'completed'") == 0)
                #expect(try await office.orders() == [Self.void])
                #expect(try await office.count("orders WHERE joined_into = id AND joined_at IS NOT NULL") == 1)
                #expect(try await office.lines(Self.kept) == ["0"])
                #expect(try await office.lines(Self.access) == ["active t"])
                #expect(try await office.count("audit_entries WHERE action = 'order.join'") == 1)
            }
            let number = try #require(try await office.lines("SELECT number FROM orders").first)
            let (record, _) = try #require(
                try await office.database.read { try await $0.screens.orderRecord(number, app: app) }
            )
            #expect(record.joinedInto == number)
        }
    }

    @Test("a message that calls a booked transaction a seat makes its order void, whichever comes first")
    func toldLater() async throws {
        var seat = StoreTransaction.sold("t1", from: 0, to: 30, for: nil)
        seat.isAssigned = true
        let (bought, assigned) = (
            StoreEvent.told(.subscribed, on: 0, .sold("t1", from: 0, to: 30)), StoreEvent.told(.observed, on: 1, seat)
        )
        try await TestOffice.run { office in
            try await office.live(bought, assigned)
            #expect(try await office.orders() == [Self.void])
            #expect(try await office.lines(Self.access) == ["active t"])
        }
        try await TestOffice.run { office in
            try await office.live(assigned, bought)
            #expect(try await office.orders() == [])
            #expect(try await office.lines(Self.access) == ["active t"])
        }
    }

    @Test("a seat beside a purchase of one's own leaves that as it is")
    func besideAPurchase() async throws {
        var seat = StoreTransaction.sold("t2", from: 30, to: 60, for: nil)
        seat.isAssigned = true
        try await TestOffice.run { office in
            try await office.live(
                .told(.subscribed, on: 0, .sold("t1", from: 0, to: 30)),
                .told(.renewed, on: 30, seat)
            )
            #expect(try await office.orders() == [Self.booked])
        }
    }
}
