package import Billing
package import Foundation
import Postgres

/// One thing that staff did, tried or were refused (dashboard.md, rule 46).
package struct AuditEntry: Sendable {
    package var app: App.ID?
    package var staff: Staff.ID?
    /// The actor's name at the time: an e-mail address, or the program that acted.
    package var actor: String
    package var role: StaffRole?
    /// `noun.verb`: `session.open`, `staff.add`.
    package var action: String
    package var objectType: String?
    package var objectID: String?
    /// The customer that it is about, for their page; derived from the object where that is a customer, a subscription or an order.
    package var customer: Customer.ID?
    /// JSON objects.
    package var before: String?
    package var after: String?
    package var reason: String?
    package var requestID: String?
    package var address: String?

    package init(
        app: App.ID? = nil,
        staff: Staff.ID? = nil,
        actor: String,
        role: StaffRole? = nil,
        action: String,
        objectType: String? = nil,
        objectID: String? = nil,
        customer: Customer.ID? = nil,
        before: String? = nil,
        after: String? = nil,
        reason: String? = nil,
        requestID: String? = nil,
        address: String? = nil
    ) {
        self.app = app
        self.staff = staff
        self.actor = actor
        self.role = role
        self.action = action
        self.objectType = objectType
        self.objectID = objectID
        self.customer = customer
        self.before = before
        self.after = after
        self.reason = reason
        self.requestID = requestID
        self.address = address
    }
}

extension Reader {
    package var audit: AuditReads { AuditReads(reader: self) }
}

package struct AuditReads: Sendable {
    let reader: Reader

    /// True if this action was ever taken on this object.
    package func contains(_ action: String, on objectType: String, _ objectID: String) async throws -> Bool {
        let rows = try await reader.query(
            """
            SELECT EXISTS (
                SELECT FROM audit_entries
                WHERE object_type = \(objectType) AND object_id = \(objectID) AND action = \(action)
            )
            """
        )
        return try rows.first?.decode(0, as: Bool.self) ?? false
    }

    /// The action and the object of an entry, if this person made it.
    package func action(of entry: UUID, by staff: Staff.ID) async throws -> (action: String, object: String)? {
        let rows = try await reader.query(
            "SELECT action, coalesce(object_id, '') FROM audit_entries WHERE id = \(entry) AND staff_id = \(staff)"
        )
        return try rows.first?.decode(String.self, String.self)
    }
}

extension WriteTransaction {
    package var audit: AuditLog { AuditLog(transaction: self) }
}

/// The log of what staff did; it only grows.
package struct AuditLog: Sendable {
    let transaction: WriteTransaction

    /// - Returns: the entry's id.
    @discardableResult
    package func append(_ entry: AuditEntry) async throws -> UUID {
        let id = transaction.newUUID()
        try await transaction.query(Self.insertion(of: entry, id: id, at: transaction.now))
        return id
    }

    /// The migration that gave the log its present form.
    static let presentForm = "0032_customers_in_the_audit_chain"

    fileprivate static func insertion(of entry: AuditEntry, id: UUID, at moment: Date) -> Query {
        """
        INSERT INTO audit_entries
            (id, at, app_id, staff_id, actor, role, action, object_type, object_id, customer_id, before, after, reason,
             request_id, address)
        VALUES (\(id), \(moment), \(entry.app), \(entry.staff), \(entry.actor), \(entry.role), \(entry.action),
            \(entry.objectType), \(entry.objectID), \(entry.customer), \(entry.before.map { JSONText($0) }),
            \(entry.after.map { JSONText($0) }), \(entry.reason), \(entry.requestID), \(entry.address))
        """
    }
}

extension Database {
    /// True if the audit log has the form in which entries are appended: also in the schemas of many earlier versions.
    package func takesAuditEntries() async throws -> Bool {
        guard try await DatabaseFacts.areThere(on: writing) else { return false }
        return try await writing.query(
            "SELECT EXISTS (SELECT FROM schema_migrations WHERE name = \(AuditLog.presentForm))"
        ).first?.decode(0, as: Bool.self) ?? false
    }

    /// Appends an entry that stands for itself, with no other change.
    package func appendToAuditLog(_ entry: AuditEntry) async throws {
        _ = try await writeAlone(AuditLog.insertion(of: entry, id: newUUID(), at: now))
    }
}
