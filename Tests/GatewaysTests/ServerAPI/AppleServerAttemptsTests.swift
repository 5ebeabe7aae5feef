import Billing
import Foundation
import Gateways
import Testing

@Suite("What is asked next")
struct AppleServerAttemptsTests {
    private let now = Date(timeIntervalSince1970: 1_790_000_000)

    private func error(
        _ code: AppleErrorCode? = nil,
        status: Int? = nil,
        of endpoint: AppleEndpoint = .transactionInfo,
        retryAfter: TimeInterval? = nil
    ) -> AppleServerError {
        AppleServerError(
            endpoint,
            in: .production,
            httpStatus: status ?? code.map { Int($0.rawValue / 10_000) },
            rawCode: code?.rawValue,
            retryAfter: retryAfter.map(now.addingTimeInterval),
            cause: code == nil && status == nil ? GatewayError(.unreachable, "Away.") : nil
        )
    }

    @Test("the sandbox is asked once, and only where the environment is not known")
    func environments() {
        var unknown = AppleServerAttempts(in: nil)
        #expect(unknown.next(after: error(.transactionIDNotFound), at: now, jitter: 0) == .ask(.sandbox, after: .zero))
        #expect(unknown.next(after: error(.transactionIDNotFound), at: now, jitter: 0) == .giveUp)
        for known in StoreEnvironment.allCases {
            var attempts = AppleServerAttempts(in: known)
            #expect(attempts.next(after: error(.transactionIDNotFound), at: now, jitter: 0) == .giveUp)
            #expect(attempts.next(after: error(status: 401), at: now, jitter: 0) == .giveUp)
        }
    }

    @Test("each endpoint has its own word for not found", arguments: AppleEndpoint.allCases)
    func notFound(endpoint: AppleEndpoint) {
        let others: [AppleErrorCode] = [.transactionIDNotFound, .originalTransactionIDNotFound]
        for code in others {
            var attempts = AppleServerAttempts(in: nil)
            let step = attempts.next(after: error(code, of: endpoint), at: now, jitter: 0)
            #expect(step == (code == endpoint.notFound ? .ask(.sandbox, after: .zero) : .giveUp))
        }
    }

    @Test("where the sandbox cannot be reached, nobody knows whether it has the transaction: it is asked again")
    func unreachableSandbox() {
        var attempts = AppleServerAttempts(in: nil)
        _ = attempts.next(after: error(.transactionIDNotFound), at: now, jitter: 0)
        #expect(attempts.next(after: error(), at: now, jitter: 0) == .ask(.sandbox, after: .seconds(1)))
    }

    @Test("pauses double, with up to a fifth by chance, and end")
    func pauses() {
        var attempts = AppleServerAttempts(in: .production)
        let steps = (0..<5).map { _ in attempts.next(after: error(status: 503), at: now, jitter: 0.5) }
        #expect(
            steps == [1, 2, 4, 8].map { .ask(.production, after: .seconds($0) + .seconds($0) * 0.1) } + [.giveUp]
        )
    }

    @Test("only codes that Apple calls retryable are asked again", arguments: AppleErrorCode.allCases)
    func codes(code: AppleErrorCode) {
        let passing: Set<Int64> = [4_040_002, 4_040_004, 4_040_006, 4_290_000, 5_000_000, 5_000_001]
        var attempts = AppleServerAttempts(in: .production)
        let step = attempts.next(after: error(code), at: now, jitter: 0)
        #expect((step != .giveUp) == passing.contains(code.rawValue))
    }

    @Test(
        "what may have been done is asked again only where twice is as good as once",
        arguments: AppleEndpoint.allCases
    )
    func effects(endpoint: AppleEndpoint) {
        for (failure, isRefusal) in [
            (error(of: endpoint), false), (error(status: 500, of: endpoint), false),
            (error(.generalInternalRetryable, of: endpoint), false), (error(.rateLimitExceeded, of: endpoint), true),
            (error(.appNotFoundRetryable, of: endpoint), true),
        ] {
            var attempts = AppleServerAttempts(in: .production)
            let step = attempts.next(after: failure, at: now, jitter: 0)
            #expect((step != .giveUp) == (isRefusal || endpoint != .testNotification))
        }
    }

    @Test("Apple's moment is obeyed; one that is over counts as none; a far one ends it")
    func moments() {
        for (ahead, step) in [
            (30, .ask(.production, after: .seconds(30))), (-5, .ask(.production, after: .seconds(1))),
            (61, .giveUp),
        ] as [(TimeInterval, AppleServerAttempts.Step)] {
            var attempts = AppleServerAttempts(in: .production)
            #expect(attempts.next(after: error(.rateLimitExceeded, retryAfter: ahead), at: now, jitter: 0) == step)
        }
    }

    @Test("as many calls at once as a second allows, then one by one; a tenth in the sandbox")
    func pace() {
        var pace = AppleServerPace()
        let patient = Duration.seconds(60)
        for _ in 0..<50 {
            #expect(
                pace.reserve(.transactionInfo, in: .production, at: now, waitingAtMost: patient)! < .milliseconds(1)
            )
        }
        let next = pace.reserve(.transactionInfo, in: .production, at: now, waitingAtMost: patient)!
        #expect(next > .milliseconds(15) && next < .milliseconds(25))
        #expect(pace.reserve(.transactionHistory, in: .production, at: now, waitingAtMost: patient) == .zero)
        #expect(pace.reserve(.massExtend, in: .sandbox, at: now, waitingAtMost: patient) == .zero)
        #expect(pace.reserve(.massExtend, in: .sandbox, at: now, waitingAtMost: patient) == .seconds(10))
        #expect(pace.reserve(.massExtend, in: .sandbox, at: now, waitingAtMost: .seconds(9)) == nil)
        #expect(pace.reserve(.massExtend, in: .sandbox, at: now, waitingAtMost: patient) == .seconds(20))
        #expect(
            pace.reserve(.massExtend, in: .sandbox, at: now.addingTimeInterval(30), waitingAtMost: patient) == .zero
        )
    }
}
