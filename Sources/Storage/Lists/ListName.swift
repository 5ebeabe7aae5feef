import Postgres

/// The lists that have views and columns to choose. The database keeps the raw values.
package enum ListName: String, Sendable, CaseIterable {
    case orders
    case customers
    case subscriptions
    case refunds
    case notifications
    case audit

    /// The columns that may be left out, in their order: what identifies a row always stands before them, and how
    /// much and which state beside it, where a phone shows them.
    package var columns: [ListColumn] {
        switch self {
        case .orders: [.amount, .status, .customer, .product, .plan, .store, .created]
        case .customers: [.status, .plan, .appID, .lastOrder, .lastPurchase, .store, .firstSeen]
        case .subscriptions: [.status, .renewal, .customer, .product, .plan, .end, .store, .started]
        case .refunds: [.amount, .status, .order, .kind, .deadline, .requester, .requested]
        case .notifications: [.status, .store, .uuid, .attempts, .error, .order]
        case .audit: [.actor, .object, .app, .reason]
        }
    }
}

extension ListName: PostgresEncodable, PostgresDecodable {}

/// A column that may be left out of a list. Raw values appear in URLs and in the database.
package enum ListColumn: String, Sendable, CaseIterable {
    case actor
    case amount
    case app
    case appID = "app_id"
    case attempts
    case created
    case customer
    case deadline
    case end
    case error
    case firstSeen = "first_seen"
    case kind
    case lastOrder = "last_order"
    case lastPurchase = "last_purchase"
    case object
    case order
    case plan
    case product
    case reason
    case renewal
    case requested
    case requester
    case started
    case status
    case store
    case uuid
}
