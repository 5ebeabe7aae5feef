import Billing
import Foundation
import Testing

/// What each event does in each state: the state it leads to by its letter, `.` for none, `!` for a refusal.
enum TransitionTable {
    /// Signed on day 40, about the period that the subscription is in (for `pending`: about its first).
    static let current = """
        .                       P  T  A  G  R  C  Z  E  X  V
        subscribed              A  .  .  .  .  .  .  .  .  .
        resubscribed            A  .  .  .  .  .  .  .  .  .
        renewed                 A  .  .  .  .  .  .  .  .  .
        recovered               A  .  .  .  .  .  .  .  .  .
        upgraded                A  .  .  .  .  .  .  .  .  .
        downgradeScheduled      A  .  .  .  .  .  .  .  .  .
        planChangeCancelled     A  .  .  .  .  .  .  .  .  .
        autoRenewEnabled        A  .  .  .  .  A  .  .  .  .
        autoRenewDisabled       C  C  C  .  .  .  .  .  .  .
        offerRedeemed           A  .  .  .  .  .  .  .  .  .
        seatsChanged            A  .  .  .  .  .  .  .  .  .
        gracePeriodEntered      G  G  G  .  G  G  G  .  .  .
        billingRetryEntered     R  R  R  R  .  R  R  .  .  .
        gracePeriodExpired      R  R  R  R  .  R  R  .  .  .
        expired                 E  X  E  E  E  E  E  .  .  .
        priceIncreasePending    A  .  .  .  .  .  .  .  .  .
        priceIncreaseAccepted   A  .  .  .  .  .  .  .  .  .
        refunded                V  V  V  V  V  V  V  V  V  .
        seatsRefunded           A  .  .  .  .  .  .  .  .  .
        refundDeclined          A  .  .  .  .  .  .  .  .  .
        refundReversed          A  .  .  .  .  .  .  .  .  A
        refundRequested         A  .  .  .  .  .  .  .  .  .
        revoked                 V  V  V  V  V  V  V  V  V  .
        renewalExtended         A  .  .  A  A  .  .  A  T  .
        renewalExtensionFailed  A  .  .  .  .  .  .  .  .  .
        periodMoved             A  .  .  .  .  .  .  .  .  .
        purchasedOnce           A  .  .  .  .  .  .  .  .  .
        paused                  Z  Z  Z  Z  Z  Z  .  !  !  !
        resumed                 A  .  .  .  .  .  A  !  !  !
        observed                A  .  .  .  .  .  .  .  .  .
        informational                   .  .  .  .  .  .  .  .  .  .
        """

    /// Signed on day 40, about a period that starts after the one the subscription is in: it opens, whatever was
    /// before. No charge fails for what is paid for until day 60: access goes on until then.
    static let later = """
        .                       P  T  A  G  R  C  Z  E  X  V
        subscribed              A  A  .  A  A  A  A  A  A  A
        resubscribed            A  A  .  A  A  A  A  A  A  A
        renewed                 A  A  .  A  A  A  A  A  A  A
        recovered               A  A  .  A  A  A  A  A  A  A
        upgraded                A  A  .  A  A  A  A  A  A  A
        downgradeScheduled      A  A  .  A  A  A  A  A  A  A
        planChangeCancelled     A  A  .  A  A  A  A  A  A  A
        autoRenewEnabled        A  A  .  A  A  A  A  A  A  A
        autoRenewDisabled       C  C  C  C  C  .  C  C  C  C
        offerRedeemed           A  A  .  A  A  A  A  A  A  A
        seatsChanged            A  A  .  A  A  A  A  A  A  A
        gracePeriodEntered      G  G  G  .  G  G  G  G  G  G
        billingRetryEntered     G  G  G  .  G  G  G  G  G  G
        gracePeriodExpired      G  G  G  .  G  G  G  G  G  G
        expired                 E  E  E  E  E  E  E  .  E  E
        priceIncreasePending    A  A  .  A  A  A  A  A  A  A
        priceIncreaseAccepted   A  A  .  A  A  A  A  A  A  A
        refunded                V  V  V  V  V  V  V  V  V  .
        seatsRefunded           A  A  .  A  A  A  A  A  A  A
        refundDeclined          A  A  .  A  A  A  A  A  A  A
        refundReversed          A  A  .  A  A  A  A  A  A  A
        refundRequested         A  A  .  A  A  A  A  A  A  A
        revoked                 V  V  V  V  V  V  V  V  V  .
        renewalExtended         A  A  .  A  A  A  A  A  A  A
        renewalExtensionFailed  A  A  .  A  A  A  A  A  A  A
        periodMoved             A  A  .  A  A  A  A  A  A  A
        purchasedOnce           A  A  .  A  A  A  A  A  A  A
        paused                  Z  Z  Z  Z  Z  Z  .  Z  Z  Z
        resumed                 A  A  .  A  A  A  A  A  A  A
        observed                A  A  .  A  A  A  A  A  A  A
        informational                   .  .  .  .  .  .  .  .  .  .
        """

    /// Signed on day 40, about a period before the one the subscription is in: nothing but renewal on or off concerns
    /// it.
    static let earlier = """
        .                       T  A  G  R  C  Z  E  X  V
        subscribed              .  .  .  .  .  .  .  .  .
        resubscribed            .  .  .  .  .  .  .  .  .
        renewed                 .  .  .  .  .  .  .  .  .
        recovered               .  .  .  .  .  .  .  .  .
        upgraded                .  .  .  .  .  .  .  .  .
        downgradeScheduled      .  .  .  .  .  .  .  .  .
        planChangeCancelled     .  .  .  .  .  .  .  .  .
        autoRenewEnabled        .  .  .  .  A  .  .  .  .
        autoRenewDisabled       C  C  .  .  .  .  .  .  .
        offerRedeemed           .  .  .  .  .  .  .  .  .
        seatsChanged            .  .  .  .  .  .  .  .  .
        gracePeriodEntered      .  .  .  .  .  .  .  .  .
        billingRetryEntered     .  .  .  .  .  .  .  .  .
        gracePeriodExpired      .  .  .  .  .  .  .  .  .
        expired                 .  .  .  .  .  .  .  .  .
        priceIncreasePending    .  .  .  .  .  .  .  .  .
        priceIncreaseAccepted   .  .  .  .  .  .  .  .  .
        refunded                .  .  .  .  .  .  .  .  .
        seatsRefunded           .  .  .  .  .  .  .  .  .
        refundDeclined          .  .  .  .  .  .  .  .  .
        refundReversed          .  .  .  .  .  .  .  .  .
        refundRequested         .  .  .  .  .  .  .  .  .
        revoked                 .  .  .  .  .  .  .  .  .
        renewalExtended         .  .  .  .  .  .  .  .  .
        renewalExtensionFailed  .  .  .  .  .  .  .  .  .
        periodMoved             .  .  .  .  .  .  .  .  .
        purchasedOnce           .  .  .  .  .  .  .  .  .
        paused                  .  .  .  .  .  .  .  .  .
        resumed                 .  .  .  .  .  .  .  .  .
        observed                .  .  .  .  .  .  .  .  .
        informational                   .  .  .  .  .  .  .  .  .
        """
}

/// One letter a state, as the tables below have them.
private let letters: [Subscription.State: Character] = [
    .pending: "P", .trial: "T", .active: "A", .gracePeriod: "G", .billingRetry: "R", .cancelled: "C", .paused: "Z",
    .expired: "E", .trialExpired: "X", .revoked: "V",
]

/// One cell of a table: what an event does to a subscription in a state. `.` leaves the state, `!` is refused.
struct Cell: CustomTestStringConvertible, Sendable {
    var state: Subscription.State
    var kind: StoreEvent.Kind
    var expected: Character

    var testDescription: String { "\(state) \(kind) -> \(expected)" }

    static func read(_ table: String) throws -> [Cell] {
        let lines = table.split(separator: "\n").map { $0.split(separator: " ") }
        let columns = try #require(lines.first).compactMap { letter in letters.first { String($0.value) == letter }?.key
        }
        return try lines.dropFirst().flatMap { line in
            let kind = try #require(StoreEvent.Kind(rawValue: String(line[0])))
            try #require(line.count == columns.count + 1)
            return zip(columns, line.dropFirst()).map { Cell(state: $0, kind: kind, expected: $1.first ?? "?") }
        }
    }

    /// Applies the event to a subscription in the state and compares.
    func check(_ transaction: StoreTransaction, location: SourceLocation = #_sourceLocation) throws {
        let before = try Subscription.sample(in: state)
        var after = before
        let event = StoreEvent.told(kind, on: 40, transaction)
        guard expected != "!" else {
            #expect(throws: TransitionRefused.self, sourceLocation: location) { try after.apply(event) }
            #expect(after == before, "a refused event leaves no trace", sourceLocation: location)
            return
        }
        _ = try after.apply(event)
        let isUnchanged = after.state == state
        let seen = letters[after.state]
        #expect(
            expected == "." ? isUnchanged : seen == expected,
            "\(state) became \(after.state)",
            sourceLocation: location
        )
    }
}

extension Subscription {
    /// A subscription that events brought into a state, in its period `t1` from day 0 to day 30.
    static func sample(in state: State) throws -> Subscription {
        let paid = StoreTransaction.sold("t1", from: 0, to: 30)
        let free = StoreTransaction.sold("t1", from: 0, to: 30, for: .yuan(0), trial: true)
        let events: [StoreEvent] =
            switch state {
            case .pending: []
            case .trial: [.told(.subscribed, on: 0, free)]
            case .active: [.told(.subscribed, on: 0, paid)]
            case .gracePeriod:
                [.told(.subscribed, on: 0, paid), .told(.gracePeriodEntered, on: 30, paid, .grace(until: 46))]
            case .billingRetry: [.told(.subscribed, on: 0, paid), .told(.billingRetryEntered, on: 30, paid)]
            case .cancelled: [.told(.subscribed, on: 0, paid), .told(.autoRenewDisabled, on: 5, paid)]
            case .paused: [.told(.subscribed, on: 0, paid), .told(.paused, on: 30, paid)]
            case .expired: [.told(.subscribed, on: 0, paid), .told(.expired, on: 30, paid)]
            case .trialExpired: [.told(.subscribed, on: 0, free), .told(.expired, on: 30, free)]
            case .revoked: [.told(.subscribed, on: 0, paid), .told(.refunded, on: 6, paid.takenBack(on: 6))]
            }
        var subscription = Subscription()
        for event in events { _ = try subscription.apply(event) }
        try #require(subscription.state == state)
        return subscription
    }
}
