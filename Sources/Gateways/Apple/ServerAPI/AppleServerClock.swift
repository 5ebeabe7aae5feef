package import Foundation

/// What the client of the App Store Server API takes from outside of what it is asked: time, waiting, chance.
package struct AppleServerClock: Sendable {
    package var now: @Sendable () -> Date
    /// Throws when the task was cancelled.
    package var sleep: @Sendable (Duration) async throws -> Void
    /// 0 ..< 1
    package var jitter: @Sendable () -> Double

    package init(
        now: @escaping @Sendable () -> Date,
        sleep: @escaping @Sendable (Duration) async throws -> Void,
        jitter: @escaping @Sendable () -> Double
    ) {
        self.now = now
        self.sleep = sleep
        self.jitter = jitter
    }

    package static let system = AppleServerClock(
        now: { Date() },
        sleep: { try await Task.sleep(for: $0) },
        jitter: { Double.random(in: 0..<1) }
    )
}
