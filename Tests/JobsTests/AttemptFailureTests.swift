import Operations
import Postgres
import Testing

@testable import Jobs

@Suite("What people are told of a failure") struct AttemptFailureTests {
    @Test("a rejectionReason of ours is told as it is, and is final unless it is a matter of time")
    func ours() {
        let rejectionReason = AttemptFailure(
            OperationsError(.notFound, "The product x is not in the app's catalogue.")
        )
        #expect(rejectionReason.reason == "The product x is not in the app's catalogue.")
        #expect(rejectionReason.isFinal)
        #expect(!AttemptFailure(OperationsError(.overloaded, "Later.")).isFinal)
    }

    @Test("what can never be stored is not tried again")
    func unusable() {
        let failure = AttemptFailure(PostgresError(.encoding, "a date is outside the range of timestamptz"))
        #expect(failure.reason == "It holds a value that cannot be stored.")
        #expect(failure.isFinal)
    }

    @Test("what somebody else has locked and a database that is away are tried again for as long as it takes")
    func passing() {
        let busy = AttemptFailure(
            PostgresError(.server(.lockNotAvailable), "canceling statement due to lock timeout")
        )
        #expect(busy.reason == "Somebody else is changing this customer; it is tried again.")
        #expect(busy.isPassing && !busy.isFinal)
        let away = AttemptFailure(PostgresError(.connectionLost, "host=10.0.0.7"))
        #expect(away.isPassing && !away.isFinal && !away.reason.contains("10.0.0.7"))
        let policy = RetryPolicy()
        #expect(policy.delayWhilePassing(afterAttempt: 1, jitter: 0) == .seconds(1))
        #expect(policy.delayWhilePassing(afterAttempt: 400, jitter: 0) == .seconds(30))
    }

    @Test("what a wrong setting holds up waits for people, counts as no attempt, and is tried less and less often")
    func setting() {
        let failure = AttemptFailure(OperationsError(.misconfigured, "The app has no account at wechat any more."))
        #expect(failure.reason == "The app has no account at wechat any more.")
        #expect(failure.isOfASetting && failure.doesNotCount && !failure.isFinal && !failure.isPassing)
        let policy = RetryPolicy()
        #expect(policy.delayWhileMisconfigured(afterAttempt: 1, jitter: 0) == .seconds(1))
        #expect(policy.delayWhileMisconfigured(afterAttempt: 400, jitter: 0) == .seconds(600))
    }

    @Test("a stranger's text stays in the log, and is tried again")
    func strangers() {
        let failure = AttemptFailure(PostgresError(.connectionLost, "host=10.0.0.7 password=secret"))
        #expect(!failure.reason.contains("secret"))
        #expect(!failure.isFinal)
    }
}
