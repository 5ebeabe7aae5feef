package import Billing
package import Foundation
import Postgres

/// Who an app says that somebody is.
package struct CustomerIdentity: Sendable, Hashable {
    /// The app's own id of the customer, or of the device.
    package var externalID: String
    /// Whether it names a device and not an account.
    package var isAnonymous: Bool
    /// The account token that the app itself gave to the store; nil where the token is to be ours.
    package var accountToken: UUID?

    package init(externalID: String, isAnonymous: Bool, accountToken: UUID? = nil) {
        self.externalID = externalID
        self.isAnonymous = isAnonymous
        self.accountToken = accountToken
    }
}

extension CustomerWrites {
    /// Finds or makes the customer whom an app names.
    ///
    /// - Returns: nil when the account token is of somebody whom the app calls otherwise.
    package func identify(_ identity: CustomerIdentity, of app: App.ID) async throws -> Customer.ID? {
        // Two calls that name one customer for the first time are to make one.
        try await transaction.query(
            "SELECT pg_advisory_xact_lock(hashtextextended(\(app.description + " " + identity.externalID), 0))"
        )
        let named = try await named(identity.externalID, of: app)
        guard let token = identity.accountToken else {
            guard let named else { return try await make(identity, token: transaction.newUUID(), of: app) }
            return try await note(identity, of: named)
        }
        guard let bearer = try await bearer(of: token, of: app) else {
            guard let named else { return try await make(identity, token: token, of: app) }
            try await merge(try await make(nil, token: token, of: app), into: named, of: app)
            return try await note(identity, of: named)
        }
        guard let named else {
            guard bearer.externalID == nil else { return nil }
            try await transaction.query(
                "UPDATE customers SET external_id = \(identity.externalID) WHERE id = \(bearer.id)"
            )
            return try await note(identity, of: bearer.id)
        }
        if bearer.id != named {
            guard bearer.externalID == nil, !bearer.isIdentified else { return nil }
            try await merge(bearer.id, into: named, of: app)
        }
        return try await note(identity, of: named)
    }

    /// What decides between two who claim one purchase; locked until the transaction ends.
    package func parties(_ ids: [Customer.ID], of app: App.ID) async throws -> [PurchaseClaim.Party] {
        try await transaction.query(
            """
            SELECT id, identified_at IS NOT NULL, external_id IS NULL, created_at
            FROM customers
            WHERE app_id = \(app) AND id = ANY(\(ids.map(\.uuid)))
            ORDER BY id
            FOR NO KEY UPDATE
            """
        ).map { row in
            let (id, isIdentified, isNamedByNobody, since) = try row.decode(
                Customer.ID.self,
                Bool.self,
                Bool.self,
                Date.self
            )
            return PurchaseClaim.Party(
                id: id,
                isIdentified: isIdentified,
                isPlaceholder: isNamedByNobody && !isIdentified,
                since: since
            )
        }
    }

    /// Who a customer has become; themselves where they were merged into nobody.
    package func current(_ customer: Customer.ID) async throws -> Customer.ID {
        try await transaction.query("SELECT coalesce(merged_into, id) FROM customers WHERE id = \(customer)")
            .first?.decode(0, as: Customer.ID.self) ?? customer
    }

    private func named(_ externalID: String, of app: App.ID) async throws -> Customer.ID? {
        try await transaction.query(
            "SELECT coalesce(merged_into, id) FROM customers WHERE app_id = \(app) AND external_id = \(externalID)"
        ).first?.decode(0, as: Customer.ID.self)
    }

    private func bearer(
        of token: UUID,
        of app: App.ID
    ) async throws -> (id: Customer.ID, externalID: String?, isIdentified: Bool)? {
        try await transaction.query(
            """
            SELECT c.id, c.external_id, c.identified_at IS NOT NULL
            FROM customers k
            JOIN customers c ON c.id = coalesce(k.merged_into, k.id)
            WHERE k.app_id = \(app) AND k.key = \(token.uuidString.lowercased())
            FOR NO KEY UPDATE
            """
        ).first.map { try $0.decode(Customer.ID.self, String?.self, Bool.self) }
    }

    private func make(_ identity: CustomerIdentity?, token: UUID, of app: App.ID) async throws -> Customer.ID {
        let id = Customer.ID(transaction.newUUID())
        let identifiedAt = identity.flatMap { $0.isAnonymous ? nil : transaction.now }
        try await transaction.query(
            """
            INSERT INTO customers
                (id, app_id, key, app_account_token, external_id, identified_at, created_at, recorded_at)
            VALUES (\(id), \(app), \(token.uuidString.lowercased()), \(token), \(identity?.externalID), \(identifiedAt),
                \(transaction.now), \(transaction.now))
            """
        )
        return id
    }

    private func note(_ identity: CustomerIdentity, of customer: Customer.ID) async throws -> Customer.ID {
        guard !identity.isAnonymous else { return customer }
        try await transaction.query(
            "UPDATE customers SET identified_at = \(transaction.now) WHERE id = \(customer) AND identified_at IS NULL"
        )
        return customer
    }
}
