package import Billing
import Foundation
import Postgres

extension CustomerWrites {
    /// Locks whom customers have become by now, in the order of their ids, until the transaction ends: before any of their
    /// subscriptions, so that of two transactions with the same customers one waits for the other.
    ///
    /// - Returns: by the ids that were asked for; without those that the app does not have.
    package func lock(
        _ customers: [Customer.ID],
        of app: App.ID
    ) async throws -> [Customer.ID: PurchaseClaim.Party] {
        while true {
            let results = try await transaction.lock([
                """
                SELECT id, identified_at IS NOT NULL AND deleted_at IS NULL, external_id IS NULL, created_at,
                    deleted_at IS NOT NULL
                FROM customers
                WHERE id IN (
                    SELECT coalesce(merged_into, id)
                    FROM customers
                    WHERE app_id = \(app) AND id = ANY(\(customers.map(\.uuid)))
                )
                ORDER BY id
                FOR NO KEY UPDATE
                """,
                """
                SELECT id, coalesce(merged_into, id)
                FROM customers
                WHERE app_id = \(app) AND id = ANY(\(customers.map(\.uuid)))
                """,
            ])
            // safe: one answer a statement, twice
            let locked = try results[0].map(PurchaseClaim.Party.init(row:))
            let current = try results[1].map { try $0.decode(Customer.ID.self, Customer.ID.self) }
            let parties = Dictionary(locked.map { ($0.id, $0) }) { first, _ in first }
            // A customer who was merged while this waited is another one now, whose row is not locked yet.
            guard current.allSatisfy({ parties[$0.1] != nil }) else { continue }
            return Dictionary(current.compactMap { asked, now in parties[now].map { (asked, $0) } }) { first, _ in first
            }
        }
    }

    /// The customer, or the one that they were merged into. Nothing is locked: they may be merged again right after.
    package func current(_ customer: Customer.ID) async throws -> Customer.ID {
        try await transaction.query("SELECT coalesce(merged_into, id) FROM customers WHERE id = \(customer)")
            .first?.decode(0, as: Customer.ID.self) ?? customer
    }
}

extension PurchaseClaim.Party {
    fileprivate init(row: Row) throws {
        let (id, isIdentified, isNamedByNobody, since, isDeleted) = try row.decode(
            Customer.ID.self,
            Bool.self,
            Bool.self,
            Date.self,
            Bool.self
        )
        self.init(
            id: id,
            isIdentified: isIdentified,
            isPlaceholder: isNamedByNobody && !isIdentified,
            since: since,
            isDeleted: isDeleted
        )
    }
}
