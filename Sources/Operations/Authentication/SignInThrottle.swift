package import Foundation
package import Storage

/// The number of wrong passwords that block further attempts. Pure.
///
/// An attempt counts as failed when it begins and is uncounted when it succeeds, so parallel attempts cannot slip through. After `limit`
/// failures the subject waits 1 minute, then 2, 4, 8 and at most 15 after each further one: at most about `limit` + 96 guesses a day, and
/// nobody is locked out for good.
package struct SignInThrottle: Sendable {
    package var limit: Int

    package init(limit: Int) {
        self.limit = limit
    }

    package static let account = SignInThrottle(limit: 5)
    /// An office behind one address makes more mistakes than one person.
    package static let address = SignInThrottle(limit: 20)

    /// Failures older than this are forgotten.
    package static let memory: TimeInterval = 86_400
    private static let longestWaitMinutes = 15

    package enum Verdict: Sendable, Hashable {
        /// Go on; this is to be saved first.
        case admitted(SignInFailures)
        case refused(until: Date)
    }

    package func verdict(on known: SignInFailures?, at now: Date) -> Verdict {
        if let until = known?.blockedUntil, until > now { return .refused(until: until) }
        var counted = known ?? SignInFailures(failures: 0, countedSince: now, blockedUntil: nil)
        if now.timeIntervalSince(counted.countedSince) > Self.memory {
            counted = SignInFailures(failures: 0, countedSince: now, blockedUntil: nil)
        }
        counted.failures += 1
        counted.blockedUntil = wait(after: counted.failures).map(now.addingTimeInterval)
        return .admitted(counted)
    }

    /// The remaining failures once a counted attempt has succeeded; nil for none.
    package func takingBack(_ known: SignInFailures?) -> SignInFailures? {
        guard var counted = known, counted.failures > 1 else { return nil }
        counted.failures -= 1
        if counted.failures < limit { counted.blockedUntil = nil }
        return counted
    }

    private func wait(after failures: Int) -> TimeInterval? {
        guard failures >= limit else { return nil }
        let minutes = min(1 << min(failures - limit, 8), Self.longestWaitMinutes)
        return TimeInterval(minutes * 60)
    }
}
