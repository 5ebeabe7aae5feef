package import Billing
package import Foundation
import Postgres

/// An order with everything that programs are shown of it.
package struct OrderRecord: Sendable {
    package var id: Order.ID
    package var number: String
    package var customer: Customer.ID
    package var storeProductID: String
    package var productName: String
    package var planCode: String
    package var status: OrderStatus
    package var store: Store
    package var environment: StoreEnvironment
    package var transactionID: String
    package var originalTransactionID: String
    package var storefront: String?
    package var quantity: Int
    /// The seats of it that were given back, while the others stand.
    package var revokedSeats: Int
    /// True where the store has not said what they cost.
    package var isRefundEstimated: Bool
    package var offer: StoreTransaction.Offer?
    /// nil while the store has not said what was charged; then nothing is known of what was given back either.
    package var amount: Money?
    package var refunded: Money?
    /// The amount that an upgrade credited; zero for none, nil without an amount.
    package var credited: Money?
    /// In minor units of what the app reports in, at the rate of the day: by it amounts are sorted. -1 without a rate.
    package var worth: Int64
    package var purchasedAt: Date
    package var periodStartsAt: Date
    package var periodEndsAt: Date?
    package var refundedAt: Date?
    /// The time at which an upgrade replaced it.
    package var supersededAt: Date?
    package var updatedAt: Date
    /// The purchase's other transaction ids, and the number of the order that has it where this one is void; only read for a single order.
    package var (otherTransactionIDs, joinedInto): ([String], String?) = ([], nil)

    /// One entry of an order's ledger.
    package struct Entry: Sendable {
        package var id: UUID
        package var kind: LedgerEntry.Kind
        package var status: String
        package var amount: Money
        package var storeTransactionID: String
        package var failureReason: String?
        package var occurredAt: Date
    }
}

extension Queries {
    /// A page of an app's orders with all their fields, and whether there are more.
    ///
    /// - Parameter seesPersonalData: without it names and e-mail addresses are not searched.
    package func orderRecords(
        _ filter: OrderFilter,
        app: App.ID,
        seesPersonalData: Bool,
        limit: Int
    ) async throws -> (orders: [OrderRecord], hasMore: Bool) {
        let status: Query = filter.status.map { " AND o.status = \($0)" } ?? ""
        let customer: Query = filter.customer.map { " AND o.customer_id = \($0)" } ?? ""
        let search: Query =
            filter.search.isEmpty
            ? "" : OrderSearch(text: filter.search, app: app, seesPersonalData: seesPersonalData).condition
        let keyset =
            switch filter.sort {
            case .created:
                KeysetClauses(
                    columns: ("o.purchased_at", "o.id"),
                    direction: filter.direction,
                    position: filter.position
                ) { "\($0.date)" }
            case .amount:
                KeysetClauses(
                    columns: ("o.worth", "o.id"),
                    direction: filter.direction,
                    position: filter.position
                ) { "\($0.value)" }
            }
        let orders = try await reader.query(
            """
            \(Self.selection)
            WHERE o.app_id = \(app)\(status)\(customer)\(search)\(keyset.condition)
            ORDER BY \(keyset.order)
            LIMIT \(limit + 1)
            """
        ).map(OrderRecord.init)
        return (Array(orders.prefix(limit)), orders.count > limit)
    }

    /// One order by key or number, with its ledger; nil when the app has none like that.
    package func orderRecord(_ name: String, app: App.ID) async throws -> (OrderRecord, [OrderRecord.Entry])? {
        let condition: Query = Order.ID(name).map { "o.id = \($0)" } ?? "o.number = \(name)"
        let rows = try await reader.query("\(Self.selection) WHERE o.app_id = \(app) AND \(condition)")
        guard var order = try rows.first.map(OrderRecord.init) else { return nil }
        (order.otherTransactionIDs, order.joinedInto) = try await names(of: order.id)
        let entries = try await reader.query(
            """
            SELECT id, kind, status, amount, currency, store_transaction_id, failure_reason, occurred_at
            FROM ledger_entries
            WHERE order_id = \(order.id)
            ORDER BY occurred_at, id
            """
        ).map { row in
            let (id, kind, status, amount, currency, transaction, reason, occurredAt) = try row.decode(
                UUID.self,
                LedgerEntry.Kind.self,
                String.self,
                Int64.self,
                Currency.self,
                String.self,
                String?.self,
                Date.self
            )
            return OrderRecord.Entry(
                id: id,
                kind: kind,
                status: status,
                amount: Money(minorUnits: amount, currency: currency),
                storeTransactionID: transaction,
                failureReason: reason,
                occurredAt: occurredAt
            )
        }
        return (order, entries)
    }

    /// The other transaction ids of an order, oldest first, and the number of the order that has its purchase where it is void.
    func names(of order: Order.ID) async throws -> (others: [String], joinedInto: String?) {
        let row = try await reader.query(
            """
            SELECT ARRAY(
                    SELECT a.transaction_id FROM order_aliases a WHERE a.order_id = o.id
                    ORDER BY a.recorded_at, a.transaction_id),
                kept.number
            FROM orders o
            LEFT JOIN orders kept ON kept.id = o.joined_into
            WHERE o.id = \(order)
            """
        ).first
        return try row?.decode([String].self, String?.self) ?? ([], nil)
    }

    private static let selection: Query = """
        SELECT o.id, o.number, o.customer_id, p.store_product_id, o.product_name, o.plan_code, o.status, o.store,
            o.environment, o.transaction_id, o.original_transaction_id, o.amount, o.refunded, o.credited, o.currency,
            o.purchased_at, o.period_starts_at, o.period_ends_at, o.refunded_at, o.superseded_at, o.updated_at, o.worth,
            o.storefront, o.quantity, o.offer_kind, o.offer_id, o.is_trial,
            o.revoked_seats, o.refund_is_estimated
        FROM orders o
        JOIN products p ON p.id = o.product_id
        """
}

extension OrderRecord {
    fileprivate init(row: Row) throws {
        var columns = try row.columns(29)
        id = try columns.next()
        number = try columns.next()
        customer = try columns.next()
        storeProductID = try columns.next()
        productName = try columns.next()
        planCode = try columns.next()
        status = try columns.next()
        store = try columns.next()
        environment = try columns.next()
        transactionID = try columns.next()
        originalTransactionID = try columns.next()
        let (amount, refunded, credited): (Int64?, Int64, Int64) = (
            try columns.next(), try columns.next(), try columns.next()
        )
        let currency: Currency? = try columns.next()
        if let amount, let currency {
            self.amount = Money(minorUnits: amount, currency: currency)
            self.refunded = Money(minorUnits: refunded, currency: currency)
            self.credited = Money(minorUnits: credited, currency: currency)
        } else {
            (self.amount, self.refunded, self.credited) = (nil, nil, nil)
        }
        purchasedAt = try columns.next()
        periodStartsAt = try columns.next()
        periodEndsAt = try columns.next()
        refundedAt = try columns.next()
        supersededAt = try columns.next()
        updatedAt = try columns.next()
        worth = try columns.next()
        storefront = try columns.next()
        (quantity, offer) = try StoreTransaction.Offer.withQuantity(&columns)
        revokedSeats = Int(try columns.next(Int32.self))
        isRefundEstimated = try columns.next()
    }
}
