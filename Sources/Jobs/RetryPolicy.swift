/// When something that failed is tried again, and when it is left to people.
package struct RetryPolicy: Sendable {
    /// Tries in all; after the last one it is parked.
    package var attempts: Int32 = 10
    /// The longest wait.
    package var cap: Duration = .seconds(600)

    /// The longest wait for what is not the notification's fault.
    package var passingCap: Duration = .seconds(30)

    package init() {}

    /// The wait after the given attempt (1, 2, 3 …): 1, 2, 4, 8 s … up to `cap`, and up to a fifth more by `jitter`
    /// (0 ..< 1); nil when it was the last.
    package func delay(afterAttempt attempt: Int32, jitter: Double) -> Duration? {
        guard attempt < attempts else { return nil }
        return wait(attempt, atMost: cap, jitter)
    }

    /// The wait after an attempt that failed because somebody else had locked the customer, or the database was away. There is
    /// no last one: it would be parked for something that people cannot mend by looking at it.
    package func delayWhilePassing(afterAttempt attempt: Int32, jitter: Double) -> Duration {
        wait(attempt, atMost: passingCap, jitter)
    }

    private func wait(_ attempt: Int32, atMost cap: Duration, _ jitter: Double) -> Duration {
        let doublings = min(max(attempt, 1) - 1, 30)
        let wait = min(Duration.seconds(1 << Int64(doublings)), cap)
        return wait + wait * (jitter / 5)
    }
}
