package import Billing
package import Foundation
import Postgres

/// A subscription that a store can be asked to extend.
package struct ExtensibleSubscription: Sendable, Hashable {
    package var id: Subscription.ID
    package var customer: Customer.ID
    package var store: Store
    package var environment: StoreEnvironment
    package var originalTransactionID: String
    package var state: Subscription.State
    package var periodEndsAt: Date?
    /// A seat that somebody else pays for: no store extends it.
    package var isAssigned: Bool
}

extension ExtensibleSubscription {
    static let selection: Query = """
        SELECT s.id, s.customer_id, s.store, s.environment, s.original_transaction_id, s.state, s.period_ends_at, s.is_assigned
        FROM subscriptions s
        """

    init(row: Row) throws {
        let (id, customer, store, environment, original, state, end, isAssigned) = try row.decode(
            Subscription.ID.self,
            Customer.ID.self,
            Store.self,
            StoreEnvironment.self,
            String.self,
            Subscription.State.self,
            Date?.self,
            Bool.self
        )
        self.init(
            id: id,
            customer: customer,
            store: store,
            environment: environment,
            originalTransactionID: original,
            state: state,
            periodEndsAt: end,
            isAssigned: isAssigned
        )
    }
}
