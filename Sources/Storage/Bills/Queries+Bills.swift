package import Billing
import Foundation
import Postgres

/// A bill, with the number of its differences.
package struct ListedBill: Sendable, Hashable, Identifiable {
    package var bill: DailyBill
    /// All that were ever found.
    package var differences: Int
    package var open: Int

    package var id: DailyBill.ID { bill.id }
}

/// The sums of a bill, of one currency.
package struct BillSums: Sendable, Hashable {
    package var currency: Currency
    package var payments: Int
    package var paid: Int64
    package var refunds: Int
    package var refunded: Int64
    /// The store's share; nil where no row says it.
    package var fees: Int64?
}

/// The page of a list of an app's bills, the newest day first.
package struct BillFilter: ListFilter, Hashable {
    package var position: PagePosition

    package init(position: PagePosition = .first) {
        self.position = position
    }

    package func cursor(at row: ListedBill, rowsBefore: Int) -> PageCursor {
        PageCursor(kind: .billDay, day: row.bill.day, id: row.id.uuid, rowsBefore: rowsBefore)
    }
}

/// The filter and the page of a list of differences between bills and books, those that were found last first.
package struct BillDifferenceFilter: ListFilter, Hashable {
    package var shown: Shown
    package var position: PagePosition

    package init(shown: Shown = .open, position: PagePosition = .first) {
        self.shown = shown
        self.position = position
    }

    /// Raw values appear in URLs.
    package enum Shown: String, Hashable, Sendable, CaseIterable {
        case open
        case closed
        case all
    }

    package func cursor(at row: ListedBillDifference, rowsBefore: Int) -> PageCursor {
        PageCursor(kind: .billDifferenceFound, date: row.foundAt, id: row.id.uuid, rowsBefore: rowsBefore)
    }
}

extension Queries {
    package func bills(of app: App.ID, _ filter: BillFilter) async throws -> ListPage<ListedBill> {
        let keyset = KeysetClauses(columns: ("b.day", "b.id"), direction: .descending, position: filter.position) {
            "\(BusinessDay($0.date, in: .gmt))"
        }
        let rows = try await reader.query(
            """
            \(Self.listedBill)
            WHERE b.app_id = \(app)\(keyset.condition)
            ORDER BY \(keyset.order)
            LIMIT \(unsafe: String(ListPageSize.fetched))
            """
        )
        return ListPage(try rows.map(ListedBill.init(row:)), at: filter.position)
    }

    package func bill(_ id: DailyBill.ID, of app: App.ID) async throws -> ListedBill? {
        try await reader.query("\(Self.listedBill) WHERE b.id = \(id) AND b.app_id = \(app)").first
            .map(ListedBill.init(row:))
    }

    /// By currency; mostly there is one.
    package func sums(of bill: DailyBill.ID) async throws -> [BillSums] {
        try await reader.query(
            """
            SELECT currency, count(*) FILTER (WHERE kind = 'payment'), coalesce(sum(amount) FILTER (WHERE kind = 'payment'), 0)::bigint,
                count(*) FILTER (WHERE kind = 'refund'), coalesce(sum(amount) FILTER (WHERE kind = 'refund'), 0)::bigint,
                sum(fee)::bigint
            FROM bill_rows
            WHERE bill_id = \(bill)
            GROUP BY currency
            ORDER BY currency
            """
        ).map { row in
            var columns = try row.columns(6)
            return BillSums(
                currency: try columns.next(),
                payments: try columns.next(),
                paid: try columns.next(),
                refunds: try columns.next(),
                refunded: try columns.next(),
                fees: try columns.next()
            )
        }
    }

    /// The share that a store keeps of an app's charges.
    package func storeFee(of app: App.ID, at store: Store) async throws -> StoreFee {
        try StoreFee.byStore(try await reader.query(StoreFee.query(of: app)))[store] ?? StoreFee()
    }

    package func billDifferences(
        of app: App.ID,
        _ filter: BillDifferenceFilter
    ) async throws -> ListPage<ListedBillDifference> {
        let keyset = KeysetClauses(columns: ("d.found_at", "d.id"), direction: .descending, position: filter.position) {
            "\($0.date)"
        }
        let shown: Query =
            switch filter.shown {
            case .open: " AND d.closed_at IS NULL"
            case .closed: " AND d.closed_at IS NOT NULL"
            case .all: ""
            }
        let rows = try await reader.query(
            """
            \(ListedBillDifference.selection)
            WHERE d.app_id = \(app)\(shown)\(keyset.condition)
            ORDER BY \(keyset.order)
            LIMIT \(unsafe: String(ListPageSize.fetched))
            """
        )
        return ListPage(try rows.map(ListedBillDifference.init(row:)), at: filter.position)
    }

    /// Those of a bill, open ones first.
    package func billDifferences(of bill: DailyBill.ID, limit: Int) async throws -> [ListedBillDifference] {
        try await reader.query(
            """
            \(ListedBillDifference.selection)
            WHERE d.bill_id = \(bill)
            ORDER BY d.closed_at IS NOT NULL, d.at, d.id
            LIMIT \(limit)
            """
        ).map(ListedBillDifference.init(row:))
    }

    package func billDifference(
        _ id: ListedBillDifference.ID,
        of app: App.ID
    ) async throws -> ListedBillDifference? {
        try await reader.query("\(ListedBillDifference.selection) WHERE d.id = \(id) AND d.app_id = \(app)").first
            .map(ListedBillDifference.init(row:))
    }

    private static let listedBill: Query = """
        SELECT \(DailyBill.columns), (SELECT count(*) FROM bill_differences d WHERE d.bill_id = b.id),
            (SELECT count(*) FROM bill_differences d WHERE d.bill_id = b.id AND d.closed_at IS NULL)
        FROM daily_bills b
        """
}

extension ListedBill {
    fileprivate init(row: Row) throws {
        var columns = try row.columns(DailyBill.columnCount + 2)
        bill = try DailyBill(&columns)
        differences = try columns.next()
        open = try columns.next()
    }
}
