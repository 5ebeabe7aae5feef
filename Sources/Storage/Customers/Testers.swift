package import Billing
package import Foundation
import Postgres

extension CustomerWrites {
    /// Marks a locked customer as a tester, or as none any more (`SandboxAccess`).
    ///
    /// - Returns: since when they are one, and whether that is new.
    package func mark(asTester isTester: Bool, _ customer: Customer.ID) async throws -> (since: Date?, hasChanged: Bool)
    {
        let changed = try await transaction.query(
            """
            UPDATE customers
            SET tester_since = CASE WHEN \(isTester) THEN \(transaction.now)::timestamptz END
            WHERE id = \(customer) AND (tester_since IS NOT NULL) <> \(isTester)
            """
        ).affectedRows
        let since = try await transaction.query("SELECT tester_since FROM customers WHERE id = \(customer)").first?
            .decode(0, as: Date?.self)
        return (since ?? nil, changed > 0)
    }
}
