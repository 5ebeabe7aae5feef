package import Foundation
import Postgres
import Synchronization

/// The clock of the primary as this program knows it: one for all servers, whatever their own clocks say.
///
/// Answers of the primary tell its time (`hear`); between them this machine only counts what has passed since. So it is exact to the
/// time that an answer takes, and never ahead of the primary's.
package final class PrimaryClock: Sendable {
    /// Stands in for the primary's; nil in production.
    private let replacement: (@Sendable () -> Date)?
    /// This machine's, for as long as nothing was heard.
    private let own: @Sendable () -> Date
    private let start = ContinuousClock.now
    private let heard = Mutex<Heard?>(nil)

    private struct Heard {
        /// The primary's time at `start`, in seconds since the reference date.
        var origin: TimeInterval
        var at: ContinuousClock.Instant
    }

    /// - Parameters:
    ///   - replacement: a source of the time, in place of the primary's.
    ///   - own: this machine's clock.
    package init(replacement: (@Sendable () -> Date)? = nil, own: @escaping @Sendable () -> Date = { Date() }) {
        self.replacement = replacement
        self.own = own
    }

    package var now: Date {
        if let replacement { return replacement() }
        guard let heard = heard.withLock(\.self) else { return own() }
        return Date(timeIntervalSinceReferenceDate: heard.origin + seconds(until: .now))
    }

    /// `now` where the clock is replaced; nil where PostgreSQL's own will do.
    var replaced: Date? { replacement?() }

    /// True where the next statement should ask for the time, too.
    var wantsToHear: Bool {
        guard replacement == nil else { return false }
        return heard.withLock { $0.map { ContinuousClock.now - $0.at > Self.freshness } ?? true }
    }

    /// Takes in what the primary's clock said between two moments. An answer proves a span of what its time can be; what was known
    /// before stays where it lies in that.
    package func hear(_ moment: Date, asked: ContinuousClock.Instant, answered: ContinuousClock.Instant = .now) {
        let said = moment.timeIntervalSinceReferenceDate
        let span = (said - seconds(until: answered))...(said - min(seconds(until: asked), seconds(until: answered)))
        heard.withLock { heard in
            let known = heard?.origin ?? span.lowerBound
            heard = Heard(origin: min(max(known, span.lowerBound), span.upperBound), at: answered)
        }
    }

    private func seconds(until instant: ContinuousClock.Instant) -> TimeInterval { (instant - start) / .seconds(1) }

    /// The time after which quartz may have drifted by a part of a millisecond, and another primary may have taken over.
    private static let freshness: Duration = .seconds(5)
}
