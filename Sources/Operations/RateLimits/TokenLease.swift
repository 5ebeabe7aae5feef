import Billing
import Foundation
import Storage

/// Tokens that a server has leased from a bucket, and its knowledge of the rest. Pure.
///
/// Leased tokens that are not spent lapse one by one each `interval`, just as fast as the bucket fills. That keeps the limit over all
/// servers. Let B be the bucket's depth and T its interval. The bucket gives out at most B + (b - t) / T tokens from the first lease that
/// still holds some (at t) until b, counting all leases. Of that first lease (a - t) / T have lapsed at a. So all servers together can
/// spend at most B + (b - a) / T from a until b: as much as one bucket that is asked for each call. At any one moment that is B, and over a
/// time it may be one call more, as tokens are whole.
///
/// So nothing is returned either: by the time a lease is over, the bucket has filled up by as much, even if its server was killed.
struct TokenLease: Sendable {
    let limit: RateLimit
    let grant: RateLimitGrant
    let leasedAt: Date
    /// The same by a monotonic clock.
    let instant: ContinuousClock.Instant
    private(set) var spent: Int64 = 0

    /// - Parameters:
    ///   - leasedAt: the time of the request, not of the answer: tokens then lapse too early rather than too late.
    init(_ grant: RateLimitGrant, of limit: RateLimit, at leasedAt: Date, _ instant: ContinuousClock.Instant) {
        (self.grant, self.limit, self.leasedAt, self.instant) = (grant, limit, leasedAt, instant)
    }

    /// Tokens that can be spent here.
    func held(at now: Date, _ instant: ContinuousClock.Instant) -> Int64 {
        max(0, grant.granted - spent - lapsed(at: now, instant))
    }

    /// Tokens that are left, here and in the bucket, as far as that is known here.
    func left(at now: Date, _ instant: ContinuousClock.Instant) -> Int64 {
        let lapsed = lapsed(at: now, instant)
        return min(limit.calls, max(0, grant.granted - spent - lapsed) + min(limit.calls, grant.left + lapsed))
    }

    /// Microseconds until the bucket, which was empty, has a token; nil where it is to be asked.
    func wait(at now: Date, _ instant: ContinuousClock.Instant) -> Int64? {
        guard grant.granted == 0, let elapsed = elapsed(at: now, instant), elapsed < grant.wait else { return nil }
        return grant.wait - elapsed
    }

    /// - Returns: false where nothing is left here.
    mutating func spend(at now: Date, _ instant: ContinuousClock.Instant) -> Bool {
        guard held(at: now, instant) > 0 else { return false }
        spent += 1
        return true
    }

    /// Puts back what was spent for a call that another limit refused.
    mutating func takeBack(of instant: ContinuousClock.Instant) {
        // The token of an earlier lease has lapsed with it.
        if instant == self.instant { spent = max(0, spent - 1) }
    }

    private func lapsed(at now: Date, _ instant: ContinuousClock.Instant) -> Int64 {
        // With a clock that went back nothing is known of the time: all of it is over.
        elapsed(at: now, instant).map { $0 / limit.interval } ?? grant.granted
    }

    /// Microseconds, by the clock that has gone farther; nil where one went back.
    private func elapsed(at now: Date, _ instant: ContinuousClock.Instant) -> Int64? {
        let seconds = now.timeIntervalSince(leasedAt)
        let (whole, attoseconds) = (instant - self.instant).components
        guard seconds >= 0, whole >= 0 else { return nil }
        // A day is longer than any bucket takes.
        let day: Int64 = 86_400 * 1_000_000
        let monotonic = whole >= 86_400 ? day : whole * 1_000_000 + attoseconds / 1_000_000_000_000
        return max(monotonic, seconds >= 86_400 ? day : Int64(bounding: (seconds * 1_000_000).rounded(.down)))
    }
}
