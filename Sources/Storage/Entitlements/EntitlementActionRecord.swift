package import Billing
package import Foundation
import Postgres

/// Something that staff did to what a customer holds, with its effects.
package struct EntitlementActionRecord: Sendable, Identifiable {
    package typealias ID = Identifier<EntitlementActionRecord>

    package var id: ID
    package var customer: Customer.ID
    package var kind: Kind
    package var changes: [EntitlementEffect]
    /// The action that this one takes back.
    package var undoes: ID?
    /// The action that took this one back.
    package var undoneBy: ID?
    package var staff: Staff.ID?
    package var at: Date

    /// The kind of action. The database keeps the raw value.
    package enum Kind: String, Sendable, CaseIterable {
        case grant
        case extend
        case revoke
        case restore
        case changeTier = "change_tier"
        case transfer
        case cancel
        case undo
    }

    static let selection: Query = """
        SELECT a.id, a.customer_id, a.kind, a.changes::text, a.undoes,
            (SELECT u.id FROM entitlement_actions u WHERE u.undoes = a.id), a.staff_id, a.at
        FROM entitlement_actions a
        """

    init(row: Row) throws {
        let changes: String
        (id, customer, kind, changes, undoes, undoneBy, staff, at) = try row.decode(
            ID.self,
            Customer.ID.self,
            Kind.self,
            String.self,
            ID?.self,
            ID?.self,
            Staff.ID?.self,
            Date.self
        )
        self.changes = try EntitlementEffectJSON.changes(from: changes)
    }
}

extension EntitlementActionRecord.Kind: PostgresEncodable, PostgresDecodable {}

/// Changes as the JSON that the database keeps.
enum EntitlementEffectJSON {
    static func text(of changes: [EntitlementEffect]) throws -> String {
        String(decoding: try JSONEncoder().encode(changes), as: UTF8.self)
    }

    static func changes(from text: String) throws -> [EntitlementEffect] {
        try JSONDecoder().decode([EntitlementEffect].self, from: Data(text.utf8))
    }
}
