import Billing
import Foundation
import Operations
import Postgres
import Storage
import StoreSimulator
import Synchronization
import TestSupport
import Testing

@testable import Jobs

@Suite("A history that is played") struct PlayedHistoryTests {
    @Test("life by life comes to what it comes to one event after the other, in books, access and metrics")
    func sameBooks() async throws {
        let lives = SimulatedSubscribers(
            seed: 33,
            customers: TestScale.rounds(600, sampled: 60),
            months: 24,
            endingAt: TestOffice.start
        )
        let signer = AppleSigner(authority: try TestOffice.authority.get())
        let payloads = try lives.notifications().map(signer.sign)
        let oneByOne = try await Self.told(payloads) { office in _ = try await office.worker.drain() }
        let byLife = try await Self.told(payloads) { office in
            try await office.worker.drainHistory()
            #expect(try await office.backOffice.verifyRollups().map(\.differences) == [0])
        }
        #expect(byLife.subtracting(oneByOne).sorted().prefix(5) == [])
        #expect(oneByOne.subtracting(byLife).sorted().prefix(5) == [])
    }

    @Test("each is dealt with once and told so, and what cannot be applied is left to people")
    func refused() async throws {
        try await TestOffice.run(recordingTime: .whenSigned) { office in
            let month = StoreTransaction.sold("t1", from: 0, to: 30)
            let unknown = StoreTransaction.sold("u1", of: "u1", from: 0, to: 30, "nobody.sells.this")
            try await office.tell(
                .told(.renewed, on: 30, .sold("t2", from: 30, to: 60)),
                .told(.subscribed, on: 0, month),
                .told(.refunded, on: 40, month.takenBack(on: 40)),
                .told(.subscribed, on: 1, unknown)
            )
            let counts = Counts()
            try await office.worker.drainHistory { counts.note($0) }
            #expect(counts.highest == 4)
            let states = try await office.lines("SELECT state FROM store_notifications ORDER BY signed_at")
            #expect(states.filter { $0 == "processed" }.count == 3)
            #expect(
                try await office.lines("SELECT status FROM orders ORDER BY purchased_at") == ["refunded", "completed"]
            )
            #expect(try await office.backOffice.verifyRollups().map(\.differences) == [0])
        }
    }

    @Test("meanwhile a running worker takes nothing, and afterwards it does again")
    func pauses() async throws {
        try await TestOffice.run(recordingTime: .whenSigned) { office in
            let work = NotificationWork(backOffice: office.backOffice)
            #expect(work.pauses)
            office.backOffice.recording.turn(to: .whenApplied)
            #expect(!work.pauses)
        }
    }

    /// Everything that a history may touch, once it has been received and worked on.
    private static func told(
        _ payloads: [String],
        _ work: (TestOffice) async throws -> Void
    ) async throws -> Set<String> {
        try await TestOffice.run(recordingTime: .whenSigned) { office in
            for payload in payloads { try await office.backOffice.receiveNotification(payload, from: .apple) }
            try await work(office)
            _ = try await office.backOffice.foldRollups()
            return Set(try await office.everything() + office.recorded())
        }
    }
}

/// The highest number that was told.
private final class Counts: Sendable {
    private let told = Mutex(0)

    func note(_ count: Int) { told.withLock { $0 = max($0, count) } }

    var highest: Int { told.withLock { $0 } }
}

extension TestOffice {
    /// When what was heard, and what it changed of access and metrics.
    fileprivate func recorded() async throws -> [String] {
        let events = try await lines(
            "SELECT concat_ws(' ', event_id, state_before, state_after, rejection_reason, recorded_at) FROM subscription_events"
        )
        let ledger = try await lines(
            """
            SELECT concat_ws(' ', store_transaction_id, reference, kind, amount, currency, occurred_at, recorded_at,
                (SELECT notification_uuid FROM store_notifications n WHERE n.id = notification_id))
            FROM ledger_entries
            """
        )
        let access = try await lines(
            """
            SELECT concat_ws(' ', c.key, h.transaction_id, h.starts_at, h.ends_at, h.ended_by, h.refunded_at, h.price, h.recorded_at,
                h.retired_at)
            FROM access_periods h
            JOIN customers c ON c.id = h.customer_id
            """
        )
        let changes = try await lines(
            """
            SELECT concat_ws(' ', c.key, h.at, h.cause, h.before_id IS NULL, h.after_id IS NULL, h.recorded_at, h.retired_at)
            FROM access_changes h
            JOIN customers c ON c.id = h.customer_id
            """
        )
        let metrics = try await lines(
            """
            SELECT concat_ws(' ', measure, environment, day, dimension, country, currency, recorded_on, sum(amount), sum(count))
            FROM rollups
            GROUP BY measure, environment, day, dimension, country, currency, recorded_on
            HAVING sum(amount) <> 0 OR sum(count) <> 0
            """
        )
        return events + ledger + access + changes + metrics
    }
}
