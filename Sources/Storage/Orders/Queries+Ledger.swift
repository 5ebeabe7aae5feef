package import Billing
package import Foundation
import Postgres

extension Queries {
    /// A page of an app's ledger, newest first.
    ///
    /// - Parameter zone: whose days the filter's days are.
    package func ledger(
        _ filter: LedgerFilter,
        app: App.ID,
        zone: TimeZone,
        counts: CappedCounts
    ) async throws -> ListPage<ListedLedgerEntry> {
        let conditions = conditions(of: filter, app: app, zone: zone)
        let source: Query = "ledger_entries t JOIN orders o ON o.id = t.order_id WHERE \(conditions)"
        let keyset = KeysetClauses(
            columns: ("t.occurred_at", "t.id"),
            direction: .descending,
            position: filter.position
        ) { "\($0.date)" }
        let rows = try await reader.query(
            """
            SELECT t.id, t.kind, t.amount, t.currency, t.occurred_at, t.recorded_at, t.store, t.environment, o.number,
                o.product_name, o.plan_code, coalesce(o.storefront, '')
            FROM \(source)\(keyset.condition)
            ORDER BY \(keyset.order)
            LIMIT \(unsafe: String(ListPageSize.fetched))
            """
        )
        let page = ListPage(try rows.map(ListedLedgerEntry.init(row:)), at: filter.position)
        return try await counted(
            page,
            of: CountedList(app: app, filter: .ledger(filter.firstPage)),
            counts: counts,
            rows: "SELECT 1 FROM \(source)"
        )
    }

    func conditions(of filter: LedgerFilter, app: App.ID, zone: TimeZone) -> Query {
        let numbers = filter.metrics
        let moment: Query = filter.dating == .own ? "t.occurred_at" : "o.purchased_at"
        let from: Query = filter.from.map { " AND \(moment) >= \($0.start(in: zone))" } ?? ""
        let to: Query = filter.to.map { " AND \(moment) < \($0.end(in: zone))" } ?? ""
        let kind: Query =
            switch filter.kind {
            case .everything: " AND t.amount <> 0"
            case .charges: " AND is_charge(t.kind) AND t.amount > 0"
            case .orders: " AND is_charge(t.kind)"
            case .refunds: " AND NOT is_charge(t.kind)"
            }
        let products: Query =
            numbers.isOfSomeProducts ? " AND o.product_id IN (\(MetricsReads.products(numbers, app: app)))" : ""
        let country: Query = numbers.country.map { " AND coalesce(o.storefront, '') = \($0)" } ?? ""
        let currency: Query = numbers.currency.map { " AND t.currency = \($0.code)" } ?? ""
        let asOf: Query = numbers.asOf.map { " AND t.recorded_at < \($0.end(in: zone))" } ?? ""
        return """
            t.app_id = \(app) AND t.status = 'success'
            AND t.environment = \(numbers.environment)\(from)\(to)\(kind)\(products)\(country)\(currency)\(asOf)
            """
    }
}

extension ListedLedgerEntry {
    fileprivate init(row: Postgres.Row) throws {
        let (id, kind, amount, code, occurredAt, recordedAt, store, environment, number, product, plan, country) =
            try row.decode(
                UUID.self,
                LedgerEntry.Kind.self,
                Int64.self,
                String.self,
                Date.self,
                Date.self,
                Store.self,
                StoreEnvironment.self,
                String.self,
                String.self,
                String.self,
                String.self
            )
        self.init(
            id: id,
            kind: kind,
            amount: Money(minorUnits: amount, currency: try Currency(stored: code)),
            occurredAt: occurredAt,
            recordedAt: recordedAt,
            store: store,
            environment: environment,
            orderNumber: number,
            productName: product,
            planCode: plan,
            country: country
        )
    }
}
