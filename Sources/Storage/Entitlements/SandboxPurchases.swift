import Postgres

/// Sandbox purchases in statements (`HeldSubscription.isWithheld`).
enum SandboxPurchases {
    /// True where a sandbox purchase gives its customer no access.
    ///
    /// - Parameters:
    ///   - environment: the environment of the purchase, as an expression.
    ///   - customer: the customer's key, as an expression.
    static func areWithheld(in environment: Query, from customer: Query) -> Query {
        """
        (\(environment) = 'sandbox' AND NOT EXISTS (
            SELECT
            FROM customers tester
            JOIN apps ON apps.id = tester.app_id
            WHERE tester.id = \(customer) AND (tester.tester_since IS NOT NULL OR apps.sandbox_access = 'everybody')))
        """
    }
}
