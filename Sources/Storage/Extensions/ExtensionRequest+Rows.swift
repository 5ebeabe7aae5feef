import Billing
import Foundation
import Postgres

extension ExtensionRequest {
    /// What `init(row:)` reads; conditions follow.
    static let selection: Query = """
        SELECT x.id, x.app_id, x.store, x.environment, x.subscription_id, s.original_transaction_id, x.product_id,
            p.store_product_id, array_to_string(x.storefronts, ' '), x.days, x.reason_code, x.reason, x.requested_by,
            x.requested_as, x.requested_at, x.state, x.renews_at, x.succeeded_count, x.failed_count, x.error_code, x.error,
            x.finished_at
        FROM extension_requests x
        LEFT JOIN subscriptions s ON s.id = x.subscription_id
        LEFT JOIN products p ON p.id = x.product_id
        """

    init(row: Row) throws {
        var columns = try row.columns(22)
        let (id, app): (ID, App.ID) = (try columns.next(), try columns.next())
        let (store, environment): (Store, StoreEnvironment) = (try columns.next(), try columns.next())
        let (subscription, original): (Subscription.ID?, String?) = (try columns.next(), try columns.next())
        let (product, productID): (ProductRecord.ID?, String?) = (try columns.next(), try columns.next())
        let storefronts: String? = try columns.next()
        let (days, code): (Int16, Int16) = (try columns.next(), try columns.next())
        let reason: Personal<String> = try columns.next()
        let requested = RefundRequest.Act(
            staff: try columns.next(),
            actor: try columns.next(),
            at: try columns.next()
        )
        let target: Target
        if let subscription, let original {
            target = .subscription(subscription, originalTransactionID: original)
        } else if let product, let productID {
            let countries = storefronts.map { $0.split(separator: " ").map(String.init) }
            target = .product(product, storeProductID: productID, storefronts: countries)
        } else {
            throw PostgresError(.decoding, "an extension is of nothing")
        }
        let word: String = try columns.next()
        let result = Result(
            renewsAt: try columns.next(),
            succeeded: try columns.next(),
            failed: try columns.next()
        )
        let (number, message): (Int64?, String?) = (try columns.next(), try columns.next())
        let finishedAt: Date? = try columns.next()
        let state: State
        switch (word, finishedAt) {
        case ("sending", _): state = .sending
        case ("running", _): state = .running
        case ("succeeded", let date?): state = .succeeded(at: date, result)
        case ("refused", let date?): state = .refused(at: date, code: number, message: message ?? "")
        case _: throw PostgresError(.decoding, "an extension is \(word)")
        }
        self.init(
            id: id,
            app: app,
            store: store,
            environment: environment,
            target: target,
            days: Int(days),
            reasonCode: ExtensionReason(rawValue: Int64(code)) ?? .undeclared,
            reason: reason,
            requested: requested,
            state: state
        )
    }
}
