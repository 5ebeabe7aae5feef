import Billing
import Foundation
import Operations
import Postgres
import Storage
import TestSupport
import Testing

/// Acts on two servers whose clocks differ by 4 s, for a customer who stays locked until both wait.
@Suite("Time is read after the last lock, by the primary's clock") struct LastLockTests {
    @Test("two codes of 7 days redeemed at once give 14 days")
    func codes() async throws {
        try await TwoServers.run { servers in
            let customers = try await servers.customers("code", TestScale.rounds(1_000, sampled: 40))
            let codes = try await servers.codes(days: 7, customers.count * 2)
            for (index, session) in customers.enumerated() {
                let (one, other) = (codes[2 * index], codes[2 * index + 1])
                let (left, right) = try await servers.atOnce(for: session) {
                    try await $0.redeem(one, for: session)
                } and: {
                    try await $0.redeem(other, for: session)
                }
                let (first, second) = left.startsAt < right.startsAt ? (left, right) : (right, left)
                #expect(first.endsAt == first.redeemedAt + 7 * 86_400, "pair \(index)")
                #expect(second.endsAt == first.redeemedAt + 14 * 86_400, "pair \(index)")
            }
        }
    }

    @Test("a trial that is started twice at once is one, and both are told that it runs")
    func trials() async throws {
        try await TwoServers.run(givesTrial: true) { servers in
            let customers = try await servers.customers("trial", TestScale.rounds(1_000, sampled: 40))
            for (index, session) in customers.enumerated() {
                let (left, right) = try await servers.atOnce(for: session) {
                    try await $0.startTrial(for: session)
                } and: {
                    try await $0.startTrial(for: session)
                }
                #expect(left.sources.trial?.id == right.sources.trial?.id, "pair \(index)")
                for answer in [left, right] {
                    #expect(answer.sources.trial?.trialState(at: answer.now) == .trial, "pair \(index)")
                }
            }
        }
    }

    @Test("of what is extended twice at once nothing is lost, and it is written down in its order")
    func extensions() async throws {
        try await TwoServers.run { servers in
            let (app, admin) = (servers.app, servers.admin)
            @Sendable func change(
                _ command: EntitlementCommand,
                _ session: CustomerSession
            ) -> @Sendable (BackOffice) async throws -> ActionOutcome {
                { server in
                    try await server.change(
                        session.customer,
                        of: app,
                        command,
                        reason: ChangeEntitlementTests.reason,
                        key: nil,
                        version: nil,
                        caller: admin
                    )
                }
            }
            let customers = try await servers.customers("grant", TestScale.rounds(1_000, sampled: 20))
            for (index, session) in customers.enumerated() {
                let grant = change(.grant(plan: "PRO", .days(7)), session)
                _ = try await grant(servers.ahead)
                let extend = change(.extend(nil, days: 3), session)
                _ = try await servers.atOnce(for: session, extend, and: extend)
                let held = try await servers.office.entitlementSources(session.customer)
                #expect(held.grants.count == 1, "pair \(index)")
                let days = held.grants.reduce(0) { $0 + ($1.endsAt?.timeIntervalSince($1.startsAt) ?? 0) / 86_400 }
                #expect(days == 13, "pair \(index)")
                let moments = try await servers.office.lines(
                    """
                    SELECT (count(DISTINCT a.at) || ' ' || bool_and(a.at <= clock_timestamp()))
                    FROM entitlement_actions a
                    WHERE a.customer_id = \(session.customer)
                    """
                )
                #expect(moments == ["3 true"], "pair \(index)")
            }
        }
    }

    @Test("what is counted twice at once is counted twice")
    func counts() async throws {
        try await TwoServers.run { servers in
            let customers = try await servers.customers("count", TestScale.rounds(1_000, sampled: 40))
            for (index, session) in customers.enumerated() {
                let (left, right) = try await servers.atOnce(for: session) {
                    try await $0.countScan(for: session, key: "left")
                } and: {
                    try await $0.countScan(for: session, key: "right")
                }
                #expect(Set([left, right].compactMap(\.usage.windows.first?.used)) == [1, 2], "pair \(index)")
            }
        }
    }

    @Test("a transaction's moment is never before what is written of the customer, though the clock was set back")
    func setBack() async throws {
        try await TestOffice.run { office in
            let (app, customer) = (try await office.app(), try await office.customer("c1"))
            let admin = try await office.staff("ada@example.com", .admin)
            _ = try await office.backOffice.change(
                customer,
                of: app,
                .grant(plan: "PRO", .days(7)),
                reason: ChangeEntitlementTests.reason,
                key: nil,
                version: nil,
                caller: admin
            )
            office.clock.advance(by: -3_600)
            let now = try await office.database.write { transaction in
                #expect(transaction.now == TestOffice.start - 3_600)
                _ = try await transaction.entitlementSources.lock([customer], of: app)
                return transaction.now
            }
            #expect(now == TestOffice.start)
        }
    }

    @Test("what is written before a lock leaves its moment behind")
    func moves() async throws {
        try await TestOffice.run { office in
            let key = try office.key("k1", try await office.staff("ada@example.com", .admin))
            try await office.database.write { transaction in
                office.clock.advance(by: 5)
                #expect(transaction.now == TestOffice.start)
                _ = try await transaction.idempotencyKeys.take(key)
                #expect(transaction.now == TestOffice.start + 5)
                #expect(transaction.at(TestOffice.start).now == TestOffice.start)
            }
        }
    }
}
