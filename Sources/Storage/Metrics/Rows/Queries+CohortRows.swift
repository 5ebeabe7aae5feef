package import Billing
package import Foundation
import Postgres

extension Queries {
    /// A page of the customers behind a customer metric, the last seen first.
    ///
    /// - Parameters:
    ///   - currency: the currency of the customers' revenue.
    ///   - zone: the time zone of the filter's days.
    package func cohortRows(
        _ filter: CohortRowsFilter,
        in currency: Currency,
        app: App.ID,
        zone: TimeZone,
        counts: CappedCounts
    ) async throws -> ListPage<CohortRow> {
        let behind = CohortRowStatements(filter: filter, currency: currency, app: app, zone: zone, now: reader.now)
        let rows = try await reader.query(behind.page)
        let page = ListPage(try rows.map(CohortRow.init(row:)), at: filter.position)
        return try await counted(
            page,
            of: CountedList(app: app, filter: .cohortRows(filter.firstPage)),
            counts: counts,
            rows: behind.all
        )
    }
}

extension CohortRow {
    fileprivate init(row: Postgres.Row) throws {
        var columns = try row.columns(8)
        self.init(
            customer: try columns.next(),
            customerKey: try columns.next(),
            seen: try columns.next(),
            day: try columns.next(),
            products: try columns.next([String]?.self) ?? [],
            plans: try columns.next([String]?.self) ?? [],
            count: try columns.next(),
            net: try columns.next()
        )
    }
}
