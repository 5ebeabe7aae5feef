package import Billing
package import Foundation
import Postgres

/// The token of a purchase outside of the store, which has to be reported to the store.
package struct ExternalPurchaseToken: Sendable, Hashable, Identifiable {
    package typealias ID = Identifier<ExternalPurchaseToken>

    package var id: ID
    package var store: Store
    package var environment: StoreEnvironment
    /// The store's id of it.
    package var externalPurchaseID: String
    /// The state by the store's last message.
    package var state: ExternalPurchaseState
    /// In the store's own words.
    package var tokenType: String?
    package var createdAt: Date?
    package var expiresAt: Date?
    /// The time of the store's last message about it.
    package var toldAt: Date
    /// The time at which a person last marked it as reported.
    package var reportedAt: Date?

    package init(
        id: ID,
        store: Store,
        environment: StoreEnvironment,
        externalPurchaseID: String,
        state: ExternalPurchaseState,
        tokenType: String?,
        createdAt: Date?,
        expiresAt: Date?,
        toldAt: Date,
        reportedAt: Date?
    ) {
        self.id = id
        self.store = store
        self.environment = environment
        self.externalPurchaseID = externalPurchaseID
        self.state = state
        self.tokenType = tokenType
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.toldAt = toldAt
        self.reportedAt = reportedAt
    }

    /// True if the store waits for a report: nobody has reported it since the store's last message.
    package var isDue: Bool { reportedAt.map { $0 < toldAt } ?? true }
}

extension ExternalPurchaseToken {
    static let columns: Query = """
        t.id, t.store, t.environment, t.external_purchase_id, t.state, t.token_type, t.created_at, t.expires_at, t.told_at,
        t.reported_at
        """

    init(row: Row) throws {
        var columns = try row.columns(10)
        self.init(
            id: try columns.next(),
            store: try columns.next(),
            environment: try columns.next(),
            externalPurchaseID: try columns.next(),
            state: try columns.next(),
            tokenType: try columns.next(),
            createdAt: try columns.next(),
            expiresAt: try columns.next(),
            toldAt: try columns.next(),
            reportedAt: try columns.next()
        )
    }
}
