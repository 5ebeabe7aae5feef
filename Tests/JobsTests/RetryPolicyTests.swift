import Jobs
import Testing

@Suite("Retry policy") struct RetryPolicyTests {
    @Test("waits double from a second, up to the cap")
    func doubling() {
        let policy = RetryPolicy()
        let waits = (1..<10).map { policy.delay(afterAttempt: $0, of: 10, jitter: 0) }
        #expect(waits == [1, 2, 4, 8, 16, 32, 64, 128, 256].map { .seconds($0) })
        #expect(policy.delay(afterAttempt: 11, of: 100, jitter: 0) == .seconds(600))
        #expect(policy.delay(afterAttempt: 99, of: 100, jitter: 0) == .seconds(600))
        let slow = RetryPolicy(first: .seconds(60), cap: .seconds(3_600))
        let slowWaits = (5..<8).map { slow.delay(afterAttempt: $0, of: 60, jitter: 0) }
        #expect(slowWaits == [960, 1_920, 3_600].map { .seconds($0) })
    }

    @Test("the last attempt is followed by none, and neither is any after it", arguments: [10, 11, 1_000, Int32.max])
    func last(_ attempt: Int32) {
        #expect(RetryPolicy().delay(afterAttempt: attempt, of: 10, jitter: 0) == nil)
    }

    @Test("jitter adds up to a fifth", arguments: [0, 0.5, 0.999])
    func jitter(_ jitter: Double) throws {
        let wait = try #require(RetryPolicy().delay(afterAttempt: 5, of: 10, jitter: jitter))
        #expect(wait == .seconds(16) + .seconds(16) * (jitter / 5))
        #expect((.seconds(16) ..< .milliseconds(19_200)).contains(wait))
    }

    @Test("numbers that no attempt has are not a crash", arguments: [0, -1, Int32.min])
    func odd(_ attempt: Int32) {
        #expect(RetryPolicy().delay(afterAttempt: attempt, of: 10, jitter: 0) == .seconds(1))
    }
}
