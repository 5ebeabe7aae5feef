package import Billing
package import Foundation
import Postgres

/// An order with its refund requests, locked until the transaction ends.
package struct LockedOrder: Sendable {
    package var id: Order.ID
    package var number: String
    package var customer: Customer.ID
    /// nil for what belongs to none.
    package var subscription: Subscription.ID?
    package var store: Store
    package var environment: StoreEnvironment
    package var transactionID: String
    package var status: OrderStatus
    package var amount: Money
    package var refunded: Money
    /// The credit of an upgrade.
    package var credited: Money
    /// `RefundableOrder.carriedIn`
    package var carriedIn: Money
    /// `RefundableOrder.carriedOut`
    package var carriedOut: Money
    package var periodStartsAt: Date
    package var periodEndsAt: Date?
    /// The time of the store's last consumption request about this charge.
    package var askedAt: Date?
    /// Oldest first.
    package var requests: [RefundRequest]
    package var policy: RefundPolicy

    /// The order as a refund sees it, leaving one request out of what others hold.
    ///
    /// - Parameter approvedOnly: counts what was approved and not what is merely asked for.
    package func refundable(apartFrom number: String? = nil, approvedOnly: Bool = false) -> RefundableOrder {
        let held = requests.filter { $0.number != number }.reduce(Int64(0)) { sum, request in
            switch request.refund.status {
            case .approved: sum.plus(request.refund.approved?.minorUnits ?? 0)
            case .pending: sum.plus(approvedOnly ? 0 : request.refund.requested.minorUnits)
            case .processed, .rejected, .cancelled, .expired: sum
            }
        }
        return RefundableOrder(
            status: status,
            amount: amount,
            refunded: refunded,
            credited: credited,
            carriedIn: carriedIn,
            carriedOut: carriedOut,
            held: Money(minorUnits: held, currency: amount.currency),
            periodStartsAt: periodStartsAt,
            periodEndsAt: periodEndsAt
        )
    }
}

extension WriteTransaction {
    package var refunds: RefundWrites { RefundWrites(transaction: self) }
}

/// Reads, locks and saves refund requests.
package struct RefundWrites: Sendable {
    let transaction: WriteTransaction

    /// An order with its requests. Locks the customer first and then the subscription, as all who change either do.
    package func lock(order number: String, of app: App.ID) async throws -> LockedOrder? {
        try await lock(where: "o.app_id = \(app) AND o.number = \(number)")
    }

    /// The order of a request.
    package func lock(orderOfRequest number: String, of app: App.ID) async throws -> LockedOrder? {
        let rows = try await transaction.query(
            "SELECT order_id FROM refund_requests WHERE app_id = \(app) AND number = \(number)"
        )
        guard let order = try rows.first?.decode(0, as: Order.ID.self) else { return nil }
        return try await lock(where: "o.id = \(order)")
    }

    func lock(_ order: Order.ID) async throws -> LockedOrder? {
        try await lock(where: "o.id = \(order)")
    }

    package func policy(of app: App.ID) async throws -> RefundPolicy {
        guard let row = try await transaction.query(RefundPolicy.query(of: app)).first else {
            throw PostgresError(.decoding, "the app \(app) is not there")
        }
        return try RefundPolicy(row: row)
    }

    /// The next number of the app; other transactions that need one wait until this one ends.
    package func nextNumber(of app: App.ID) async throws -> RefundNumber {
        let rows = try await transaction.query(
            """
            INSERT INTO refund_numbers (app_id, last_sequence)
            VALUES (\(app), 1)
            ON CONFLICT (app_id) DO UPDATE SET last_sequence = refund_numbers.last_sequence + 1
            RETURNING last_sequence
            """
        )
        guard let row = rows.first else {
            throw PostgresError(.decoding, "no refund number came back")
        }
        return RefundNumber(try row.decode(0, as: Int.self))
    }

    package func insert(_ request: RefundRequest) async throws {
        try await transaction.query(
            """
            INSERT INTO refund_requests
                (id, app_id, order_id, number, kind, status, requested_amount, currency, reason_category, reason,
                 internal_note, requested_by, requested_as, requested_at, opened_by_store, consumption_requested_at,
                 consumption_last_requested_at, consumption_due_at, consumption_reason, expires_at, updated_at)
            VALUES
                (\(request.id), \(request.app), \(request.order), \(request.number), \(request.refund.kind),
                 \(request.refund.status), \(request.refund.requested.minorUnits),
                 \(request.refund.requested.currency.code), \(request.reasonCategory), \(request.reason),
                 \(request.internalNote), \(request.requested.staff), \(request.requested.actor),
                 \(request.requested.at), \(request.isOpenedByStore), \(request.consumptionRequest?.requestedAt),
                 \(request.consumptionRequest?.lastRequestedAt), \(request.consumptionRequest?.dueAt),
                 \(request.consumptionRequest?.reason),
                 \(request.expiresAt), \(transaction.now))
            """
        )
    }

    /// Saves what became of a request, and counts its version up.
    package func save(_ request: RefundRequest) async throws {
        try await transaction.query(Self.update(request, at: transaction.now))
    }

    /// Books a refund that a person marked as done: its ledger entry, and the order's status and refunded amount; of a
    /// charge that is given back in full by it, the metrics too.
    package func book(_ refund: ManualRefund, of order: LockedOrder, app: App.ID) async throws {
        let entry = refund.entry
        let refunded = order.refunded.minorUnits.minus(entry.amount.minorUnits)
        let status = OrderStatus.charged(
            order.amount,
            refunded: Money(minorUnits: refunded, currency: order.amount.currency),
            isSuperseded: order.status == .superseded
        )
        // Before the ledger, as those who count everything again lock both.
        if status == .refunded, let subscription = order.subscription {
            try await transaction.periods.noteGivenBack(
                order.transactionID,
                of: subscription,
                ownedBy: order.customer,
                at: refund.bookedAt,
                app: app
            )
        }
        try await transaction.pipeline([
            """
            INSERT INTO ledger_entries
                (id, app_id, order_id, kind, status, amount, currency, store, environment, store_transaction_id,
                 reference, payer, occurred_at, recorded_at)
            VALUES
                (\(transaction.newUUID()), \(app), \(order.id), \(entry.kind), 'success', \(entry.amount.minorUnits),
                 \(entry.amount.currency.code), \(order.store), \(order.environment), \(order.transactionID),
                 \(entry.reference), \(refund.payer), \(entry.occurredAt), \(transaction.now))
            """,
            """
            UPDATE orders
            SET status = \(status), refunded = \(refunded), refunded_at = \(entry.occurredAt),
                updated_at = \(transaction.now)
            WHERE id = \(order.id)
            """,
        ])
        if status == .refunded { try await transaction.checkouts.releaseCredits(into: order.id) }
    }

    /// Open requests that nobody acted on in time, oldest first, locked; those that somebody is at are left out.
    package func lockStale(limit: Int) async throws -> [RefundRequest] {
        try await transaction.query(
            """
            SELECT \(RefundRequest.columns)
            FROM refund_requests r
            WHERE r.status IN ('pending', 'approved') AND r.expires_at <= \(transaction.now)
            ORDER BY r.expires_at
            LIMIT \(limit)
            FOR NO KEY UPDATE SKIP LOCKED
            """
        ).map(RefundRequest.init(row:))
    }

    static func update(_ request: RefundRequest, at now: Date) -> Query {
        """
        UPDATE refund_requests
        SET status = \(request.refund.status), approved_amount = \(request.refund.approved?.minorUnits),
            processed_amount = \(request.refund.processed?.minorUnits), decided_by = \(request.decided?.staff),
            decided_as = \(request.decided?.actor), decided_at = \(request.decided?.at),
            decision_reason = \(request.decided?.reason), self_approved = \(request.selfApproved),
            finished_by = \(request.finished?.staff), finished_as = \(request.finished?.actor),
            finished_at = \(request.finished?.at), finish_reason = \(request.finished?.reason),
            refund_preference = \(request.refundPreference), payback_amount = \(request.payback?.minorUnits),
            consumption_requested_at = \(request.consumptionRequest?.requestedAt),
            consumption_last_requested_at = \(request.consumptionRequest?.lastRequestedAt),
            consumption_due_at = \(request.consumptionRequest?.dueAt), consumption_reason = \(request.consumptionRequest?.reason),
            store_declined_at = \(request.storeDeclinedAt), store_refunded_at = \(request.storeRefundedAt),
            payer = \(request.payment?.payer), payment_reference = \(request.payment?.reference),
            store_reference = \(request.payment?.storeReference), expires_at = \(request.expiresAt),
            version = version + 1, updated_at = \(now)
        WHERE id = \(request.id)
        """
    }

    private func lock(where condition: Query) async throws -> LockedOrder? {
        let results = try await transaction.lock([
            """
            SELECT 1
            FROM customers c
            WHERE c.id = (SELECT o.customer_id FROM orders o WHERE \(condition))
            FOR NO KEY UPDATE
            """,
            """
            SELECT 1
            FROM subscriptions s
            WHERE s.id = (SELECT o.subscription_id FROM orders o WHERE \(condition))
            FOR NO KEY UPDATE
            """,
            """
            SELECT coalesce(o.currency, \(Currency.unknown.code)), o.id, o.number, o.customer_id, o.subscription_id, o.store, o.environment, o.transaction_id, o.status, coalesce(o.amount, 0), o.refunded, o.credited,
                credit_in(o.id), credit_out(o.id), o.period_starts_at, o.period_ends_at
            FROM orders o
            WHERE \(condition)
            FOR NO KEY UPDATE
            """,
            """
            SELECT \(RefundRequest.columns)
            FROM refund_requests r
            WHERE r.order_id = (SELECT o.id FROM orders o WHERE \(condition))
            ORDER BY r.requested_at, r.id
            FOR NO KEY UPDATE
            """,
            """
            SELECT max(e.signed_at)
            FROM orders o
            JOIN subscription_events e ON e.subscription_id = o.subscription_id
            WHERE \(condition) AND e.kind = 'refundRequested'
                AND (e.event -> 'transaction' ->> 'id' = o.transaction_id
                    OR e.event -> 'transaction' ->> 'id' IN (
                        SELECT a.transaction_id FROM order_aliases a WHERE a.order_id = o.id))
            """,
            """
            SELECT a.reporting_currency, a.refund_self_approval_limit, a.typed_confirmation_from,
                a.refund_request_expires_after_days
            FROM apps a
            JOIN orders o ON o.app_id = a.id
            WHERE \(condition)
            """,
        ])
        guard var columns = try results[2].first?.columns(16), let policy = results[5].first else { return nil }
        let currency: Currency = try columns.next()
        return LockedOrder(
            id: try columns.next(),
            number: try columns.next(),
            customer: try columns.next(),
            subscription: try columns.next(),
            store: try columns.next(),
            environment: try columns.next(),
            transactionID: try columns.next(),
            status: try columns.next(),
            amount: Money(minorUnits: try columns.next(), currency: currency),
            refunded: Money(minorUnits: try columns.next(), currency: currency),
            credited: Money(minorUnits: try columns.next(), currency: currency),
            carriedIn: Money(minorUnits: try columns.next(), currency: currency),
            carriedOut: Money(minorUnits: try columns.next(), currency: currency),
            periodStartsAt: try columns.next(),
            periodEndsAt: try columns.next(),
            askedAt: try results[4].first?.decode(0, as: Date?.self),
            requests: try results[3].map(RefundRequest.init(row:)),
            policy: try RefundPolicy(row: policy)
        )
    }
}

extension RefundPolicy {
    static func query(of app: App.ID) -> Query {
        """
        SELECT reporting_currency, refund_self_approval_limit, typed_confirmation_from, refund_request_expires_after_days
        FROM apps
        WHERE id = \(app)
        """
    }

    /// From the reporting currency, the limit, the threshold and the days.
    init(row: Row) throws {
        let (code, limit, threshold, days) = try row.decode(String.self, Int64?.self, Int64?.self, Int32.self)
        self.init(currency: try Currency(stored: code), limit, threshold, days)
    }

    /// Reads the stored values; missing ones have their defaults.
    init(currency: Currency, _ limit: Int64?, _ threshold: Int64?, _ days: Int32) {
        self = .standard(in: currency)
        selfApprovalLimit = limit.map { Money(minorUnits: $0, currency: currency) }
        if let threshold { typedConfirmationFrom = Money(minorUnits: threshold, currency: currency) }
        requestExpiresAfterDays = Int(days)
    }
}
