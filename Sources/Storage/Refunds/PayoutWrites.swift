package import Billing
import Foundation
import Postgres

extension WriteTransaction {
    package var payouts: PayoutWrites { PayoutWrites(transaction: self) }
}

/// Writes refunds that stores pay for us. The order of a refund is locked before its payout (`RefundWrites.lock`).
package struct PayoutWrites: Sendable {
    let transaction: WriteTransaction

    /// Keeps a new one, with its first step.
    package func insert(_ payout: StoredPayout) async throws {
        try await transaction.query(
            """
            INSERT INTO refund_payouts
                (refund_id, app_id, store, number, order_number, transaction_id, amount, total, currency, revokes, is_requested,
                 state, store_id, created_at, paid_at)
            VALUES
                (\(payout.refund), \(payout.app), \(payout.store), \(payout.number), \(payout.orderNumber),
                 \(payout.transactionID), \(payout.amount.minorUnits), \(payout.total.minorUnits),
                 \(payout.amount.currency.code), \(payout.revokes), \(payout.isRequested), \(payout.payout.state),
                 \(payout.storeID), \(payout.createdAt), \(payout.paidAt))
            """
        )
        try await note(payout.payout.state, words: nil, of: payout.refund)
    }

    /// Keeps what became of it. The same state with the same words is no further step.
    package func save(_ payout: StoredPayout, after before: StoredPayout) async throws {
        try await transaction.query(
            """
            UPDATE refund_payouts
            SET state = \(payout.payout.state), obstacle = \(payout.obstacle), store_id = \(payout.storeID), words = \(payout.words),
                sent_at = \(payout.sentAt), asked_at = \(payout.askedAt), paid_at = \(payout.paidAt),
                unpaid_since = \(payout.unpaidSince), settled_at = \(payout.settledAt)
            WHERE refund_id = \(payout.refund)
            """
        )
        guard payout.payout != before.payout || payout.words != before.words && payout.words != nil else { return }
        try await note(payout.payout.state, words: payout.words, of: payout.refund)
    }

    private func note(_ state: RefundPayout.State, words: String?, of refund: Refund.ID) async throws {
        try await transaction.query(
            """
            INSERT INTO refund_payout_steps (refund_id, position, at, state, words)
            SELECT \(refund), coalesce(max(position), 0) + 1, \(transaction.now), \(state), \(words)
            FROM refund_payout_steps
            WHERE refund_id = \(refund)
            """
        )
    }

    /// The payout of a request, locked; nil where no store pays it.
    package func find(_ refund: Refund.ID) async throws -> StoredPayout? {
        try await transaction.lock(
            "SELECT \(StoredPayout.columns) FROM refund_payouts y WHERE y.refund_id = \(refund) FOR NO KEY UPDATE"
        ).first.map(StoredPayout.init(row:))
    }

    /// The other refunds of a payout's payment that its store was asked for and has not refused or given up.
    package func earlier(than payout: StoredPayout) async throws -> EarlierPayouts {
        let rows = try await transaction.query(
            """
            SELECT count(*) FILTER (WHERE state NOT IN ('refused', 'closed', 'waiting', 'withdrawn')), max(sent_at)
            FROM refund_payouts
            WHERE app_id = \(payout.app) AND store = \(payout.store) AND transaction_id = \(payout.transactionID)
                AND refund_id <> \(payout.refund)
            """
        )
        guard var columns = try rows.first?.columns(2) else { return .none }
        return EarlierPayouts(count: try columns.next(), lastSentAt: try columns.next())
    }

    /// The names of a locked order at its store.
    package func names(of order: Order.ID) async throws -> OrderNames? {
        try await transaction.query(
            """
            SELECT coalesce(k.number, o.transaction_id), o.purchased_at, k.number IS NOT NULL
            FROM orders o
            LEFT JOIN checkouts k ON k.app_id = o.app_id AND k.store = o.store AND k.transaction_id = o.transaction_id
            WHERE o.id = \(order)
            """
        ).first.map { row in
            var columns = try row.columns(3)
            return OrderNames(
                number: try columns.next(),
                purchasedAt: try columns.next(),
                isOurs: try columns.next()
            )
        }
    }

    /// The customer who has a subscription.
    package func owner(of subscription: Subscription.ID) async throws -> Customer.ID? {
        try await transaction.query("SELECT customer_id FROM subscriptions WHERE id = \(subscription)")
            .first?.decode(0, as: Customer.ID.self)
    }

    /// The app of an order.
    package func app(of order: Order.ID) async throws -> App.ID? {
        try await transaction.query("SELECT app_id FROM orders WHERE id = \(order)").first?.decode(0, as: App.ID.self)
    }

    /// True if no payout of the app's has a number at a store.
    package func isFree(_ number: String, at store: Store, of app: App.ID) async throws -> Bool {
        try await transaction.query(
            "SELECT FROM refund_payouts WHERE app_id = \(app) AND store = \(store) AND number = \(number)"
        ).isEmpty
    }

    /// The request whose payout has a number at a store, and its order, locked as all who change either do.
    package func request(
        numbered number: String,
        at store: Store,
        of app: App.ID
    ) async throws -> (order: LockedOrder, request: RefundRequest)? {
        let rows = try await transaction.query(
            "SELECT refund_id FROM refund_payouts WHERE app_id = \(app) AND store = \(store) AND number = \(number)"
        )
        guard let refund = try rows.first?.decode(0, as: Refund.ID.self) else { return nil }
        return try await request(refund)
    }

    /// A request and its order, locked.
    package func request(_ refund: Refund.ID) async throws -> (order: LockedOrder, request: RefundRequest)? {
        let rows = try await transaction.query("SELECT order_id FROM refund_requests WHERE id = \(refund)")
        guard let id = try rows.first?.decode(0, as: Order.ID.self), let order = try await transaction.refunds.lock(id),
            let request = order.requests.first(where: { $0.id == refund })
        else { return nil }
        return (order, request)
    }

    /// The order of a payment, locked; nil where the app has none.
    package func order(
        paidBy transactionID: String,
        at store: Store,
        _ environment: StoreEnvironment,
        of app: App.ID
    ) async throws -> LockedOrder? {
        let rows = try await transaction.query(
            """
            SELECT id
            FROM orders
            WHERE app_id = \(app) AND store = \(store) AND environment = \(environment) AND transaction_id = \(transactionID)
                AND joined_into IS NULL
            """
        )
        guard let id = try rows.first?.decode(0, as: Order.ID.self) else { return nil }
        return try await transaction.refunds.lock(id)
    }
}

extension Reader {
    /// The payout of a request; nil where no store pays it.
    package func payout(of refund: Refund.ID) async throws -> StoredPayout? {
        try await query("SELECT \(StoredPayout.columns) FROM refund_payouts y WHERE y.refund_id = \(refund)")
            .first.map(StoredPayout.init(row:))
    }

    /// The name of what a refund is of, as the customer knows it.
    package func productName(ofRefund refund: Refund.ID) async throws -> String? {
        try await query(
            "SELECT o.product_name FROM refund_requests r JOIN orders o ON o.id = r.order_id WHERE r.id = \(refund)"
        ).first?.decode(0, as: String.self)
    }

    /// The payouts of requests, by request.
    package func payouts(of refunds: [Refund.ID]) async throws -> [Refund.ID: StoredPayout] {
        guard !refunds.isEmpty else { return [:] }
        return try await query(
            "SELECT \(StoredPayout.columns) FROM refund_payouts y WHERE y.refund_id = ANY(\(refunds.map(\.uuid)))"
        ).reduce(into: [:]) { payouts, row in
            let payout = try StoredPayout(row: row)
            payouts[payout.refund] = payout
        }
    }

    /// The steps of requests' payouts, by request, oldest first.
    package func payoutSteps(of refunds: [Refund.ID]) async throws -> [Refund.ID: [StoredPayout.Step]] {
        guard !refunds.isEmpty else { return [:] }
        return try await query(
            """
            SELECT refund_id, at, state, words
            FROM refund_payout_steps
            WHERE refund_id = ANY(\(refunds.map(\.uuid)))
            ORDER BY refund_id, position
            """
        ).reduce(into: [:]) { steps, row in
            var columns = try row.columns(4)
            let refund: Refund.ID = try columns.next()
            steps[refund, default: []].append(
                StoredPayout.Step(at: try columns.next(), state: try columns.next(), words: try columns.next())
            )
        }
    }
}
