package import Billing
package import Foundation
import Postgres

/// A verification with all that an app is told of it.
package struct PurchaseVerificationDetails: Sendable {
    package var verification: PurchaseVerification
    /// The app's own id of the customer.
    package var externalID: String?
    /// The account token that the app passes to the store with their purchases.
    package var accountToken: UUID?
    /// True if neither the customer nor anybody with the same store account has had a free trial.
    package var isTrialEligible: Bool
    package var claims: [Claim]

    /// One purchase of the proof.
    package struct Claim: Sendable {
        package var subscription: Subscription.ID
        package var originalTransactionID: String
        package var held: Subscription
        package var outcome: Outcome
    }

    /// The database keeps the raw values.
    package enum Outcome: String, Sendable, CaseIterable {
        case held
        case joined
        /// From a device, or from an account that was deleted.
        case moved
        /// From an account to a device.
        case transferred
        case shared
        case refused
        case unproven
    }
}

extension PurchaseVerificationDetails.Outcome: PostgresEncodable, PostgresDecodable {}

extension Queries {
    /// nil when the app has no verification of that id.
    package func purchaseVerification(
        _ id: PurchaseVerification.ID,
        app: App.ID
    ) async throws -> PurchaseVerificationDetails? {
        let rows = try await reader.query(
            "\(PurchaseVerification.selection) WHERE v.id = \(id) AND v.app_id = \(app)"
        )
        guard let verification = try rows.first.map(PurchaseVerification.init(row:)) else { return nil }
        async let claims = claims(of: verification)
        async let head = reader.query(
            """
            SELECT c.external_id, c.app_account_token, NOT EXISTS (
                SELECT FROM subscriptions s
                WHERE s.trial_started_at IS NOT NULL AND s.customer_id IN (
                    SELECT c.id
                    UNION ALL
                    SELECT coalesce(other.merged_into, other.id)
                    FROM customers own
                    JOIN app_transactions t ON t.customer_id = own.id
                    JOIN app_transactions shared ON (shared.app_id, shared.environment, shared.app_transaction_id)
                        = (t.app_id, t.environment, t.app_transaction_id)
                    JOIN customers other ON other.id = shared.customer_id
                    WHERE own.id = c.id OR own.merged_into = c.id))
            FROM customers c
            WHERE c.id = \(verification.customer)
            """
        )
        let row = try await head[0]  // safe: a foreign key
        let (externalID, token, isEligible) = try row.decode(String?.self, UUID?.self, Bool.self)
        return try await PurchaseVerificationDetails(
            verification: verification,
            externalID: externalID,
            accountToken: token,
            isTrialEligible: isEligible,
            claims: claims
        )
    }

    private func claims(of verification: PurchaseVerification) async throws -> [PurchaseVerificationDetails.Claim] {
        try await reader.query(
            """
            SELECT s.id, s.original_transaction_id, \(Subscription.columns), p.store_product_id,
                CASE WHEN c.outcome IN ('refused', 'unproven') AND s.customer_id = \(verification.customer) THEN 'held' ELSE c.outcome END
            FROM purchase_claims c
            JOIN subscriptions s ON s.id = c.subscription_id
            LEFT JOIN products p ON p.id = s.product_id
            WHERE c.verification_id = \(verification.id)
            ORDER BY s.created_at DESC, s.id DESC
            """
        ).map { row in
            var columns = try row.columns(11)
            let (id, original): (Subscription.ID, String) = (try columns.next(), try columns.next())
            var subscription = try Subscription(&columns)
            subscription.productID = try columns.next()
            return PurchaseVerificationDetails.Claim(
                subscription: id,
                originalTransactionID: original,
                held: subscription,
                outcome: try columns.next()
            )
        }
    }

    /// The customer, or the one that they were merged into; nil when the app has none with that id.
    package func currentCustomer(_ customer: Customer.ID, app: App.ID) async throws -> Customer.ID? {
        try await reader.query(
            "SELECT coalesce(merged_into, id) FROM customers WHERE id = \(customer) AND app_id = \(app)"
        ).first?.decode(0, as: Customer.ID.self)
    }

    /// The customer that this one was merged into; nil for one who was not merged.
    package func survivor(of customer: Customer.ID, app: App.ID) async throws -> Customer.ID? {
        try await reader.query("SELECT merged_into FROM customers WHERE id = \(customer) AND app_id = \(app)")
            .first?.decode(0, as: Customer.ID?.self)
    }
}
