package import Billing
package import Foundation
import Postgres

/// The owner of a subscription, in the terms of its store.
package struct SubscriptionOwner: Sendable {
    package var customer: Customer.ID
    package var originalTransactionID: String
    package var environment: StoreEnvironment
    /// The customer's own, else that of the record that joined theirs last; nil where the app has not named them by one.
    package var appAccountToken: UUID?
}

extension Queries {
    /// The owner of a subscription at Apple; nil where the app has no such subscription, or it is another store's.
    package func owner(of subscription: Subscription.ID, app: App.ID) async throws -> SubscriptionOwner? {
        let row = try await reader.query(
            """
            SELECT c.id, s.original_transaction_id, s.environment,
                coalesce(c.app_account_token, \(CustomerIdentity.latestMergedToken(of: "c.id")))
            FROM subscriptions s
            JOIN customers c ON c.id = s.customer_id
            WHERE s.id = \(subscription) AND s.app_id = \(app) AND s.store = \(Store.apple)
            """
        ).first
        guard var columns = try row?.columns(4) else { return nil }
        return SubscriptionOwner(
            customer: try columns.next(),
            originalTransactionID: try columns.next(),
            environment: try columns.next(),
            appAccountToken: try columns.next()
        )
    }
}
