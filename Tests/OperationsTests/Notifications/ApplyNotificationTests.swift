import Billing
import Foundation
import Jobs
import Operations
import Postgres
import Storage
import TestSupport
import Testing

@Suite("Applying notifications") struct ApplyNotificationTests {
    static let ada = UUID(uuidString: "00000000-0000-4000-8000-0000000000ad") ?? UUID()
    static let month = StoreTransaction.sold("t1", from: 0, to: 30)

    @Test("a history that is played is known since it was signed, and its notifications are finished now")
    func playedHistory() async throws {
        try await TestOffice.run(recordingTime: .whenSigned) { office in
            try await office.live(.told(.subscribed, on: 0, Self.month))
            office.clock.advance(by: 86_400 * 90)
            try await office.live(.told(.renewed, on: 30, .sold("t2", from: 30, to: 60)))
            let known = try await office.lines(
                "SELECT (recorded_at = signed_at)::text FROM subscription_events ORDER BY signed_at"
            )
            #expect(known == ["true", "true"])
            #expect(
                try await office.lines("SELECT (recorded_at = occurred_at)::text FROM ledger_entries ORDER BY id")
                    == ["true", "true"]
            )
            let finished = try await office.lines(
                "SELECT (finalized_at = received_at)::text FROM store_notifications ORDER BY signed_at"
            )
            #expect(finished == ["true", "true"])
        }
    }

    @Test("what comes after a played history is heard when it comes, and the rollups equal the ledger")
    func afterPlayedHistory() async throws {
        try await TestOffice.run(recordingTime: .whenSigned) { office in
            try await office.live(.told(.subscribed, on: 0, Self.month))
            office.backOffice.recording.turn(to: .whenApplied)
            office.clock.advance(by: 86_400 * 90)
            // It was signed long ago and comes late.
            try await office.live(.told(.renewed, on: 30, .sold("t2", from: 30, to: 60)))
            let known = try await office.lines(
                "SELECT (recorded_at = signed_at)::text FROM subscription_events ORDER BY signed_at"
            )
            #expect(known == ["true", "false"])
            #expect(try await office.backOffice.verifyRollups().map(\.differences) == [0])
        }
    }

    @Test("a life becomes a subscription, its orders, its ledger and its events")
    func life() async throws {
        try await TestOffice.run { office in
            let trial = StoreTransaction.sold(
                "t1",
                from: 0,
                to: 7,
                for: .yuan(0),
                "pro.yearly",
                to: Self.ada,
                trial: true
            )
            let year = StoreTransaction.sold("t2", from: 7, to: 372, for: .yuan(128), "pro.yearly", to: Self.ada)
            let more = StoreTransaction.sold("t3", from: 40, to: 405, for: .yuan(198), "premium.yearly", to: Self.ada)
            try await office.live(
                .told(.subscribed, on: 0, trial),
                .told(.renewed, on: 7, year),
                .told(.upgraded, on: 40, more),
                .told(.refunded, on: 41, year.takenBack(on: 41, percent: 90)),
                .told(.autoRenewDisabled, on: 50, more, RenewalTerms(renewsAutomatically: false))
            )
            let key = Self.ada.uuidString.lowercased()
            #expect(try await office.subscriptions() == ["t1 cancelled t3 premium.yearly of \(key)"])
            #expect(
                try await office.orders() == [
                    "t1 initial_purchase completed 0 0 CNY PRO of \(key)",
                    "t2 renewal superseded 12800 11520 CNY PRO of \(key)",
                    "t3 upgrade completed 19800 0 CNY PREMIUM of \(key)",
                ]
            )
            #expect(
                try await office.ledger() == [
                    "t1 initial_purchase 0 charge", "t2 renewal 12800 charge",
                    // 332 of 365 days are unused; a part of them that is refunded later is no longer a credit.
                    "t2 upgrade_credit -11643 upgrade_credit:TIME",
                    "t2 upgrade_credit_reversal 11520 upgrade_credit:TIME:corrected-1",
                    "t2 refund -11520 refund:TIME", "t3 upgrade 19800 charge",
                ]
            )
            #expect(
                try await office.events() == [
                    "subscribed pending trial", "renewed trial active", "upgraded active active",
                    "refunded active active", "autoRenewDisabled active cancelled",
                ]
            )
            #expect(try await office.notifications().allSatisfy { $0.hasSuffix(": processed") })
            #expect(try await office.attempts() == Array(repeating: "1 processed", count: 5))
            // The business day begins at 16:00 UTC of the day before: Shanghai is eight hours ahead.
            #expect(
                try await office.lines("SELECT number FROM orders ORDER BY purchased_at") == [
                    "ORD-20250101-0001", "ORD-20250108-0001", "ORD-20250210-0001",
                ]
            )
        }
    }

    @Test("the rows of a purchase tell when, for how long and whose it is")
    func purchase() async throws {
        try await TestOffice.run { office in
            try await office.live(.told(.subscribed, on: 0.7, .sold("t1", from: 0.7, to: 30.7)))
            #expect(
                try await office.lines(
                    """
                    SELECT concat_ws(' ', number, product_name, storefront, original_transaction_id,
                        purchased_at, period_starts_at, period_ends_at, refunded_at, created_at)
                    FROM orders
                    """
                ) == [
                    "ORD-20250102-0001 pro.monthly CHN t1 2025-01-01 16:48:00+00 2025-01-01 16:48:00+00 "
                        + "2025-01-31 16:48:00+00 2026-01-01 00:00:00+00"
                ]
            )
            #expect(
                try await office.lines(
                    """
                    SELECT concat_ws(' ', c.key, c.app_account_token, c.created_at, s.period_ends_at, s.version,
                        s.last_signed_at, s.renews_automatically)
                    FROM customers c JOIN subscriptions s ON s.customer_id = c.id
                    """
                ) == [
                    "apple:t1 2025-01-01 16:48:00+00 2025-01-31 16:48:00+00 1 2025-01-01 16:48:00+00 t"
                ]
            )
            #expect(
                try await office.lines(
                    """
                    SELECT concat_ws(' ', t.status, t.store_transaction_id, t.occurred_at, t.recorded_at, n.notification_uuid)
                    FROM ledger_entries t JOIN store_notifications n ON n.id = t.notification_id
                    """
                ) == [
                    "success t1 2025-01-01 16:48:00+00 2026-01-01 00:00:00+00 subscribed t1 0.7"
                ]
            )
        }
    }

    @Test("a refused event is kept and parked, and leaves state and books as they were")
    func refused() async throws {
        try await TestOffice.run { office in
            let expired = StoreEvent.told(.expired, on: 30, Self.month)
            try await office.live(.told(.subscribed, on: 0, Self.month), expired)
            let before = try await office.subscriptions() + office.orders() + office.ledger()
            try await office.live(.told(.paused, on: 32, Self.month))
            let reason = "Nothing can be paused: the subscription had ended (expired) before."
            #expect(try await office.subscriptions() + office.orders() + office.ledger() == before)
            #expect(try await office.events().last == "paused expired expired \(reason)")
            #expect(try await office.notifications().last == "paused t1 32.0: failed \(reason)")
            // Another attempt finds the same.
            #expect(try await office.database.queue(.notifications).reviveDeadLetters() == 1)
            #expect(try await office.worker.drain() == 1)
            #expect(try await office.notifications().last == "paused t1 32.0: failed \(reason)")
            #expect(try await office.attempts().suffix(2) == ["1 failed \(reason)", "2 failed \(reason)"])
        }
    }

    @Test("a late event may turn a refused one into one that is taken; its notification follows")
    func lateEventReinstates() async throws {
        try await TestOffice.run { office in
            try await office.live(
                .told(.subscribed, on: 0, Self.month),
                .told(.expired, on: 30, Self.month),
                .told(.paused, on: 62, Self.month.until(60))
            )
            #expect(try await office.subscriptions() == ["t1 expired t1 pro.monthly of apple:t1"])
            #expect(try await office.notifications().last?.contains(": failed ") == true)
            try await office.live(.told(.renewalExtended, on: 31, Self.month.until(60)))
            #expect(try await office.subscriptions() == ["t1 paused t1 pro.monthly of apple:t1"])
            #expect(
                try await office.events() == [
                    "subscribed pending active", "expired active expired", "renewalExtended expired active",
                    "paused active paused",
                ]
            )
            #expect(try await office.notifications().allSatisfy { $0.hasSuffix(": processed") })
        }
    }

    @Test("a late event may also show that one which was taken could not be")
    func lateEventRefuses() async throws {
        try await TestOffice.run { office in
            try await office.live(
                .told(.subscribed, on: 0, Self.month),
                .told(.paused, on: 31, Self.month)
            )
            #expect(try await office.subscriptions() == ["t1 paused t1 pro.monthly of apple:t1"])
            try await office.live(.told(.expired, on: 30, Self.month))
            let reason = "Nothing can be paused: the subscription had ended (expired) before."
            #expect(try await office.subscriptions() == ["t1 expired t1 pro.monthly of apple:t1"])
            #expect(try await office.events().last == "paused expired expired \(reason)")
            #expect(try await office.notifications().last == "paused t1 31.0: failed \(reason)")
        }
    }

    @Test(
        "the customer is the one whom the newest period names, an order's whoever bought it, whatever the order of arrival",
        arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
    )
    func customer(_ order: [Int]) async throws {
        try await TestOffice.run { office in
            let eve = UUID(uuidString: "00000000-0000-4000-8000-0000000000ee") ?? UUID()
            let events: [StoreEvent] = [
                .told(.subscribed, on: 0, .sold("t1", from: 0, to: 30)),
                .told(.renewed, on: 30, .sold("t2", from: 30, to: 60, to: Self.ada)),
                .told(.renewed, on: 60, .sold("t3", from: 60, to: 90, to: eve)),
            ]
            for index in order { try await office.live(events[index]) }
            let key = eve.uuidString.lowercased()
            #expect(try await office.subscriptions() == ["t1 active t3 pro.monthly of \(key)"])
            // A charge that names nobody belongs to the subscription's owner.
            let buyers = try await office.orders().map { $0.split(separator: " ").last.map(String.init) }
            #expect(buyers == [key, Self.ada.uuidString.lowercased(), key])
            #expect(
                // No customer is named after a subscription that has an owner.
                try await office.lines(
                    "SELECT concat_ws(' ', key, created_at) FROM customers WHERE merged_into IS NULL ORDER BY created_at"
                ) == [
                    "\(Self.ada.uuidString.lowercased()) 2025-01-31 00:00:00+00",
                    "\(key) 2025-03-02 00:00:00+00",
                ]
            )
        }
    }

    @Test("a refused event names nobody, until a late one has it taken")
    func customerOfRefused() async throws {
        try await TestOffice.run { office in
            var claimed = Self.month.until(60)
            claimed.customerToken = Self.ada
            try await office.live(
                .told(.subscribed, on: 0, Self.month),
                .told(.expired, on: 30, Self.month),
                .told(.paused, on: 62, claimed)
            )
            #expect(try await office.subscriptions() == ["t1 expired t1 pro.monthly of apple:t1"])
            try await office.live(.told(.renewalExtended, on: 31, Self.month.until(60)))
            let key = Self.ada.uuidString.lowercased()
            #expect(try await office.subscriptions() == ["t1 paused t1 pro.monthly of \(key)"])
            #expect(try await office.orders().allSatisfy { $0.hasSuffix(" of \(key)") })
        }
    }

    @Test("a product that the catalogue lacks is refused, and nothing is written")
    func unknownProduct() async throws {
        try await TestOffice.run { office in
            try await office.tell(.told(.subscribed, on: 0, .sold("t1", from: 0, to: 30, "gone")))
            let lease = try #require(try await office.lease())
            let error = await #expect(throws: OperationsError.self) { try await office.backOffice.apply(lease) }
            #expect(error?.code == .notFound)
            #expect(error?.message == "The product com.readmigo.gone is not in the app's catalogue.")
            #expect(try await office.count("subscriptions") == 0)
        }
    }
}
