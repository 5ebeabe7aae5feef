import Billing
import Foundation
import Postgres

/// One customer's entry in a metric: a row behind it.
struct CustomerEntry: Hashable, Sendable {
    var customer: Customer.ID
    var entry: MetricsEntry

    /// The entries that turn customers' old entries into their new ones.
    static func difference(
        from old: [Customer.ID: [MetricsEntry]],
        to new: [Customer.ID: [MetricsEntry]]
    ) -> [CustomerEntry] {
        Set(old.keys).union(new.keys).flatMap { customer in
            MetricsEntry.difference(from: old[customer, default: []], to: new[customer, default: []]).map {
                CustomerEntry(customer: customer, entry: $0)
            }
        }
    }

    /// Adds entries to the existing ones. An entry that a later one cancels out entirely is removed, so that a customer who renews
    /// for years has no more rows than a new one.
    ///
    /// - Parameters:
    ///   - moment: the time at which they became known.
    ///   - zone: the app's business time zone.
    static func merge(_ rows: [CustomerEntry], at moment: Date, in zone: TimeZone, app: App.ID) -> Query {
        merge(rows, known: rows.map(\.entry).knownDays(at: moment, in: zone), app: app)
    }

    /// - Parameter known: the business day on which each is known.
    static func merge(_ rows: [CustomerEntry], known: [String], app: App.ID) -> Query {
        let entries = rows.map(\.entry)
        return """
            MERGE INTO subscriber_entries AS e
            USING (
                SELECT customer_id, measure, day::date AS day, dimension, product_id, country, currency,
                    recorded_on::date AS recorded_on, effective_at, amount, count
                FROM unnest(\(rows.map(\.customer.uuid))::uuid[], \(entries.map(\.measure.rawValue))::text[],
                    \(entries.map(\.day.description))::text[], \(entries.map(\.dimension), as: Int16.self)::smallint[],
                    \(entries.map(\.cell.product))::uuid[], \(entries.map(\.cell.country))::text[],
                    \(entries.map { $0.cell.currency?.code ?? "" })::text[], \(known)::text[],
                    \(entries.map(\.effectiveAt))::timestamptz[], \(entries.map(\.amount))::bigint[],
                    \(entries.map { Int64($0.count) })::bigint[])
                    AS a (customer_id, measure, day, dimension, product_id, country, currency, recorded_on, effective_at, amount,
                        count)
            ) AS added
            ON e.app_id = \(app) AND e.measure = added.measure AND e.customer_id = added.customer_id
                AND e.day = added.day AND e.dimension = added.dimension AND e.product_id = added.product_id
                AND e.country = added.country AND e.currency = added.currency AND e.recorded_on = added.recorded_on
                AND e.effective_at = added.effective_at
            WHEN MATCHED AND e.amount + added.amount = 0 AND e.count + added.count = 0 THEN DELETE
            WHEN MATCHED THEN UPDATE SET amount = e.amount + added.amount, count = e.count + added.count
            WHEN NOT MATCHED THEN
                INSERT (app_id, customer_id, measure, day, dimension, product_id, country, currency, recorded_on, effective_at,
                    amount, count)
                VALUES (\(app), added.customer_id, added.measure, added.day, added.dimension, added.product_id, added.country,
                    added.currency, added.recorded_on, added.effective_at, added.amount, added.count)
            """
    }
}
