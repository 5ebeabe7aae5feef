package import Billing
package import Foundation
import Postgres

/// A live session of a customer, as they and staff see it.
package struct ListedCustomerSession: Sendable, Identifiable {
    package var id: CustomerSession.ID
    package var method: CustomerSession.Method
    package var createdAt: Date
    /// nil for one that was never used.
    package var lastUsedAt: Date?
    package var expiresAt: Date

    /// The maximum length of the list.
    package static let most = 100
}

extension Reader {
    /// The live sessions of a customer, and of those who have become them, the newest first.
    package func customerSessions(of customer: Customer.ID) async throws -> [ListedCustomerSession] {
        try await query(
            """
            SELECT id, method, created_at, last_used_at, expires_at
            FROM customer_sessions
            WHERE ended_at IS NULL AND expires_at > \(now)
                AND customer_id IN (SELECT id FROM customers WHERE id = \(customer) OR merged_into = \(customer))
            ORDER BY created_at DESC, id DESC
            LIMIT \(ListedCustomerSession.most)
            """
        ).map { row in
            let (id, method, created, used, end) = try row.decode(
                CustomerSession.ID.self,
                CustomerSession.Method.self,
                Date.self,
                Date?.self,
                Date.self
            )
            return ListedCustomerSession(
                id: id,
                method: method,
                createdAt: created,
                lastUsedAt: used,
                expiresAt: end
            )
        }
    }
}

extension CustomerSessionWrites {
    /// Ends a session of a customer.
    ///
    /// - Returns: false where they have no such live session.
    package func end(_ session: CustomerSession.ID, of customer: Customer.ID) async throws -> Bool {
        try await transaction.query(
            """
            UPDATE customer_sessions
            SET ended_at = \(transaction.now)
            WHERE id = \(session) AND ended_at IS NULL AND expires_at > \(transaction.now)
                AND customer_id IN (SELECT id FROM customers WHERE id = \(customer) OR merged_into = \(customer))
            """
        ).affectedRows == 1
    }

    /// Ends all sessions of a customer but one.
    ///
    /// - Returns: how many were live.
    package func endOthers(of customer: Customer.ID, than session: CustomerSession.ID) async throws -> Int {
        try await transaction.query(
            """
            UPDATE customer_sessions
            SET ended_at = \(transaction.now)
            WHERE ended_at IS NULL AND id <> \(session)
                AND customer_id IN (SELECT id FROM customers WHERE id = \(customer) OR merged_into = \(customer))
            """
        ).affectedRows
    }
}

extension Database {
    /// Notes that sessions are in use now; one that somebody else is changing is passed over.
    package func touch(_ sessions: [CustomerSession.ID], waited: Duration = .zero) async throws {
        _ = try await writeAlone(
            """
            UPDATE customer_sessions
            SET last_used_at = \(now)
            WHERE id IN (
                SELECT id
                FROM customer_sessions
                WHERE id = ANY(\(sessions.map(\.uuid))) AND ended_at IS NULL
                    AND (last_used_at IS NULL OR last_used_at <= \(now.addingTimeInterval(-CustomerSession.useGrain)))
                FOR NO KEY UPDATE SKIP LOCKED)
            """,
            after: ["SELECT set_config('synchronous_commit', 'off', true)"],
            timeout: doorTimeout - waited
        )
    }
}
