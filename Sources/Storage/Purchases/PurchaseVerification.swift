package import Billing
package import Foundation
import Postgres

/// An app's proof of a customer's purchases, and the result of its verification.
package struct PurchaseVerification: Sendable, Identifiable {
    package typealias ID = Identifier<PurchaseVerification>

    package var id: ID
    package var app: App.ID
    /// The customer whose app sent it, or the one that they were merged into.
    package var customer: Customer.ID
    package var store: Store
    package var proof: PurchaseProof
    package var state: State
    /// The reason for a rejection or a wait; for a verified proof, the parts that the catalogue lacks.
    package var problem: String?
    /// Items of the proof that prove nothing, as "field: reason".
    package var worthless: [String]
    package var requestedAt: Date
    /// The time of the last request to the store; nil before the first.
    package var askedAt: Date?
    /// The end of provisional access; nil where it gives none.
    package var provisionalUntil: Date?

    /// True where it is tried again.
    package var isOpen: Bool {
        switch state {
        case .pending, .provisional: true
        case .verified: problem != nil
        case .rejected: false
        }
    }

    /// The database keeps the raw values.
    package enum State: String, Sendable, CaseIterable {
        /// The store has to be asked and has not answered; gives no access. Moved by the store's answer to `verified` or `rejected`.
        case pending
        /// The store's signature holds, and the store has not confirmed it: gives access for a while. Moved as `pending`.
        case provisional
        /// The store has said so. Sent again, it is asked for again.
        case verified
        /// The store, or its signature, says that it proves nothing. Sent again, it is asked for again.
        case rejected
    }
}

extension PurchaseVerification.State: PostgresEncodable, PostgresDecodable {}
extension PurchaseProof.Form: PostgresEncodable, PostgresDecodable {}

extension PurchaseVerification {
    /// Of `selection`.
    init(row: Row) throws {
        var columns = try row.columns(12)
        id = try columns.next()
        app = try columns.next()
        customer = try columns.next()
        store = try columns.next()
        proof = PurchaseProof(try columns.next(), try columns.next())
        state = try columns.next()
        problem = try columns.next()
        requestedAt = try columns.next()
        askedAt = try columns.next()
        provisionalUntil = try columns.next()
        worthless = try columns.next()
    }

    static var selection: Query {
        """
        SELECT v.id, v.app_id, coalesce(c.merged_into, c.id), v.store, v.form, v.proof, v.state, v.problem, v.requested_at,
            v.asked_at, v.provisional_until, v.worthless
        FROM purchase_verifications v
        JOIN customers c ON c.id = v.customer_id
        """
    }
}
