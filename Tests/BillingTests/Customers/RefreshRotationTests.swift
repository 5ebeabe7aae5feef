import Billing
import Foundation
import Testing

@Suite("Refresh tokens that are presented") struct RefreshRotationTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    private static func state(
        isUsed: Bool = false,
        isVoided: Bool = false,
        endsIn seconds: Double = 60
    ) -> RefreshTokenState {
        RefreshTokenState(isUsed: isUsed, isVoided: isVoided, expiresAt: now.addingTimeInterval(seconds))
    }

    @Test("one that was never used makes a new pair")
    func fresh() {
        #expect(RefreshRotation(of: Self.state(), successors: [], at: Self.now) == .rotated)
    }

    @Test(
        "one whose successors nobody used makes another pair: the answer was lost, or it was sent twice at once",
        arguments: 1...3
    )
    func lostAnswer(times: Int) {
        let successors = Array(repeating: Self.state(), count: times)
        #expect(RefreshRotation(of: Self.state(isUsed: true), successors: successors, at: Self.now) == .rotated)
    }

    @Test(
        "any other reuse ends the session",
        arguments: [
            (state(isUsed: true), [state(isUsed: true)]), (state(isUsed: true), [state(), state(isUsed: true)]),
            (state(isUsed: true), []), (state(isVoided: true), []), (state(isVoided: true), [state()]),
            (state(isVoided: true, endsIn: -1), []),
        ]
    )
    func reuse(presented: RefreshTokenState, successors: [RefreshTokenState]) {
        #expect(RefreshRotation(of: presented, successors: successors, at: Self.now) == .reused)
    }

    @Test("at its very end it is over, and the session is left alone", arguments: [0.0, -1])
    func expired(seconds: Double) {
        for isUsed in [false, true] {
            let presented = Self.state(isUsed: isUsed, endsIn: seconds)
            #expect(RefreshRotation(of: presented, successors: [], at: Self.now) == .expired)
        }
    }
}
