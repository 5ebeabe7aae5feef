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
        #expect(RefreshRotation(of: Self.state(), successor: nil, at: Self.now) == .rotated(voidsSuccessor: false))
    }

    @Test("one whose successor nobody used makes another pair, and voids the successor: the answer was lost")
    func lostAnswer() {
        let rotation = RefreshRotation(of: Self.state(isUsed: true), successor: Self.state(), at: Self.now)
        #expect(rotation == .rotated(voidsSuccessor: true))
    }

    @Test(
        "any other reuse ends the session",
        arguments: [
            (state(isUsed: true), state(isUsed: true)), (state(isUsed: true), nil), (state(isVoided: true), nil),
            (state(isVoided: true), state()), (state(isVoided: true, endsIn: -1), nil),
        ]
    )
    func reuse(presented: RefreshTokenState, successor: RefreshTokenState?) {
        #expect(RefreshRotation(of: presented, successor: successor, at: Self.now) == .reused)
    }

    @Test("at its very end it is over, and the session is left alone", arguments: [0.0, -1])
    func expired(seconds: Double) {
        for isUsed in [false, true] {
            let presented = Self.state(isUsed: isUsed, endsIn: seconds)
            #expect(RefreshRotation(of: presented, successor: nil, at: Self.now) == .expired)
        }
    }
}
