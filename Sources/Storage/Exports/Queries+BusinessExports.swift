package import Billing
package import Foundation
import Postgres

/// The part of an app's business that a file covers, and its days.
package struct SpanFilter: Hashable, Sendable {
    package var metrics: MetricsFilter
    /// On or after; nil: from the beginning.
    package var from: BusinessDay?
    /// On or before; nil: up to now.
    package var to: BusinessDay?

    package init(metrics: MetricsFilter = MetricsFilter(), from: BusinessDay? = nil, to: BusinessDay? = nil) {
        self.metrics = metrics
        self.from = from
        self.to = to
    }
}

extension Queries {
    /// Every row of the ledger's list, newest first.
    ///
    /// - Parameters:
    ///   - zone: the time zone of the filter's days.
    ///   - seesPersonalData: without it the columns of names and e-mail addresses are missing.
    package func export(
        _ filter: LedgerFilter,
        app: App.ID,
        zone: TimeZone,
        seesPersonalData: Bool
    ) -> ListExport {
        ListExport(
            [
                .init("occurred_at", .time, "t.occurred_at"), .init("recorded_at", .time, "t.recorded_at"),
                .init("kind", .text, "t.kind"), .init("amount", .amount, "t.amount"),
                .init("currency", .text, "t.currency"), .init("rate", .plain, ConvertedEntry.rate),
                .init("converted_amount", .plain, ConvertedEntry.exactAmount),
                .init("converted_currency", .text, "a.reporting_currency"), .init("payer", .text, "t.payer"),
                .init("order", .text, "o.number"),
            ] + Self.customerColumns + [
                .init("product", .text, "o.product_name"), .init("plan", .text, "o.plan_code"),
                .init("store", .text, "t.store"), .init("environment", .text, "upper(t.environment)"),
                .init("country", .text, "o.storefront"), .init("transaction_id", .text, "t.store_transaction_id"),
            ],
            seesPersonalData: seesPersonalData,
            from: """
                FROM ledger_entries t
                JOIN apps a ON a.id = t.app_id
                \(ConvertedEntry.join)
                JOIN orders o ON o.id = t.order_id
                JOIN customers c ON c.id = o.customer_id
                WHERE \(conditions(of: filter, app: app, zone: zone))
                ORDER BY t.occurred_at DESC, t.id DESC
                """
        )
    }

    /// Every access change by subscriptions and grants, in time order: gained, lost, and changed for another product, with the party
    /// behind it. Access that continues without a gap, as after a renewal, is no change, and an end in the future is none yet.
    ///
    /// - Parameters:
    ///   - zone: the time zone of the filter's days.
    ///   - seesPersonalData: without it the columns of names and e-mail addresses are missing.
    package func exportAccess(
        _ filter: SpanFilter,
        app: App.ID,
        zone: TimeZone,
        seesPersonalData: Bool
    ) -> ListExport {
        let from: Query = filter.from.map { " AND held.at >= \($0.start(in: zone))" } ?? ""
        let to: Query = filter.to.map { " AND held.at < \($0.end(in: zone))" } ?? ""
        let changes = AccessExport(metrics: filter.metrics, app: app, zone: zone)
        func yes(_ column: Query) -> Query { "CASE WHEN \(column) THEN 'yes' ELSE 'no' END" }
        return ListExport(
            [.init("at", .time, "held.at"), .init("change", .text, "held.change")]
                + Self.customerColumns + [
                    .init("subscription_id", .text, "held.subscription_id"), .init("grant_id", .text, "held.grant_id"),
                    .init("product", .text, "held.product"), .init("plan", .text, "held.plan"),
                    .init("plan_before", .text, "held.plan_before"), .init("reason", .text, "held.reason"),
                    .init("by", .text, "held.doer"), .init("access_from", .time, "held.starts_at"),
                    .init("access_until", .time, "held.ends_at"), .init("price", .amount, "held.price"),
                    .init("currency", .text, "held.currency"), .init("is_trial", .text, yes("held.is_trial")),
                    .init("is_family_shared", .text, yes("held.is_family_shared")), .init("store", .text, "held.store"),
                    .init("environment", .text, "upper(held.environment)"), .init("country", .text, "held.country"),
                ],
            seesPersonalData: seesPersonalData,
            from: """
                FROM (\(changes.all)) held
                JOIN customers c ON c.id = held.customer_id
                WHERE held.at <= \(reader.now)\(from)\(to)
                ORDER BY held.at, held.id, held.change
                """
        )
    }

    /// Each subscriber's part of monthly recurring revenue at the end of each month; of the last one now, or at the end of the day as of
    /// which it is.
    ///
    /// - Parameters:
    ///   - filter: its days stand for their months.
    ///   - today: the app's business day.
    ///   - seesPersonalData: without it the columns of names and e-mail addresses are missing.
    package func exportMonthlyRevenue(
        _ filter: SpanFilter,
        app: App.ID,
        today: BusinessDay,
        seesPersonalData: Bool
    ) -> ListExport {
        let known = filter.metrics.lastDay(today: today)
        let last = ReportingPeriod(.month, containing: min(filter.to ?? known, known))
        let first = filter.from.map { ReportingPeriod(.month, containing: $0).first } ?? BusinessDay(number: 0)
        let isProduction: Query = filter.metrics.environment == .production ? "" : " AND false"
        return ListExport(
            [.init("month", .plain, "to_char(months.month, 'YYYY-MM')")] + Self.customerColumns + [
                .init("product", .text, "sold.name"), .init("plan", .text, "plan.code"),
                .init("store", .text, "sold.store"), .init("country", .text, "running.country"),
                .init("mrr", .amount, "running.mrr"), .init("currency", .text, "running.currency"),
            ],
            seesPersonalData: seesPersonalData,
            from: """
                FROM (
                    SELECT customer_id, product_id, country, currency, month,
                        (sum(amount) OVER parts)::bigint AS mrr, lead(month) OVER parts AS changes_in
                    FROM (
                        SELECT customer_id, product_id, country, currency,
                            greatest(date_trunc('month', day)::date, \(first)) AS month, sum(amount) AS amount
                        FROM subscriber_entries
                        WHERE app_id = \(app) AND measure = 'mrr' AND day <= \(min(last.last, known))
                            AND effective_at <= \(reader.now)\(isProduction)\
                \(MetricsReads.conditions(of: filter.metrics, app: app))
                        GROUP BY 1, 2, 3, 4, 5
                    ) changes
                    WINDOW parts AS (PARTITION BY customer_id, product_id, country, currency ORDER BY month)
                ) running
                CROSS JOIN LATERAL generate_series(running.month::timestamp,
                    coalesce(running.changes_in - interval '1 month', \(last.first)::timestamp), interval '1 month')
                    AS months (month)
                JOIN customers c ON c.id = running.customer_id
                JOIN products sold ON sold.id = running.product_id
                JOIN plans plan ON plan.id = sold.plan_id
                WHERE running.mrr <> 0
                ORDER BY months.month, running.customer_id, running.product_id, running.country, running.currency
                """
        )
    }
}
