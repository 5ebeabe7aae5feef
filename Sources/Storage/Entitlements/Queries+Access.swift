package import Billing
package import Foundation
import Postgres

extension Queries {
    /// A page of an app's access changes, newest first.
    ///
    /// - Parameter zone: the time zone of the filter's days.
    package func accessChanges(
        _ filter: AccessFilter,
        app: App.ID,
        zone: TimeZone,
        counts: CappedCounts
    ) async throws -> ListPage<AccessRow> {
        let source: Query = "access_changes c WHERE \(conditions(of: filter, app: app, zone: zone))"
        let keyset = KeysetClauses(columns: ("c.at", "c.id"), direction: .descending, position: filter.position) {
            "\($0.date)"
        }
        let rows = try await reader.query(
            """
            SELECT page.id, page.at, page.customer_id, coalesce(plan_before.code, granted_before.code),
                coalesce(plan_after.code, granted_after.code), page.cause, s.store, doer.name,
                EXISTS (SELECT FROM promo_redemptions r WHERE r.grant_id = page.grant_id)
            FROM (
                SELECT c.*
                FROM \(source)\(keyset.condition)
                ORDER BY \(keyset.order)
                LIMIT \(unsafe: String(ListPageSize.fetched))
            ) page
            LEFT JOIN products before ON before.id = page.before_id
            LEFT JOIN plans plan_before ON plan_before.id = before.plan_id
            LEFT JOIN plans granted_before ON granted_before.id = page.before_id
            LEFT JOIN products after ON after.id = page.after_id
            LEFT JOIN plans plan_after ON plan_after.id = after.plan_id
            LEFT JOIN plans granted_after ON granted_after.id = page.after_id
            LEFT JOIN subscriptions s ON s.id = page.subscription_id
            LEFT JOIN LATERAL (
                SELECT staff.name
                FROM entitlement_actions a
                JOIN staff ON staff.id = a.staff_id
                WHERE a.customer_id = page.customer_id AND CASE page.cause
                    WHEN 'granted' THEN a.changes::text ILIKE '%' || page.grant_id || '%'
                    ELSE page.cause IN ('withdrawn', 'suspended', 'restored') AND a.at = page.at END
                ORDER BY a.at
                LIMIT 1
            ) doer ON true
            ORDER BY \(unsafe: keyset.order.text.replacing("c.", with: "page."))
            """
        )
        let page = ListPage(try rows.map(AccessRow.init(row:)), at: filter.position)
        return try await counted(
            page,
            of: CountedList(app: app, filter: .access(filter.firstPage)),
            counts: counts,
            rows: "SELECT 1 FROM \(source)"
        )
    }

    private func conditions(of filter: AccessFilter, app: App.ID, zone: TimeZone) -> Query {
        let numbers = filter.metrics
        let from: Query = filter.from.map { " AND c.at >= \($0.start(in: zone))" } ?? ""
        let to: Query = filter.to.map { " AND c.at < \($0.end(in: zone))" } ?? ""
        let direction: Query =
            switch filter.direction {
            case nil: ""
            case .gained: " AND c.before_id IS NULL"
            case .lost: " AND c.after_id IS NULL"
            case .moved: " AND c.before_id IS NOT NULL AND c.after_id IS NOT NULL"
            }
        let cause: Query = filter.cause.map { " AND c.cause = \($0.rawValue)" } ?? ""
        let products: Query =
            numbers.isOfSomeProducts
            ? " AND coalesce(c.after_id, c.before_id) IN (\(MetricsReads.held(numbers, app: app)))" : ""
        let country: Query = numbers.country.map { " AND c.country = \($0)" } ?? ""
        let currency: Query = numbers.currency.map { " AND c.currency = \($0.code)" } ?? ""
        let known: Query =
            numbers.asOf.map { day in
                let end = day.end(in: zone)
                return "c.recorded_at < \(end) AND c.at < \(end) AND (c.retired_at IS NULL OR c.retired_at >= \(end))"
            } ?? "c.retired_at IS NULL"
        // There are no changes of the sandbox.
        let environment: Query = numbers.environment == .production ? "" : " AND false"
        return """
            c.app_id = \(app) AND \(known) AND c.at <= \(reader.now)\(from)\(to)\(direction)\(cause)\(products)\(country)
            \(currency)\(environment)
            """
    }
}

extension AccessRow {
    fileprivate init(row: Postgres.Row) throws {
        let (id, at, customer, before, after, cause, store, staff, isOfPromoCode) = try row.decode(
            UUID.self,
            Date.self,
            Customer.ID.self,
            String?.self,
            String?.self,
            String.self,
            Store?.self,
            String?.self,
            Bool.self
        )
        self.init(
            id: id,
            at: at,
            customer: customer,
            before: before,
            after: after,
            cause: EntitlementChange.Cause(rawValue: cause) ?? .expired,
            store: store,
            staff: staff,
            isOfPromoCode: isOfPromoCode
        )
    }
}
