import Billing
import Foundation
import Postgres
import Testing

@testable import Storage

@Suite("A customer's timeline") struct TimelineTests {
    private let customer = Customer.ID(ScreenSamples.id(30))

    @Test("everything comes once, newest first, walking forward and back, whatever it is from")
    func walk() async throws {
        try await ScreenSamples.with(orders: 80) { database, pool in
            try await Self.addEvents(40, pool)
            try await Self.addActions(20, pool)
            let everything = try await pool.query(
                """
                SELECT count(*) + 1 FROM (
                    SELECT id FROM subscription_events WHERE subscription_id = \(ScreenSamples.id(30))
                    UNION ALL SELECT id FROM orders WHERE customer_id = \(customer)
                    UNION ALL SELECT t.id FROM ledger_entries t JOIN orders o ON o.id = t.order_id
                        WHERE o.customer_id = \(customer) AND t.kind = 'refund'
                    UNION ALL SELECT id FROM audit_entries WHERE customer_id = \(customer)) AS everything
                """
            ).first?.decode(0, as: Int.self)
            var filter = Timeline.Filter()
            var pages: [[UUID]] = []
            var moments: [Timeline.Moment] = []
            while true {
                let page = try await timeline(filter, database)
                #expect(page.hasPrevious == !pages.isEmpty && page.rowsBefore == moments.count)
                pages.append(page.rows.map(\.id))
                moments += page.rows
                guard page.hasNext, let last = page.rows.last else { break }
                filter.position = .after(filter.cursor(at: last, rowsBefore: moments.count))
            }
            #expect(moments.count == everything && Set(moments.map(\.id)).count == everything)
            for (newer, older) in zip(moments, moments.dropFirst()) {
                #expect((newer.at, newer.id.uuidString) > (older.at, older.id.uuidString))
            }
            let third = try await timeline(
                Timeline.Filter(position: .before(filter.cursor(at: moments[50], rowsBefore: 50))),
                database
            )
            #expect(third.rows.map(\.id) == pages[1])
        }
    }

    @Test("each part shows its own")
    func parts() async throws {
        try await ScreenSamples.with(orders: 60) { database, pool in
            try await Self.addEvents(10, pool)
            try await Self.addActions(6, pool)
            let money = try await timeline(Timeline.Filter(part: .money), database).rows
            #expect(
                money.allSatisfy {
                    if case .charge = $0.what { true } else if case .movement = $0.what { true } else { false }
                }
            )
            #expect(money.contains { if case .movement(let entry) = $0.what { entry.amount < 0 } else { false } })
            let access = try await timeline(Timeline.Filter(part: .access), database).rows
            #expect(access.contains { if case .event = $0.what { true } else { false } })
            for moment in access {
                switch moment.what {
                case .event(let event): #expect(event.before != event.after)
                case .staff(let action): #expect(action.objectType == "subscription")
                case .firstSeen, .merger, .verification, .consentRescinded, .trialStarted, .trialEnded, .expiryReminder:
                    break
                case .charge, .movement: Issue.record("\(moment)")
                }
            }
            let staff = try await timeline(Timeline.Filter(part: .staff), database).rows
            #expect(staff.count == 6)
            #expect(try await timeline(Timeline.Filter(), database).rows.count == 25)
        }
    }

    @Test("what staff did to a subscription or an order of the customer is there, without the customer being named")
    func actions() async throws {
        try await ScreenSamples.with(orders: 1) { database, _ in
            for (type, id) in [
                ("order", "ORD-20261121-1000"), ("subscription", "\(ScreenSamples.id(30))"),
                ("customer", "\(ScreenSamples.id(30))".lowercased()), ("order", "ORD-1"), ("subscription", "x"),
                ("note", "1"),
            ] {
                try await database.appendToAuditLog(
                    AuditEntry(
                        app: ScreenSamples.app,
                        actor: "ada",
                        role: .support,
                        action: "thing.do",
                        objectType: type,
                        objectID: id,
                        before: #"{"a": 1}"#,
                        after: #"{"a": 2}"#,
                        reason: "because"
                    )
                )
            }
            let staff = try await timeline(Timeline.Filter(part: .staff), database).rows
            #expect(staff.count == 3)
            for moment in staff {
                guard case .staff(let action) = moment.what else { continue }
                #expect(action.before != nil && action.reason == "because")
            }
            let hidden = try await timeline(Timeline.Filter(part: .staff), database, seesPersonalData: false).rows
            for moment in hidden {
                guard case .staff(let action) = moment.what else { continue }
                #expect(action.before == nil && action.after == nil && action.reason == nil)
            }
        }
    }

    @Test("a customer with 20,000 events costs the same as one with ten: no branch reads more than a page")
    func cost() async throws {
        try await ScreenSamples.with(orders: 0) { _, pool in
            try await Self.addEvents(20_000, pool)
            // Entries that earlier tests left in the indexes would be counted.
            for table: Query in ["subscriptions", "subscription_events", "orders", "ledger_entries", "audit_entries"] {
                _ = try await pool.query("VACUUM (ANALYZE) \(table)")
            }
            let plan = try await pool.query(
                "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) \(TimelineUnion(customer: customer, now: .now, part: .all, position: .first).page)"
            ).map { try $0.decode(0, as: String.self) }
            for line in plan where line.contains("subscription_events") {
                #expect(line.contains("Index") && !line.contains("Seq Scan"), "\(line)")
            }
            let rows = plan.compactMap { line in line.firstMatch(of: /rows=(\d+)/).flatMap { Int($0.1) } }
            #expect((rows.max() ?? 0) <= 200, "\(plan.joined(separator: "\n"))")
        }
    }

    static func addEvents(_ count: Int, _ pool: Pool) async throws {
        _ = try await pool.query(
            """
            INSERT INTO subscription_events (id, subscription_id, source, event_id, kind, signed_at, event, state_before,
                state_after, recorded_at)
            SELECT gen_random_uuid(), \(ScreenSamples.id(30)), 'clock', 'e' || i, 'renewed',
                \(ScreenSamples.now) - (i / 3) * interval '1 hour',
                jsonb_build_object('transaction', jsonb_build_object('productID', 'pro.yearly', 'expiresAt', 1795228800000)),
                'active', CASE WHEN i % 4 = 0 THEN 'cancelled' ELSE 'active' END, \(ScreenSamples.now)
            FROM generate_series(1, \(count)) i
            """
        )
    }

    static func addActions(_ count: Int, _ pool: Pool) async throws {
        _ = try await pool.query(
            """
            INSERT INTO audit_entries (id, at, app_id, actor, role, action, object_type, object_id)
            SELECT gen_random_uuid(), \(ScreenSamples.now) - i * interval '40 minutes', \(ScreenSamples.app), 'ada', 'admin',
                'subscription.revoke', 'subscription', \(ScreenSamples.id(30))::text
            FROM generate_series(1, \(count)) i
            """
        )
    }

    private func timeline(
        _ filter: Timeline.Filter,
        _ database: Database,
        seesPersonalData: Bool = true
    ) async throws -> ListPage<Timeline.Moment> {
        try await database.read {
            try await $0.screens.timeline(of: customer, filter, seesPersonalData: seesPersonalData)
        }
    }
}
