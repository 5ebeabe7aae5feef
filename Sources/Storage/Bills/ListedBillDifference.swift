package import Billing
package import Foundation
import Postgres

/// A difference between a bill and the books, and what has become of it: a row of `bill_differences`.
package struct ListedBillDifference: Sendable, Hashable, Identifiable {
    package typealias ID = Identifier<ListedBillDifference>

    package var id: ID
    package var store: Store
    package var environment: StoreEnvironment
    package var bill: DailyBill.ID
    /// Of the bill, by the store's calendar.
    package var day: BusinessDay
    package var difference: BillDifference
    /// The number of the order here; nil where the books have none.
    package var order: String?
    package var foundAt: Date
    package var closedAt: Date?
    package var closeReason: CloseReason?
    /// The words of the last note, or of the reason for closing it.
    package var note: Personal<String>?
    package var notedBy: String?
    package var notedAt: Date?

    package var isOpen: Bool { closedAt == nil }

    /// The database keeps the raw values.
    package enum CloseReason: String, Sendable, CaseIterable {
        /// A later bill, payment or refund agrees.
        case explained
        /// A person closed it, with a note.
        case staff
    }
}

extension ListedBillDifference.CloseReason: PostgresEncodable, PostgresDecodable {}

extension ListedBillDifference {
    static let selection: Query = """
        SELECT d.id, d.store, d.environment, d.bill_id, b.day, d.kind, d.key, d.order_number, d.transaction_id, d.refund_number,
            d.order_id, d.billed, d.booked, d.currency, d.at, o.number, d.found_at, d.closed_at, d.close_reason, d.note, d.noted_by,
            d.noted_at
        FROM bill_differences d
        JOIN daily_bills b ON b.id = d.bill_id
        LEFT JOIN orders o ON o.id = d.order_id
        """

    init(row: Row) throws {
        var columns = try row.columns(22)
        id = try columns.next()
        store = try columns.next()
        environment = try columns.next()
        bill = try columns.next()
        day = try columns.next()
        let kind: BillDifference.Kind = try columns.next()
        let (key, orderNumber): (String, String?) = (try columns.next(), try columns.next())
        let (transactionID, refundNumber): (String, String?) = (try columns.next(), try columns.next())
        let order: UUID? = try columns.next()
        let (billed, booked): (Int64?, Int64?) = (try columns.next(), try columns.next())
        let currency: Currency = try columns.next()
        difference = BillDifference(
            kind,
            key: key,
            orderNumber: orderNumber,
            transactionID: transactionID,
            refundNumber: refundNumber,
            order: order,
            billed: billed.map { Money(minorUnits: $0, currency: currency) },
            booked: booked.map { Money(minorUnits: $0, currency: currency) },
            at: try columns.next()
        )
        self.order = try columns.next()
        foundAt = try columns.next()
        closedAt = try columns.next()
        closeReason = try columns.next()
        note = try columns.next()
        notedBy = try columns.next()
        notedAt = try columns.next()
    }
}
