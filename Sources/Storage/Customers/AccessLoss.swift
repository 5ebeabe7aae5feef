package import Billing
package import Foundation
import Postgres

/// The reason for which what a customer had last gives no access any more, with the event that says so.
package struct AccessLoss: Sendable, Hashable {
    package var reason: Reason
    package var store: Store
    package var subscription: Subscription.ID
    /// The store's time of the event, or that of staff's action.
    package var at: Date
    /// The notification that told of it; nil where none did.
    package var notification: UUID?

    package init(
        reason: Reason,
        store: Store,
        subscription: Subscription.ID,
        at: Date,
        notification: UUID? = nil
    ) {
        (self.reason, self.store, self.subscription) = (reason, store, subscription)
        (self.at, self.notification) = (at, notification)
    }

    package enum Reason: Sendable, Hashable, CaseIterable {
        /// The store gave the money back.
        case refunded
        /// Whoever paid shares it no longer.
        case sharingEnded
        /// The customer turned renewal off, and the period is over.
        case renewalOff
        /// The store could not charge for the next period.
        case paymentFailed
        case paused
        /// Staff took the access away.
        case staff
        /// It ended, and nothing says why.
        case ended
    }

    /// An event of the subscription that may be the reason.
    struct Event: Sendable {
        var kind: StoreEvent.Kind
        var at: Date
        var notification: UUID?
    }

    /// The kinds of events that give or end access, or decide whether it goes on.
    static let kinds: [StoreEvent.Kind] = [
        .subscribed, .resubscribed, .renewed, .recovered, .upgraded, .autoRenewEnabled, .autoRenewDisabled,
        .gracePeriodEntered, .billingRetryEntered, .gracePeriodExpired, .expired, .refunded, .revoked, .paused,
        .resumed,
        .purchasedOnce,
    ]

    /// The event that is the reason, of a subscription that stands in `state`.
    ///
    /// - Parameter events: newest first.
    static func cause(of state: Subscription.State, _ events: [Event]) -> (reason: Reason, event: Event)? {
        func newest(_ kind: StoreEvent.Kind) -> Event? { events.first { $0.kind == kind } }
        switch state {
        case .revoked:
            if let event = events.first(where: { $0.kind == .refunded || $0.kind == .revoked }) {
                return (event.kind == .refunded ? .refunded : .sharingEnded, event)
            }
        case .paused:
            if let event = newest(.paused) { return (.paused, event) }
        case .pending, .trial, .active, .gracePeriod, .cancelled: return nil
        case .billingRetry, .expired, .trialExpired:
            for event in events {
                switch event.kind {
                case .autoRenewDisabled: return (.renewalOff, event)
                case .gracePeriodEntered, .billingRetryEntered: return (.paymentFailed, event)
                case .gracePeriodExpired, .expired: continue
                // An event that gave access, or has it go on, is no reason for its end.
                case _: break
                }
                break
            }
        }
        return events.first { $0.kind == .expired }.map { (.ended, $0) }
    }
}

extension Queries {
    /// The reason for which a subscription gives no access; nil where it gives some, or nothing says why.
    func accessLoss(of held: HeldSubscription, at now: Date) async throws -> AccessLoss? {
        if let suspendedAt = held.suspendedAt {
            return AccessLoss(reason: .staff, store: held.store, subscription: held.id, at: suspendedAt)
        }
        let events = try await reader.query(
            """
            SELECT kind, signed_at, notification_id
            FROM subscription_events
            WHERE subscription_id = \(held.id) AND rejection_reason IS NULL
                AND kind = ANY(\(AccessLoss.kinds.map(\.rawValue)))
            ORDER BY signed_at DESC, id DESC
            LIMIT 50
            """
        ).map { row in
            let (kind, at, notification) = try row.decode(StoreEvent.Kind.self, Date.self, UUID?.self)
            return AccessLoss.Event(kind: kind, at: at, notification: notification)
        }
        return AccessLoss.cause(of: held.subscription.state(at: now), events).map { cause in
            AccessLoss(
                reason: cause.reason,
                store: held.store,
                subscription: held.id,
                at: cause.event.at,
                notification: cause.event.notification
            )
        }
    }
}
