import Billing
import Testing

@testable import Gateways

@Suite("What follows from a status of verifyReceipt")
struct VerifyReceiptStepTests {
    @Test(
        "each documented status, asked in production first",
        arguments: [
            (0, nil, .accept), (21_000, nil, .refuse(.badRequest)), (21_001, nil, .retry(lastly: .unavailable)),
            (21_002, nil, .retry(lastly: .malformed)), (21_003, nil, .refuse(.notAuthentic)),
            (21_004, nil, .refuse(.wrongSecret)), (21_005, nil, .retry(lastly: .unavailable)), (21_006, nil, .accept),
            (21_007, nil, .ask(.sandbox)), (21_008, nil, .refuse(.noEnvironment)),
            (21_009, nil, .retry(lastly: .unavailable)), (21_010, nil, .refuse(.neverPurchased)),
            (21_011, nil, .retry(lastly: .unknown)), (21_099, nil, .retry(lastly: .unknown)),
            (21_100, true, .retry(lastly: .unavailable)), (21_100, false, .refuse(.internalError)),
            (21_199, true, .retry(lastly: .unavailable)), (21_199, nil, .retry(lastly: .unavailable)),
            (21_200, true, .retry(lastly: .unknown)), (-1, nil, .retry(lastly: .unknown)),
            (.max, true, .retry(lastly: .unknown)),
        ] as [(Int64, Bool?, VerifyReceiptStep)]
    )
    func statuses(_ status: Int64, _ isRetryable: Bool?, _ step: VerifyReceiptStep) {
        let found = VerifyReceiptStep.after(
            status: status,
            isRetryable: isRetryable,
            askedIn: .production,
            hasSwitched: false
        )
        #expect(found == step)
    }

    @Test("the other environment is asked once: two that name each other end the matter")
    func switching() {
        func step(_ status: Int64, in environment: StoreEnvironment, _ hasSwitched: Bool) -> VerifyReceiptStep {
            .after(status: status, isRetryable: nil, askedIn: environment, hasSwitched: hasSwitched)
        }
        #expect(step(21_007, in: .production, false) == .ask(.sandbox))
        #expect(step(21_008, in: .sandbox, true) == .refuse(.noEnvironment))
        #expect(step(21_007, in: .sandbox, true) == .refuse(.noEnvironment))
        #expect(step(21_008, in: .sandbox, false) == .ask(.production))
        #expect(step(21_007, in: .production, true) == .refuse(.noEnvironment))
    }

    @Test(
        "every refusal is an error that says its status where Apple gave one, and only documented ones are Apple's no"
    )
    func refusals() {
        let open: Set<VerifyReceiptStep.Refusal> = [.unavailable, .unknown, .badRequest, .wrongSecret]
        for refusal in VerifyReceiptStep.Refusal.allCases {
            let failure = refusal.failure(21_105)
            #expect(!failure.message.isEmpty)
            #expect((failure.refusal == nil) == open.contains(refusal))
        }
    }
}
