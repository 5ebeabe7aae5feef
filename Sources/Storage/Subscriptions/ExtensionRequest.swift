package import Billing
package import Foundation
import Postgres

/// That staff had a store put off a renewal: of one subscription, or of all who subscribe to a product.
package struct ExtensionRequest: Sendable, Hashable, Identifiable {
    package typealias ID = Identifier<ExtensionRequest>

    /// Names it at the store, too.
    package var id: ID
    package var app: App.ID
    package var store: Store
    package var environment: StoreEnvironment
    package var target: Target
    /// 1 to 90.
    package var days: Int
    package var reasonCode: ExtensionReason
    package var reason: Personal<String>
    package var requested: RefundRequest.Act
    package var state: State

    package init(
        id: ID,
        app: App.ID,
        store: Store,
        environment: StoreEnvironment,
        target: Target,
        days: Int,
        reasonCode: ExtensionReason,
        reason: Personal<String>,
        requested: RefundRequest.Act,
        state: State = .sending
    ) {
        self.id = id
        self.app = app
        self.store = store
        self.environment = environment
        self.target = target
        self.days = days
        self.reasonCode = reasonCode
        self.reason = reason
        self.requested = requested
        self.state = state
    }

    package enum Target: Sendable, Hashable {
        case subscription(Subscription.ID, originalTransactionID: String)
        /// - Parameter storefronts: three-letter countries; nil for all.
        case product(ProductRecord.ID, storeProductID: String, storefronts: [String]?)
    }

    package enum State: Sendable, Hashable {
        /// On its way: a worker sends it, again and again until the store takes or refuses it.
        case sending
        /// The store works on the subscribers of a product.
        case running
        case succeeded(at: Date, Result)
        case refused(at: Date, code: Int64?, message: String)

        /// For programs, and what the database keeps.
        package var word: String {
            switch self {
            case .sending: "sending"
            case .running: "running"
            case .succeeded: "succeeded"
            case .refused: "refused"
            }
        }

        package var isFinished: Bool {
            switch self {
            case .sending, .running: false
            case .succeeded, .refused: true
            }
        }
    }

    package struct Result: Sendable, Hashable {
        /// When one subscription renews now, as the store says.
        package var renewsAt: Date?
        /// Of a product's subscribers.
        package var succeeded: Int64?
        package var failed: Int64?

        package init(renewsAt: Date? = nil, succeeded: Int64? = nil, failed: Int64? = nil) {
            self.renewsAt = renewsAt
            self.succeeded = succeeded
            self.failed = failed
        }
    }
}

/// What a store can be asked to extend.
package struct ExtensibleSubscription: Sendable, Hashable {
    package var id: Subscription.ID
    package var customer: Customer.ID
    package var store: Store
    package var environment: StoreEnvironment
    package var originalTransactionID: String
    package var state: Subscription.State
    package var periodEndsAt: Date?
}

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

/// Which page of an app's extensions a list shows, newest first.
package struct ExtensionFilter: ListFilter, Hashable {
    package var position: PagePosition

    package init(position: PagePosition = .first) {
        self.position = position
    }

    package func cursor(at row: ExtensionRequest, rowsBefore: Int) -> PageCursor {
        PageCursor(kind: .extensionRequested, date: row.requested.at, id: row.id.uuid, rowsBefore: rowsBefore)
    }
}

extension Queries {
    package func extensions(of app: App.ID, _ filter: ExtensionFilter) async throws -> ListPage<ExtensionRequest> {
        let keyset = KeysetClauses(
            columns: ("x.requested_at", "x.id"),
            direction: .descending,
            position: filter.position
        ) { "\($0.date)" }
        let rows = try await reader.query(
            """
            \(ExtensionRequest.selection)
            WHERE x.app_id = \(app)\(keyset.condition)
            ORDER BY \(keyset.order)
            LIMIT \(unsafe: String(ListPageSize.fetched))
            """
        )
        return ListPage(try rows.map(ExtensionRequest.init(row:)), at: filter.position)
    }

    package func extensionRequest(_ id: ExtensionRequest.ID, of app: App.ID) async throws -> ExtensionRequest? {
        try await reader.query("\(ExtensionRequest.selection) WHERE x.id = \(id) AND x.app_id = \(app)").first
            .map(ExtensionRequest.init(row:))
    }

    /// The newest of a customer's subscriptions.
    package func extensions(ofCustomer customer: Customer.ID, limit: Int = 10) async throws -> [ExtensionRequest] {
        try await reader.query(
            """
            \(ExtensionRequest.selection)
            WHERE x.subscription_id IN (SELECT id FROM subscriptions WHERE customer_id = \(customer))
            ORDER BY x.requested_at DESC, x.id DESC
            LIMIT \(limit)
            """
        ).map(ExtensionRequest.init(row:))
    }
}

extension ExtensibleSubscription {
    static let selection: Query = """
        SELECT s.id, s.customer_id, s.store, s.environment, s.original_transaction_id, s.state, s.period_ends_at
        FROM subscriptions s
        """

    init(row: Row) throws {
        let (id, customer, store, environment, original, state, end) = try row.decode(
            Subscription.ID.self,
            Customer.ID.self,
            Store.self,
            StoreEnvironment.self,
            String.self,
            Subscription.State.self,
            Date?.self
        )
        self.init(
            id: id,
            customer: customer,
            store: store,
            environment: environment,
            originalTransactionID: original,
            state: state,
            periodEndsAt: end
        )
    }
}

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
