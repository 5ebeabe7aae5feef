package import Billing
package import Foundation
import Postgres

extension Queries {
    /// The time since which a parent's withdrawn consent blocks the use of the app for an account that a customer bought with; nil
    /// where none does. Paid access continues.
    package func consentRescindedAt(of customer: Customer.ID) async throws -> Date? {
        try await reader.query(
            "SELECT min(rescinded_at) FROM (\(Self.rescindedConsents(of: customer, returning: "r.rescinded_at"))) AS rescinded"
        ).first?.decode(0, as: Date?.self)
    }

    /// The withdrawn consents of a customer's accounts, each once.
    static func rescindedConsents(
        of customer: Customer.ID,
        returning columns: Query,
        where condition: Query = ""
    ) -> Query {
        """
        SELECT \(columns)
        FROM rescinded_consents r
        WHERE EXISTS (
            SELECT
            FROM subscriptions s
            WHERE s.customer_id = \(customer) AND s.app_id = r.app_id AND s.store = r.store
                AND s.environment = r.environment AND s.app_transaction_id = r.app_transaction_id)\(condition)
        """
    }
}
