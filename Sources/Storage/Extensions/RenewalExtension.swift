package import Billing
package import Foundation
import Postgres

/// One extension of the renewal dates of all active subscribers of a product (Apple: Extend Subscription Renewal Dates for All
/// Active Subscribers).
package struct RenewalExtension: Sendable, Hashable, Identifiable {
    package typealias ID = Identifier<RenewalExtension>

    package var id: ID
    package var app: App.ID
    package var store: Store
    package var environment: StoreEnvironment
    /// By which the store names it; ours where it was requested here.
    package var requestIdentifier: String
    /// The store's identifier of the product.
    package var productID: String
    /// ISO 3166-1 alpha-3; empty for all.
    package var storefronts: [String]
    /// nil for one that was not requested here: the store's summary does not say it.
    package var request: Request?
    /// nil until the store has summed it up.
    package var summary: Summary?

    package init(
        id: ID,
        app: App.ID,
        store: Store,
        environment: StoreEnvironment,
        requestIdentifier: String,
        productID: String,
        storefronts: [String] = [],
        request: Request? = nil,
        summary: Summary? = nil
    ) {
        self.id = id
        self.app = app
        self.store = store
        self.environment = environment
        self.requestIdentifier = requestIdentifier
        self.productID = productID
        self.storefronts = storefronts
        self.request = request
        self.summary = summary
    }

    /// What was asked of the store.
    package struct Request: Sendable, Hashable {
        /// 1 to 90.
        package var days: Int
        /// Apple's `extendReasonCode`: 0 undeclared, 1 customer satisfaction, 2 other, 3 outage.
        package var reasonCode: Int
        package var requestedAt: Date

        package init(days: Int, reasonCode: Int, requestedAt: Date) {
            self.days = days
            self.reasonCode = reasonCode
            self.requestedAt = requestedAt
        }
    }

    /// What the store says that it came to.
    package struct Summary: Sendable, Hashable {
        package var succeeded: Int64
        package var failed: Int64
        /// When the store signed it.
        package var completedAt: Date

        package init(succeeded: Int64, failed: Int64, completedAt: Date) {
            self.succeeded = succeeded
            self.failed = failed
            self.completedAt = completedAt
        }
    }

    /// When it is first known of: requested, or summed up.
    package var startedAt: Date? { request?.requestedAt ?? summary?.completedAt }
}

/// A subscription that the store could not extend.
package struct RenewalExtensionFailure: Sendable, Hashable {
    package var id: UUID
    package var subscription: Subscription.ID
    package var originalTransactionID: String
    package var failedAt: Date
}

extension RenewalExtension {
    static let columns: Query = """
        e.id, e.app_id, e.store, e.environment, e.request_identifier, e.store_product_id, e.storefronts, e.extend_by_days,
        e.reason_code, e.requested_at, e.succeeded_count, e.failed_count, e.completed_at
        """

    init(row: Row) throws {
        var columns = try row.columns(13)
        self.init(
            id: try columns.next(),
            app: try columns.next(),
            store: try columns.next(),
            environment: try columns.next(),
            requestIdentifier: try columns.next(),
            productID: try columns.next(),
            storefronts: try columns.next()
        )
        let (days, code, requestedAt): (Int?, Int?, Date?) = (
            try columns.next(), try columns.next(), try columns.next()
        )
        if let days, let code, let requestedAt {
            request = Request(days: days, reasonCode: code, requestedAt: requestedAt)
        }
        let (succeeded, failed, completedAt): (Int64?, Int64?, Date?) = (
            try columns.next(), try columns.next(), try columns.next()
        )
        if let succeeded, let failed, let completedAt {
            summary = Summary(succeeded: succeeded, failed: failed, completedAt: completedAt)
        }
    }
}
