package import Foundation

/// The client's dependencies besides the network: the time, pauses and random numbers.
package struct AppleServerClock: Sendable {
    package var now: @Sendable () -> Date
    /// Throws if the task was cancelled.
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
