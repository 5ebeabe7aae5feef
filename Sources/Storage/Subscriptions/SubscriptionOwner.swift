package import Billing
package import Foundation
import Postgres

/// Whom a subscription belongs to, in the words that its store understands.
package struct SubscriptionOwner: Sendable {
    package var customer: Customer.ID
    /// nil where the app has not named the customer by one.
    package var appAccountToken: UUID?
    package var originalTransactionID: String
    package var environment: StoreEnvironment
}

extension Queries {
    /// The owner of a subscription at Apple; nil where the app has no such subscription, or it is another store's.
    package func owner(of subscription: Subscription.ID, app: App.ID) async throws -> SubscriptionOwner? {
        let row = try await reader.query(
            """
            SELECT c.id, c.key, s.original_transaction_id, s.environment
            FROM subscriptions s
            JOIN customers c ON c.id = s.customer_id
            WHERE s.id = \(subscription) AND s.app_id = \(app) AND s.store = \(Store.apple)
            """
        ).first
        guard var columns = try row?.columns(4) else { return nil }
        let customer: Customer.ID = try columns.next()
        let key: String = try columns.next()
        return SubscriptionOwner(
            customer: customer,
            appAccountToken: UUID(uuidString: key),
            originalTransactionID: try columns.next(),
            environment: try columns.next()
        )
    }
}
