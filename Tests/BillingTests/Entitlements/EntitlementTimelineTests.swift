import Billing
import Foundation
import Testing

@Suite("what a customer may use, moment by moment")
struct EntitlementTimelineTests {
    @Test("what is bought, renewed and not paid any more: gained once, lost once, for its reason")
    func life() throws {
        var last = MetricsPeriod.held("t2", from: 30, to: 60)
        last.access.ending = .unpaid
        #expect(
            try told([.held("t1", from: 0, to: 30), last]) == [
                "0 nothing > 1 bought", "60 1 > nothing unpaid",
            ]
        )
    }

    @Test("an upgrade raises, a trial that is paid changes nothing, a refund ends it")
    func upgrade() throws {
        var higher = MetricsPeriod.held("t3", from: 20, to: 25, product: 2, rank: 2)
        higher.access.ending = .refunded
        #expect(
            try told([
                .held("t1", from: 0, to: 7, for: 0, trial: true), .held("t2", from: 7, to: 20), higher,
            ]) == ["0 nothing > 1 trial", "20 1 > 2 bought", "25 2 > nothing refunded"]
        )
    }

    @Test("a grant lifts above what is paid and falls back to it; staff who end it are the reason")
    func grants() throws {
        let paid = MetricsPeriod.held("t1", from: 0, to: 60)
        #expect(
            try told([paid], grants: [.given(plan: 9, rank: 3, from: 10, to: 40)]) == [
                "0 nothing > 1 bought", "10 1 > 9 granted", "40 9 > 1 grant_ended", "60 1 > nothing expired",
            ]
        )
        #expect(
            try told([paid], grants: [.given(plan: 9, rank: 3, from: 10, to: 40, ended: 12)]) == [
                "0 nothing > 1 bought", "10 1 > 9 granted", "12 9 > 1 withdrawn", "60 1 > nothing expired",
            ]
        )
        #expect(try told([], grants: [.given(plan: 9, rank: 3, from: 10, to: 40, ended: 5)]).isEmpty)
    }

    @Test("what staff suspend is lost and comes back when they lift it; a pause likewise, by the store")
    func gaps() throws {
        let suspended = SuspendedTime(
            subscription: MetricsPeriod.held("t1", from: 0, to: 1).subscription,
            startsAt: .day(5),
            endsAt: .day(8)
        )
        #expect(
            try told([.held("t1", from: 0, to: 30)], suspensions: [suspended]) == [
                "0 nothing > 1 bought", "5 1 > nothing suspended", "8 nothing > 1 restored", "30 1 > nothing expired",
            ]
        )
        var paused = MetricsPeriod.held("t1", from: 0, to: 5)
        paused.access.ending = .paused
        #expect(
            try told([paused, .held("t1", from: 8, to: 30)]) == [
                "0 nothing > 1 bought", "5 1 > nothing paused", "8 nothing > 1 resumed", "30 1 > nothing expired",
            ]
        )
    }

    @Test("two that overlap are one plan held; the metrics count her once, and tell gained from gained again")
    func metrics() throws {
        let zone = try #require(TimeZone(identifier: "UTC"))
        let trail = EntitlementTimeline(
            [
                .held("t1", from: 0, to: 7, for: 0, trial: true), .held("t2", from: 7, to: 37),
                .held("u1", from: 20, to: 50, subscription: 2), .held("t3", from: 60, to: 90, rank: 1),
            ],
            grants: [],
            suspensions: [],
            in: zone
        )
        let entries = trail.entries.map { entry in
            let day = Int((entry.effectiveAt.timeIntervalSince(.day(0)) / 86_400).rounded())
            return "\(day) \(entry.measure.rawValue) \(entry.dimension): \(entry.count)"
        }
        #expect(
            Set(entries) == [
                "0 holder 1: 1", "0 access 0: 1", "7 holder 1: -1", "7 holder 0: 1", "50 holder 0: -1",
                "50 access 2: 1",
                "60 holder 0: 1", "60 access 1: 1", "90 holder 0: -1", "90 access 2: 1",
            ]
        )
    }

    /// "0 nothing > 1 bought": the day, from which product or plan to which, and why.
    private func told(
        _ periods: [MetricsPeriod],
        grants: [GrantedAccess] = [],
        suspensions: [SuspendedTime] = []
    ) throws -> [String] {
        let zone = try #require(TimeZone(identifier: "UTC"))
        return EntitlementTimeline(periods, grants: grants, suspensions: suspensions, in: zone).changes.map { change in
            let day = Int((change.at.timeIntervalSince(.day(0)) / 86_400).rounded())
            func name(_ id: UUID?) -> String { id.map { "\($0.uuid.15)" } ?? "nothing" }
            return "\(day) \(name(change.before)) > \(name(change.after)) \(change.cause.rawValue)"
        }
    }
}

extension GrantedAccess {
    fileprivate static func given(
        plan: UInt8,
        rank: Int,
        from start: Double,
        to end: Double,
        ended: Double? = nil
    ) -> GrantedAccess {
        GrantedAccess(
            id: Identifier(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, plan))),
            plan: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, plan)),
            planRank: rank,
            startsAt: .day(start),
            endsAt: .day(end),
            endedAt: ended.map { .day($0) }
        )
    }
}
