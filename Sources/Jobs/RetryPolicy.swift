/// When something that failed is tried again, and when it is left to people.
package struct RetryPolicy: Sendable {
    /// Tries in all; after the last one it is parked.
    package var attempts: Int32 = 10
    /// The longest wait.
    package var cap: Duration = .seconds(600)

    package init() {}

    /// The wait after the given attempt (1, 2, 3 …): 1, 2, 4, 8 s … up to `cap`, and up to a fifth more by `jitter`
    /// (0 ..< 1); nil when it was the last.
    package func delay(afterAttempt attempt: Int32, jitter: Double) -> Duration? {
        guard attempt < attempts else { return nil }
        let doublings = min(max(attempt, 1) - 1, 30)
        let wait = min(Duration.seconds(1 << Int64(doublings)), cap)
        return wait + wait * (jitter / 5)
    }
}
