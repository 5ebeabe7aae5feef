import Postgres

/// What is bought in a sandbox, in statements (`HeldSubscription.isWithheld`).
enum SandboxPurchases {
    /// Whether what somebody buys there gives them nothing.
    ///
    /// - Parameters:
    ///   - environment: where it was bought, as an expression.
    ///   - customer: whose it is, as an expression.
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
