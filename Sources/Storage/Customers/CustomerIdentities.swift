package import Billing
package import Foundation
import Postgres

/// An identity that an app reports.
package struct CustomerIdentity: Sendable, Hashable {
    /// The app's own id of the customer, or of the device.
    package var externalID: String
    /// True if it names a device and not an account.
    package var isAnonymous: Bool
    /// The account token that the app itself gave to the store; nil for one of ours.
    package var accountToken: UUID?

    package init(externalID: String, isAnonymous: Bool, accountToken: UUID? = nil) {
        self.externalID = externalID
        self.isAnonymous = isAnonymous
        self.accountToken = accountToken
    }
}

extension CustomerIdentity {
    /// The account token of the record that was merged last into a customer's, for a customer without a token of their own, whom only
    /// a store had named.
    static func latestMergedToken(of customer: Query) -> Query {
        """
        (SELECT m.app_account_token
            FROM customers m
            WHERE m.merged_into = \(customer) AND m.app_account_token IS NOT NULL
            ORDER BY m.merged_at DESC, m.id
            LIMIT 1)
        """
    }
}

extension CustomerWrites {
    /// Finds or makes the customer whom an app names.
    ///
    /// - Returns: nil when the account token is of somebody whom the app calls otherwise.
    package func identify(_ identity: CustomerIdentity, of app: App.ID) async throws -> Customer.ID? {
        if identity.isAnonymous { try await releaseName(identity.externalID, of: app) }
        // Two calls that name one customer for the first time make one.
        if try await named(identity.externalID, of: app) == nil {
            let name = "\(app) \(identity.externalID)"
            try await transaction.lock("SELECT pg_advisory_xact_lock(hashtextextended(\(name), 0))")
        }
        guard let token = identity.accountToken else {
            return try await note(identity, of: try await findOrMake(identity, of: app))
        }
        let named = try await named(identity.externalID, of: app)
        guard let bearer = try await bearer(of: token, of: app) else {
            // A customer whom somebody else has just made is found the next time.
            guard let made = try await make(named == nil ? identity : nil, token: token, of: app) else {
                return try await identify(identity, of: app)
            }
            guard let named else { return made }
            try await merge(made, into: named, of: app)
            return try await note(identity, of: try await current(named))
        }
        guard let named else {
            if try await isDeleted(bearer, of: app) == true {
                // A deleted customer who returns is a new one; their purchases are found by the token.
                guard let new = try await make(identity, token: transaction.newUUID(), of: app) else {
                    return try await identify(identity, of: app)
                }
                try await merge(bearer, into: new, of: app)
                return new
            }
            let isNamed = try await name(bearer, as: identity.externalID)
            return isNamed ? try await note(identity, of: bearer) : nil
        }
        let parties = try await lock([bearer, named], of: app)
        guard let bearing = parties[bearer], let naming = parties[named] else { return nil }
        if bearing.id != naming.id {
            guard bearing.isPlaceholder else { return nil }
            try await merge(bearing.id, into: naming.id, of: app)
        }
        return try await note(identity, of: naming.id)
    }

    /// Has what an app called a device name nobody's account: who signed out there is not who uses it next.
    private func releaseName(_ externalID: String, of app: App.ID) async throws {
        try await transaction.query(
            """
            UPDATE customers device
            SET external_id = NULL
            FROM customers account
            WHERE device.app_id = \(app) AND device.external_id = \(externalID) AND device.identified_at IS NULL
                AND account.id = device.merged_into AND account.identified_at IS NOT NULL
            """
        )
    }

    /// Keeps what an app called an anonymous customer, who is about to be identified, with a record of its own that ended in theirs:
    /// it leads to them until the app names the device again.
    ///
    /// - Parameter customer: locked.
    package func setAsideName(of customer: Customer.ID, app: App.ID) async throws {
        let name = try await transaction.query(
            "SELECT external_id FROM customers WHERE id = \(customer) AND identified_at IS NULL AND external_id IS NOT NULL"
        ).first?.decode(0, as: String.self)
        guard let name else { return }
        let id = transaction.newUUID()
        try await transaction.pipeline([
            "UPDATE customers SET external_id = NULL WHERE id = \(customer)",
            """
            INSERT INTO customers (id, app_id, key, external_id, created_at, recorded_at, merged_into, merged_at)
            VALUES (\(id), \(app), \(id.uuidString.lowercased()), \(name), \(transaction.now), \(transaction.now), \(customer),
                \(transaction.now))
            """,
        ])
    }

    private func named(_ externalID: String, of app: App.ID) async throws -> Customer.ID? {
        try await transaction.query(
            "SELECT coalesce(merged_into, id) FROM customers WHERE app_id = \(app) AND external_id = \(externalID)"
        ).first?.decode(0, as: Customer.ID.self)
    }

    private func bearer(of token: UUID, of app: App.ID) async throws -> Customer.ID? {
        try await transaction.query(
            """
            SELECT coalesce(merged_into, id)
            FROM customers
            WHERE app_id = \(app) AND key = \(token.uuidString.lowercased())
            """
        ).first?.decode(0, as: Customer.ID.self)
    }

    /// - Returns: false for a customer with another name, and for one who was merged into another.
    private func name(_ customer: Customer.ID, as externalID: String) async throws -> Bool {
        try await transaction.query(
            """
            UPDATE customers
            SET external_id = \(externalID)
            WHERE id = \(customer) AND external_id IS NULL AND merged_into IS NULL
            """
        ).affectedRows == 1
    }

    /// One statement: two calls that name one customer for the first time make one.
    private func findOrMake(_ identity: CustomerIdentity, of app: App.ID) async throws -> Customer.ID {
        let (id, token) = (transaction.newUUID(), transaction.newUUID())
        let identifiedAt = identity.isAnonymous ? nil : transaction.now
        while true {
            let rows = try await transaction.query(
                """
                WITH known AS (
                    SELECT coalesce(merged_into, id) AS id
                    FROM customers
                    WHERE app_id = \(app) AND external_id = \(identity.externalID)
                ), made AS (
                    INSERT INTO customers
                        (id, app_id, key, app_account_token, external_id, identified_at, created_at, recorded_at)
                    SELECT \(id), \(app), \(token.uuidString.lowercased()), \(token), \(identity.externalID),
                        \(identifiedAt), \(transaction.now), \(transaction.now)
                    WHERE NOT EXISTS (SELECT FROM known)
                    ON CONFLICT DO NOTHING
                    RETURNING id
                )
                SELECT id FROM known UNION ALL SELECT id FROM made
                """
            )
            // If another transaction made the customer while this one looked, the next look finds them.
            if let row = rows.first { return try row.decode(0, as: Customer.ID.self) }
        }
    }

    /// - Returns: nil where another has the token or the name by now.
    private func make(_ identity: CustomerIdentity?, token: UUID, of app: App.ID) async throws -> Customer.ID? {
        let id = Customer.ID(transaction.newUUID())
        let identifiedAt = identity.flatMap { $0.isAnonymous ? nil : transaction.now }
        let made = try await transaction.query(
            """
            INSERT INTO customers
                (id, app_id, key, app_account_token, external_id, identified_at, created_at, recorded_at)
            VALUES (\(id), \(app), \(token.uuidString.lowercased()), \(token), \(identity?.externalID), \(identifiedAt),
                \(transaction.now), \(transaction.now))
            ON CONFLICT DO NOTHING
            """
        ).affectedRows
        return made == 1 ? id : nil
    }

    private func note(_ identity: CustomerIdentity, of customer: Customer.ID) async throws -> Customer.ID {
        guard !identity.isAnonymous else { return customer }
        try await transaction.query(
            "UPDATE customers SET identified_at = \(transaction.now) WHERE id = \(customer) AND identified_at IS NULL"
        )
        return customer
    }
}
