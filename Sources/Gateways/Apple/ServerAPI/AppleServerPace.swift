package import Billing
package import Foundation

/// Spreads calls so that an app stays below Apple's limits: as many at once as a second allows, then one by one.
package struct AppleServerPace: Sendable {
    /// The time until which each kind of call has used up its allowance.
    private var usedUntil: [Lane: Date] = [:]

    package init() {}

    /// Reserves a slot for one call; nil if it would have to wait for longer than that, and then none is taken.
    ///
    /// - Returns: the time to wait before asking.
    package mutating func reserve(
        _ endpoint: AppleEndpoint,
        in environment: StoreEnvironment,
        at now: Date,
        waitingAtMost longest: Duration
    ) -> Duration? {
        let lane = Lane(endpoint: endpoint, environment: environment)
        let interval = 1 / Self.requestsPerSecond(of: lane)
        // A clock that was set back would have everybody wait for it.
        let used = usedUntil[lane].map { min(max($0, now), now.addingTimeInterval(Self.furthest)) } ?? now
        let burst = max(1, interval) - interval
        let wait = max(0, used.timeIntervalSince(now) - burst)
        guard .seconds(wait) <= longest else { return nil }
        usedUntil[lane] = used.addingTimeInterval(interval)
        return .seconds(wait)
    }

    private struct Lane: Hashable {
        let endpoint: AppleEndpoint
        let environment: StoreEnvironment
    }

    private static let furthest: TimeInterval = 3_600

    private static func requestsPerSecond(of lane: Lane) -> Double {
        switch lane.environment {
        case .production: lane.endpoint.requestsPerSecond
        case .sandbox: lane.endpoint.requestsPerSecond / 10
        }
    }
}
