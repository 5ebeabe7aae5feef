package import Billing
package import Foundation
import Postgres

extension Queries {
    /// The customers behind a subscription metric: each one's value in each currency, with the rate that makes the metric of it.
    ///
    /// - Parameters:
    ///   - currency: the currency of a metric of money.
    ///   - zone: the time zone of the filter's days.
    ///   - seesPersonalData: without it the columns of names and e-mail addresses are missing.
    package func export(
        _ filter: SubscriberRowsFilter,
        in currency: Currency,
        app: App.ID,
        zone: TimeZone,
        seesPersonalData: Bool
    ) async throws -> ListExport {
        let isMoney = filter.metric.isMoney
        let rates = isMoney ? try await reader.metrics.recurringRates(filter.metrics, in: currency, app: app) : [:]
        let rows = MetricRows(filter: filter, rates: rates, app: app, zone: zone, now: reader.now)
        let kinds = MovementClass.allCases.reduce("" as Query) {
            "\($0) WHEN \($1.rawValue, as: Int16.self) THEN \($1.name)::text"
        }
        let unit: Query = "10::numeric ^ minor_digits(\(currency.code))"
        let rate: Query = "held.rate * 10::numeric ^ minor_digits(held.currency) / \(unit)"
        let values: [ListExport.Column] =
            isMoney
            ? [
                .init("amount", .amount, "held.value"), .init("currency", .text, "held.currency"),
                .init("rate", .plain, "trim_scale(round(\(rate), 18))"),
                .init("converted_amount", .plain, "trim_scale(round(held.value * held.rate / \(unit), 12))"),
                .init("converted_currency", .text, "\(currency.code)::text"),
            ] : [.init("count", .plain, "held.value")]
        let movement: [ListExport.Column] =
            filter.metric.hasMovements ? [.init("movement", .text, "CASE held.kind\(kinds) END")] : []
        return ListExport(
            [.init("day", .plain, "held.day")] + movement + Self.customerColumns + values,
            seesPersonalData: seesPersonalData,
            from: """
                FROM (\(rows.file)) held
                JOIN customers c ON c.id = held.customer_id
                ORDER BY held.customer_id, held.day, held.currency, held.kind
                """
        )
    }

    /// The customers behind a customer metric.
    ///
    /// - Parameters:
    ///   - currency: the currency of their revenue.
    ///   - zone: the time zone of the filter's days.
    ///   - seesPersonalData: without it the columns of names and e-mail addresses are missing.
    package func export(
        _ filter: CohortRowsFilter,
        in currency: Currency,
        app: App.ID,
        zone: TimeZone,
        seesPersonalData: Bool
    ) -> ListExport {
        let rows = CohortRowStatements(filter: filter, currency: currency, app: app, zone: zone, now: reader.now)
        let brought: [ListExport.Column] =
            filter.metric.isMoney
            ? [.init("net", .amount, "held.net"), .init("currency", .text, "\(currency.code)::text")] : []
        return ListExport(
            [.init("first_seen", .time, "held.created_at"), .init("day", .plain, "held.day")]
                + Self.customerColumns + [.init("count", .plain, "held.value")] + brought,
            seesPersonalData: seesPersonalData,
            from: """
                FROM (\(rows.file)) held
                JOIN customers c ON c.id = held.customer_id
                ORDER BY held.customer_id, held.day
                """
        )
    }
}
