package import Billing
package import Foundation
import Postgres

extension Queries {
    /// A page of an app's ledger, newest first.
    ///
    /// - Parameter zone: the time zone of the filter's days.
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
        let selected: Query = """
            SELECT t.*, o.number, o.product_name, o.plan_code, coalesce(o.storefront, '') AS country
            FROM \(source)\(keyset.condition)
            ORDER BY \(keyset.order)
            LIMIT \(unsafe: String(ListPageSize.fetched))
            """
        let rows = try await reader.query(
            """
            SELECT t.id, t.kind, t.amount, t.currency, \(ConvertedEntry.amount), a.reporting_currency, \(ConvertedEntry.shownRate),
                t.payer, t.occurred_at, t.recorded_at, t.store, t.environment, t.number, t.product_name, t.plan_code, t.country
            FROM (\(selected)) t
            JOIN apps a ON a.id = t.app_id
            \(ConvertedEntry.join)
            ORDER BY \(keyset.order)
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
            case .refunds: " AND is_refund(t.kind)"
            case .credits: " AND is_upgrade_credit(t.kind)"
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

/// A ledger entry, `t` of the app `a`, in the app's reporting currency. With the rate of its day, every metric can be recomputed from
/// the rows.
enum ConvertedEntry {
    static let join: Query = """
        CROSS JOIN LATERAL (
            SELECT cross_rate(t.currency, a.reporting_currency, (t.occurred_at AT TIME ZONE a.time_zone)::date) AS rate
        ) r
        """

    /// Minor units, rounded.
    static let amount: Query = "round(round(t.amount * r.rate, 12))::bigint"

    /// The converted amount in whole units, with as many decimals as add up to the cent over a million rows.
    static let exactAmount: Query = """
        trim_scale(round(t.amount * r.rate / 10::numeric ^ minor_digits(a.reporting_currency), 12))
        """

    /// The rate of one whole unit.
    static let rate: Query = """
        trim_scale(round(r.rate * 10::numeric ^ (minor_digits(t.currency) - minor_digits(a.reporting_currency)), 18))
        """

    /// The same with six decimals, and none that are zero.
    static let shownRate: Query = """
        trim_scale(round(r.rate * 10::numeric ^ (minor_digits(t.currency) - minor_digits(a.reporting_currency)), 6))::text
        """
}

extension ListedLedgerEntry {
    fileprivate init(row: Postgres.Row) throws {
        var columns = try row.columns(16)
        let (id, kind): (UUID, LedgerEntry.Kind) = (try columns.next(), try columns.next())
        let (amount, currency): (Int64, Currency) = (try columns.next(), try columns.next())
        let (converted, reporting): (Int64?, Currency) = (try columns.next(), try columns.next())
        self.init(
            id: id,
            kind: kind,
            amount: Money(minorUnits: amount, currency: currency),
            converted: converted.map { Money(minorUnits: $0, currency: reporting) },
            rate: try columns.next(),
            payer: try columns.next(),
            occurredAt: try columns.next(),
            recordedAt: try columns.next(),
            store: try columns.next(),
            environment: try columns.next(),
            orderNumber: try columns.next(),
            productName: try columns.next(),
            planCode: try columns.next(),
            country: try columns.next()
        )
    }
}
