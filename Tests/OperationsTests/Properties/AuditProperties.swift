import Billing
import Foundation
import Jobs
import Operations
import Postgres
import Storage
import Testing

/// Checks the lightgallery document's property of the audit on many made-up lives of one app. A failure prints its seed.
@Suite("properties of the lightgallery document: audit") struct AuditProperties {
    static let seeds: Range<UInt64> = 0..<100

    @Test("Property 28: Audit Logging")
    func logged() async throws {
        try await TestOffice.run { office in
            let lives = Self.seeds.map { MadeUpLife(seed: $0) }
            var states: [String: String] = [:]
            var charged: [String: Int64] = [:]
            for round in 0..<5 {
                // Long after all events, so that the log's time is not the store's.
                let now = Date.day(1_000 + Double(round))
                office.clock.set(now)
                let due = lives.filter { $0.events.indices.contains(round) }
                for life in due { try await office.tell(life.events[round]) }
                _ = try await office.worker.drain()
                let after = try await Self.states(office)
                let entries = try await Self.entries(office, at: now)
                for life in due {
                    let (event, name) = (life.events[round], life.subscription)
                    let price = try #require(event.transaction.price)
                    let entry = AuditedChange(
                        event: event.id,
                        kind: event.kind.rawValue,
                        signedAt: event.signedAt.timeIntervalSince1970,
                        before: states[name] ?? "pending",
                        after: after[name] ?? "",
                        transaction: event.transaction.id,
                        product: event.transaction.productID,
                        price: price.minorUnits,
                        currency: price.currency.code
                    )
                    #expect(entries[name] == [entry], "seed \(life.seed), round \(round)")
                    if event.kind == .subscribed || event.kind == .renewed {
                        charged[event.transaction.id] = price.minorUnits
                    }
                }
                // Nothing changes without an entry.
                let changed = Set(after.keys.filter { after[$0] != states[$0] })
                #expect(changed.isSubset(of: Set(due.map(\.subscription))), "round \(round)")
                states = after
            }
            #expect(states.count == lives.count)
            // The payment itself: each charge is in the ledger once, with its time.
            let ledger = try await office.pool.query(
                """
                SELECT store_transaction_id, amount FROM ledger_entries
                WHERE kind IN ('initial_purchase', 'renewal') AND recorded_at >= \(Date.day(1_000))
                """
            ).map { try $0.decode(String.self, Int64.self) }
            #expect(ledger.count == charged.count)
            #expect(Dictionary(ledger) { first, _ in first } == charged)
        }
    }

    /// Returns the states of the subscriptions by their store ids.
    private static func states(_ office: TestOffice) async throws -> [String: String] {
        let rows = try await office.pool.query("SELECT original_transaction_id, state FROM subscriptions")
        return Dictionary(uniqueKeysWithValues: try rows.map { try $0.decode(String.self, String.self) })
    }

    private static func entries(_ office: TestOffice, at now: Date) async throws -> [String: [AuditedChange]] {
        let rows = try await office.pool.query(
            """
            SELECT s.original_transaction_id, e.event_id, e.kind, e.signed_at, e.state_before, e.state_after,
                e.event #>> '{transaction,id}', e.event #>> '{transaction,productID}',
                (e.event #>> '{transaction,price,minorUnits}')::bigint, e.event #>> '{transaction,price,currency}'
            FROM subscription_events e JOIN subscriptions s ON s.id = e.subscription_id
            WHERE e.recorded_at = \(now)
            """
        )
        var entries: [String: [AuditedChange]] = [:]
        for row in rows {
            var columns = try row.columns(10)
            let name = try columns.next(String.self)
            let entry = AuditedChange(
                event: try columns.next(String.self),
                kind: try columns.next(String.self),
                signedAt: try columns.next(Date.self).timeIntervalSince1970,
                before: try columns.next(String.self),
                after: try columns.next(String.self),
                transaction: try columns.next(String.self),
                product: try columns.next(String.self),
                price: try columns.next(Int64.self),
                currency: try columns.next(String.self)
            )
            entries[name, default: []].append(entry)
        }
        return entries
    }
}

/// One entry of a subscription's history.
private struct AuditedChange: Hashable {
    var event: String
    var kind: String
    var signedAt: TimeInterval
    var before: String
    var after: String
    var transaction: String
    var product: String
    var price: Int64
    var currency: String
}
