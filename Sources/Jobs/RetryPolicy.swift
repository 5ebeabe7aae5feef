/// The rule for failed work: when it is tried again, and when it is left to people.
package struct RetryPolicy: Sendable {
    /// The wait after the first attempt; each further one is twice as long.
    package var first: Duration = .seconds(1)
    /// The longest wait.
    package var cap: Duration = .seconds(600)
    /// The longest wait for what is not its own fault.
    package var passingCap: Duration = .seconds(30)

    package init(first: Duration = .seconds(1), cap: Duration = .seconds(600)) {
        self.first = first
        self.cap = cap
    }

    /// For what a store is asked or told: the longer it has not answered, the less often.
    static func store(atMost cap: Duration) -> RetryPolicy {
        var policy = RetryPolicy(cap: cap)
        policy.passingCap = cap
        return policy
    }

    /// The wait after the given attempt (1, 2, 3 …): `first`, twice, four times as long … up to `cap`, and up to a fifth more
    /// by `jitter` (0 ..< 1); nil when it was the last.
    package func delay(afterAttempt attempt: Int32, of attempts: Int32, jitter: Double) -> Duration? {
        guard attempt < attempts else { return nil }
        return wait(attempt, from: first, atMost: cap, jitter)
    }

    /// The wait after an attempt that failed because somebody else had locked the customer, or the database was away. There is
    /// no last one: it would be discarded for something that people cannot mend by looking at it.
    package func delayWhilePassing(afterAttempt attempt: Int32, jitter: Double) -> Duration {
        wait(attempt, from: .seconds(1), atMost: passingCap, jitter)
    }

    /// The wait after an attempt that failed because a setting is wrong. There is no last one: what waits is as good as before, and is done
    /// once people have seen to the setting.
    package func delayWhileMisconfigured(afterAttempt attempt: Int32, jitter: Double) -> Duration {
        wait(attempt, from: first, atMost: cap, jitter)
    }

    private func wait(_ attempt: Int32, from first: Duration, atMost cap: Duration, _ jitter: Double) -> Duration {
        let doublings = min(max(attempt, 1) - 1, 20)
        let wait = min(first * (1 << Int64(doublings)), cap)
        return wait + wait * (jitter / 5)
    }
}
