import Billing
import Foundation
import Testing

@testable import Storage

@Suite("Why access was lost") struct AccessLossTests {
    /// Events by the day of the month, oldest first.
    private static func cause(_ state: Subscription.State, _ events: (StoreEvent.Kind, Int)...) -> String? {
        let newestFirst = events.reversed().map { kind, day in
            AccessLoss.Event(kind: kind, at: Date(timeIntervalSince1970: Double(day) * 86_400), notification: nil)
        }
        return AccessLoss.cause(of: state, newestFirst).map {
            "\($0.reason) \(Int($0.event.at.timeIntervalSince1970 / 86_400))"
        }
    }

    @Test("the event that decided is the reason, not the last one that was told")
    func reasons() {
        #expect(
            Self.cause(.expired, (.subscribed, 1), (.autoRenewDisabled, 26), (.expired, 31)) == "renewalOff 26"
        )
        #expect(
            Self.cause(.expired, (.renewed, 1), (.gracePeriodEntered, 20), (.gracePeriodExpired, 25), (.expired, 30))
                == "paymentFailed 20"
        )
        #expect(Self.cause(.billingRetry, (.renewed, 1), (.billingRetryEntered, 20)) == "paymentFailed 20")
        #expect(Self.cause(.revoked, (.renewed, 1), (.refunded, 7), (.autoRenewDisabled, 8)) == "refunded 7")
        #expect(Self.cause(.revoked, (.subscribed, 1), (.revoked, 9)) == "sharingEnded 9")
        #expect(Self.cause(.paused, (.renewed, 1), (.paused, 12)) == "paused 12")
        // Renewal was turned on again: nothing says why it ended.
        #expect(
            Self.cause(.expired, (.autoRenewDisabled, 3), (.autoRenewEnabled, 4), (.expired, 30)) == "ended 30"
        )
        #expect(Self.cause(.expired, (.renewed, 1)) == nil)
        #expect(Self.cause(.active, (.autoRenewDisabled, 3)) == nil)
    }
}
