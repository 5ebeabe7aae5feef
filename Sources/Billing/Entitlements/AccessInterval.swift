import Foundation

/// A stretch of time in which one thing gives access, whatever kind it is.
struct AccessInterval: AccessPrecedence, Hashable, Sendable {
    var source: Entitlement.Source
    var cell: MetricsCell
    var planRank: Int
    var isTrial: Bool
    var startsAt: Date
    /// Exclusive; nil: never.
    var endsAt: Date?
    var beginning: EntitlementChange.Cause
    var ending: EntitlementChange.Cause

    /// nil when staff ended it before it began.
    init?(_ grant: GrantedAccess) {
        let end = grant.lastsUntil
        if let end, end <= grant.startsAt { return nil }
        source = .grant(grant.id)
        cell = MetricsCell(product: grant.plan, country: "", currency: nil)
        planRank = grant.planRank
        isTrial = grant.isTrial
        startsAt = grant.startsAt
        endsAt = end
        beginning = grant.isTrial ? .trial : .granted
        let isCut = end != nil && end == grant.endedAt && grant.convertedAt == nil
        ending = isCut ? .withdrawn : grant.isTrial ? .trialEnded : .grantEnded
    }

    private init(_ period: MetricsPeriod, isFirst: Bool) {
        let access = period.access
        source = .subscription(period.subscription)
        cell = period.cell
        planRank = period.planRank
        isTrial = access.isTrial
        startsAt = access.startsAt
        endsAt = access.endsAt
        beginning = !isFirst ? .resumed : access.isTrial ? .trial : access.isFamilyShared ? .shared : .bought
        ending =
            switch access.ending {
            case .refunded: .refunded
            case .revoked: .revoked
            case .paused: .paused
            case .unpaid: .unpaid
            case nil: access.isTrial ? .trialEnded : .expired
            }
    }

    static func all(of periods: [MetricsPeriod], without suspensions: [SuspendedTime]) -> [AccessInterval] {
        let suspended = Dictionary(grouping: suspensions, by: \.subscription)
        return Dictionary(grouping: periods, by: \.subscription).flatMap { subscription, periods in
            var seen: Set<String> = []
            return periods.sorted { $0.access.startsAt < $1.access.startsAt }.flatMap { period in
                let isFirst = seen.insert(period.access.transactionID).inserted
                return suspended[subscription, default: []].reduce([AccessInterval(period, isFirst: isFirst)]) {
                    rest,
                    time in
                    rest.flatMap { $0.without(time) }
                }
            }
        }
    }

    /// The parts of the interval before and after a suspension.
    private func without(_ time: SuspendedTime) -> [AccessInterval] {
        guard endsAt.map({ time.startsAt < $0 }) ?? true, time.endsAt.map({ startsAt < $0 }) ?? true else {
            return [self]
        }
        var rest: [AccessInterval] = []
        if startsAt < time.startsAt {
            var before = self
            (before.endsAt, before.ending) = (time.startsAt, .suspended)
            rest.append(before)
        }
        if let end = time.endsAt, endsAt.map({ end < $0 }) ?? true {
            var after = self
            (after.startsAt, after.beginning) = (end, .restored)
            rest.append(after)
        }
        return rest
    }

    var isGranted: Bool { source.isGrant }
    var names: [String] { [source.key] }
}
