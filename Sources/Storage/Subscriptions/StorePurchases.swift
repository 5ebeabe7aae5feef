package import Billing
import Postgres

/// A purchase by the names that its store knows it by.
package struct StorePurchase: Sendable, Hashable {
    package var transactionID: String
    package var kind: StoreTransaction.Kind
    /// `StoreEvent.purchaseToken`
    package var token: String?
}

/// The purchases of a subscription whose store waits, or has waited, to be told that they were delivered.
package struct AwaitedPurchases: Sendable, Hashable {
    package var store: Store
    /// True if somebody has what was bought: the app gave the store their account, or they have claimed it.
    package var isHeld: Bool
    package var purchases: [StorePurchase]
}

extension Reader {
    /// nil where the app has no such subscription.
    package func awaitedPurchases(of subscription: Subscription.ID, app: App.ID) async throws -> AwaitedPurchases? {
        let found = try await query(
            """
            SELECT s.store, c.deleted_at IS NULL AND (c.external_id IS NOT NULL OR c.identified_at IS NOT NULL
                OR c.app_account_token IS NOT NULL OR NOT starts_with(c.key, s.store || ':'))
            FROM subscriptions s
            JOIN customers c ON c.id = s.customer_id
            WHERE s.id = \(subscription) AND s.app_id = \(app)
            """
        )
        guard let row = found.first else { return nil }
        let (store, isHeld) = try row.decode(Store.self, Bool.self)
        let rows = try await query(
            """
            SELECT DISTINCT ON (coalesce(e.event ->> 'purchaseToken', e.event -> 'transaction' ->> 'id'))
                e.event -> 'transaction' ->> 'id', e.event -> 'transaction' ->> 'kind', e.event ->> 'purchaseToken'
            FROM subscription_events e
            WHERE e.subscription_id = \(subscription) AND e.event ->> 'awaitsAcknowledgement' = 'true'
                AND e.rejection_reason IS NULL
            ORDER BY coalesce(e.event ->> 'purchaseToken', e.event -> 'transaction' ->> 'id'), e.signed_at DESC
            """
        )
        return AwaitedPurchases(store: store, isHeld: isHeld, purchases: try rows.map(StorePurchase.init(row:)))
    }

    /// The newest purchase of a subscription: that of its present period, with the token by which its store is asked now.
    ///
    /// - Returns: nil where there is no such subscription.
    package func newestPurchase(of subscription: Subscription.ID) async throws -> StorePurchase? {
        try await query(
            """
            SELECT coalesce(s.transaction_id, s.original_transaction_id), 'autoRenewable', \(StorePurchase.newestToken)
            FROM subscriptions s
            WHERE s.id = \(subscription)
            """
        ).first.map(StorePurchase.init(row:))
    }
}

extension StorePurchase {
    fileprivate init(row: Row) throws {
        let (id, kind, token) = try row.decode(String.self, String.self, String?.self)
        self.init(transactionID: id, kind: StoreTransaction.Kind(rawValue: kind) ?? .autoRenewable, token: token)
    }

    /// The newest token of the subscription `s` of a statement; null where no event has one.
    static var newestToken: Query {
        """
        (SELECT e.event ->> 'purchaseToken'
            FROM subscription_events e
            WHERE e.subscription_id = s.id AND e.event -> 'purchaseToken' IS NOT NULL AND e.rejection_reason IS NULL
            ORDER BY e.signed_at DESC, e.event_id DESC
            LIMIT 1)
        """
    }
}
