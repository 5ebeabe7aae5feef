package import Billing
package import Foundation
import Postgres

extension Queries {
    /// A page of the customers behind a metric of customers, the last seen first.
    ///
    /// - Parameters:
    ///   - currency: that of what customers brought.
    ///   - zone: whose days the filter's days are.
    package func cohortRows(
        _ filter: CohortRowsFilter,
        in currency: Currency,
        app: App.ID,
        zone: TimeZone,
        counts: CappedCounts
    ) async throws -> CohortRows {
        let behind = CohortRowStatements(filter: filter, currency: currency, app: app, zone: zone, now: reader.now)
        let rows = try await reader.query(behind.page)
        let page = KeysetPage(try rows.map(CohortRows.Row.init(row:)), at: filter.position)
        let total = try await count(
            CountedList(app: app, filter: .cohortRows(filter.firstPage)),
            page: page,
            counts: counts,
            rows: behind.all
        )
        return CohortRows(
            rows: page.rows,
            total: total,
            rowsBefore: page.rowsBefore,
            hasPrevious: page.hasPrevious,
            hasNext: page.hasNext,
            startsOver: page.startsOver
        )
    }
}

extension CohortRows.Row {
    fileprivate init(row: Postgres.Row) throws {
        self.init(
            customer: try row.decode(0),
            customerKey: try row.decode(1),
            seen: try row.decode(2),
            day: try row.decode(3),
            products: try row.decode(4, as: [String]?.self) ?? [],
            plans: try row.decode(5, as: [String]?.self) ?? [],
            count: try row.decode(6),
            net: try row.decode(7, as: Int64?.self)
        )
    }
}
