import Billing
import Postgres

/// The events that tell of a charge: on a timeline of everything they are one line with it.
enum ChargeEvents {
    private static let kinds: [StoreEvent.Kind] = [
        .subscribed, .resubscribed, .renewed, .recovered, .upgraded, .purchasedOnce,
    ]

    /// That an event tells of the charge of an order; both are aliases in the statement. A store signs what it says of a purchase within days
    /// of it, which keeps what is looked through small.
    static func tells(_ event: Query, of order: Query) -> Query {
        """
        \(order).subscription_id = \(event).subscription_id AND \(event).kind = ANY(\(kinds.map(\.rawValue)))
            AND \(event).rejection_reason IS NULL AND \(order).joined_into IS NULL
            AND \(event).signed_at BETWEEN \(order).purchased_at - interval '1 day' AND \(order).purchased_at + interval '3 days'
            AND \(event).event -> 'transaction' ->> 'id' = \(order).transaction_id
        """
    }
}
