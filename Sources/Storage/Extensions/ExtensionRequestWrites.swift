package import Billing
import Foundation
import Postgres

extension WriteTransaction {
    package var extensionRequests: ExtensionRequestWrites { ExtensionRequestWrites(transaction: self) }
}

package struct ExtensionRequestWrites: Sendable {
    let transaction: WriteTransaction

    package func insert(_ row: ExtensionRequest) async throws {
        var (subscription, product, storefronts): (Subscription.ID?, ProductRecord.ID?, [String]?)
        switch row.target {
        case .subscription(let id, _): subscription = id
        case .product(let id, _, let countries): (product, storefronts) = (id, countries)
        }
        try await transaction.query(
            """
            INSERT INTO extension_requests
                (id, app_id, store, environment, subscription_id, product_id, storefronts, days, reason_code, reason, requested_by,
                 requested_as, requested_at, state)
            VALUES
                (\(row.id), \(row.app), \(row.store), \(row.environment), \(subscription), \(product),
                 string_to_array(\(storefronts?.joined(separator: " ")), ' '), \(row.days, as: Int16.self),
                 \(Int(row.reasonCode.rawValue), as: Int16.self), \(row.reason), \(row.requested.staff), \(row.requested.actor),
                 \(row.requested.at), \(row.state.word))
            """
        )
    }

    /// Keeps how far it is. What is finished stays as it is.
    package func save(_ state: ExtensionRequest.State, of id: ExtensionRequest.ID) async throws {
        var (finishedAt, result): (Date?, ExtensionRequest.Result) = (nil, ExtensionRequest.Result())
        var (code, message): (Int64?, String?)
        switch state {
        case .sending, .running: break
        case .succeeded(let date, let what): (finishedAt, result) = (date, what)
        case .refused(let date, let number, let words): (finishedAt, code, message) = (date, number, words)
        }
        try await transaction.query(
            """
            UPDATE extension_requests
            SET state = \(state.word), finished_at = \(finishedAt), renews_at = \(result.renewsAt),
                succeeded_count = \(result.succeeded), failed_count = \(result.failed), error_code = \(code), error = \(message)
            WHERE id = \(id) AND finished_at IS NULL
            """
        )
    }

    package func find(_ id: ExtensionRequest.ID) async throws -> ExtensionRequest? {
        try await transaction.query("\(ExtensionRequest.selection) WHERE x.id = \(id)").first
            .map(ExtensionRequest.init(row:))
    }

    /// nil when the app has none of that id.
    package func subscription(_ id: Subscription.ID, of app: App.ID) async throws -> ExtensibleSubscription? {
        try await transaction.query("\(ExtensibleSubscription.selection) WHERE s.id = \(id) AND s.app_id = \(app)")
            .first
            .map(ExtensibleSubscription.init(row:))
    }

    /// By the store's own number, or one that it had before, for the command line.
    package func subscription(
        _ original: String,
        at store: Store,
        in environment: StoreEnvironment,
        of app: App.ID
    ) async throws -> ExtensibleSubscription? {
        try await transaction.query(
            """
            \(ExtensibleSubscription.selection)
            WHERE s.app_id = \(app) AND s.store = \(store) AND s.environment = \(environment)
                AND (s.original_transaction_id = \(original) OR s.id = (
                    SELECT a.subscription_id
                    FROM subscription_aliases a
                    WHERE a.app_id = \(app) AND a.store = \(store) AND a.environment = \(environment)
                        AND a.original_transaction_id = \(original)))
            """
        ).first.map(ExtensibleSubscription.init(row:))
    }
}
