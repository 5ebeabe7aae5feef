import Billing
import Foundation
import Jobs
import Operations
import Postgres
import Storage
import Testing

/// Checks the expiry sweep on many made-up lives and grants of one app. A failure prints its seed.
@Suite("properties of the expiry sweep") struct ExpirySweepProperties {
    static let seeds: Range<UInt64> = 0..<120

    @Test(
        "after a sweep the database says what the rules say; nobody gains or loses by it, and a second one changes nothing"
    )
    func sweeps() async throws {
        try await TestOffice.run { office in
            var histories = Self.seeds.map { SweptHistory(MadeUpLife(seed: $0)) }
            var random = SeededGenerator(seed: 12)
            let moments = (0..<4).map { _ in Double.random(in: 20...210, using: &random) }.sorted()
            try await Self.give(office)
            var lapses = 0
            for now in moments {
                office.clock.set(.day(now))
                for index in histories.indices {
                    for event in histories[index].take(until: .day(now)) { try await office.tell(event) }
                }
                _ = try await office.worker.drain()
                let held = try await Self.held(office)
                let grants =
                    try await office.count(Self.overGrants(now)) - office.count("grants WHERE expired_at IS NOT NULL")

                let sweep = try await office.backOffice.sweepExpiries(batch: 7)

                var expected = 0
                for index in histories.indices where histories[index].isKnown {
                    let history = histories[index]
                    let id = try #require(held.ids[history.life.subscription])
                    expected += histories[index].lapse(id, at: .day(now))
                }
                lapses += expected
                #expect(sweep == ExpirySweep(subscriptions: expected, grants: grants), "on day \(now)")
                let after = try await Self.held(office)
                for history in histories where history.isKnown {
                    let name = history.life.subscription
                    let stored = try #require(after.subscriptions[name])
                    let ruled = history.subscription
                    #expect(stored.state == ruled.state, "seed \(history.life.seed), on day \(now)")
                    #expect(stored.endedAt == ruled.endedAt, "seed \(history.life.seed), on day \(now)")
                    #expect(stored.periodEndsAt == ruled.periodEndsAt, "seed \(history.life.seed), on day \(now)")
                    // Before and after the sweep, the entitlement is the same.
                    #expect(
                        after.entitlements[name] == held.entitlements[name],
                        "seed \(history.life.seed), on day \(now)"
                    )
                }
                let over = try await office.count(Self.overGrants(now))
                let expired = try await office.count("grants WHERE expired_at = ends_at")
                #expect(over == expired, "on day \(now)")
                let rows = try await Self.rows(office)
                #expect(try await office.backOffice.sweepExpiries() == ExpirySweep(), "on day \(now)")
                #expect(try await Self.rows(office) == rows, "on day \(now)")
            }
            // Otherwise the checks above were empty.
            #expect(lapses >= 100)
        }
    }

    /// Makes a grant or a trial for each seed: over, ended before its time, without end, or to come.
    private static func give(_ office: TestOffice) async throws {
        let app = try await office.app()
        for seed in seeds {
            var random = SeededGenerator(seed: ~seed)
            let start = Date.day(Double(Int.random(in: 0...100, using: &random)))
            let isTrial = Bool.random(using: &random)
            let length = Double.random(in: 1...100, using: &random) * 86_400
            let end = isTrial || Int.random(in: 0..<4, using: &random) > 0 ? start.addingTimeInterval(length) : nil
            let ended = Int.random(in: 0..<4, using: &random) == 0 ? start.addingTimeInterval(length / 2) : nil
            let customer = try await office.customer("given \(seed)")
            _ = try await office.pool.query(
                """
                INSERT INTO grants (id, app_id, customer_id, plan_id, kind, starts_at, ends_at, ended_at, created_at, updated_at)
                SELECT gen_random_uuid(), \(app), \(customer), id, \(isTrial ? "trial" : "complimentary"), \(start), \(end),
                    \(ended), \(start), \(start)
                FROM plans WHERE app_id = \(app) AND code = 'PRO'
                """
            )
        }
    }

    /// Returns the SQL of the grants that ended by time alone.
    private static func overGrants(_ day: Double) -> String {
        let now = Date.day(day).timeIntervalSince1970
        return "grants WHERE ended_at IS NULL AND ends_at <= to_timestamp(\(now))"
    }

    private struct Held {
        var ids: [String: Subscription.ID] = [:]
        var subscriptions: [String: Subscription] = [:]
        var entitlements: [String: Entitlement] = [:]
    }

    /// Returns the subscriptions and entitlements by store id.
    private static func held(_ office: TestOffice) async throws -> Held {
        let rows = try await office.pool.query("SELECT original_transaction_id, customer_id FROM subscriptions")
        let customers = try rows.map { try $0.decode(String.self, Customer.ID.self) }
        let sources = try await office.database.readPrimary { try await $0.entitlementSources.of(customers.map(\.1)) }
        var held = Held()
        for (name, customer) in customers {
            let own = try #require(sources[customer])
            let subscription = try #require(own.subscriptions.first { $0.originalTransactionID == name })
            held.ids[name] = subscription.id
            held.subscriptions[name] = subscription.subscription
            held.entitlements[name] = own.entitlement(at: office.clock.read())
        }
        return held
    }

    /// Returns all rows that a sweep can write.
    private static func rows(_ office: TestOffice) async throws -> [String] {
        try await office.lines(
            """
            SELECT s::text FROM subscriptions s
            UNION ALL SELECT e::text FROM subscription_events e
            UNION ALL SELECT g::text FROM grants g
            UNION ALL SELECT v::text FROM entitlement_versions v
            UNION ALL SELECT r::text FROM rollup_entries r
            ORDER BY 1
            """
        )
    }
}

/// The expected history of a life: the store's events so far, and those of the clock by the rules alone.
private struct SweptHistory {
    let life: MadeUpLife
    private var told: [StoreEvent] = []
    private var untold: [StoreEvent]

    init(_ life: MadeUpLife) {
        self.life = life
        untold = life.events
    }

    var isKnown: Bool { !told.isEmpty }
    var subscription: Subscription { SubscriptionHistory(told).replay().subscription }

    /// Returns the store's events up to a time, and takes them.
    mutating func take(until now: Date) -> [StoreEvent] {
        let due = untold.filter { $0.signedAt <= now }
        untold.removeAll { $0.signedAt <= now }
        told += due
        return due
    }

    /// Takes the ends that are due by the clock; returns their number.
    mutating func lapse(_ id: Subscription.ID, at now: Date) -> Int {
        var count = 0
        while let last = told.last(where: { $0.isByClock != true }),
            let event = StoreEvent.lapse(of: subscription, id, after: last, at: now)
        {
            told.append(event)
            count += 1
        }
        return count
    }
}
