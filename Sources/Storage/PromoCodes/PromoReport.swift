package import Billing
package import Foundation
import Postgres

/// The results of promo codes: of a batch, or of all codes of a channel.
package struct PromoReport: Sendable, Hashable {
    package var codes: Int
    /// Codes that were redeemed at least once.
    package var redeemedCodes: Int
    package var redemptions: Int
    /// Customers who redeemed any of them.
    package var customers: Int
    /// Those of them who had paid nothing before their first redemption.
    package var neverPaid: Int
    /// Of those: whose first charge came afterwards.
    package var converted: Int

    package init(
        codes: Int,
        redeemedCodes: Int,
        redemptions: Int,
        customers: Int,
        neverPaid: Int,
        converted: Int
    ) {
        self.codes = codes
        self.redeemedCodes = redeemedCodes
        self.redemptions = redemptions
        self.customers = customers
        self.neverPaid = neverPaid
        self.converted = converted
    }

    /// `converted` of `neverPaid`; nil where nobody could convert.
    package var conversionRate: Double? { neverPaid > 0 ? Double(converted) / Double(neverPaid) : nil }

    /// Redemptions of one business day.
    package struct Day: Sendable, Hashable {
        package var day: BusinessDay
        package var redemptions: Int

        package init(day: BusinessDay, redemptions: Int) {
            self.day = day
            self.redemptions = redemptions
        }
    }

    /// The results of a channel.
    package struct Channel: Sendable, Hashable {
        package var channel: String
        package var batches: Int
        package var report: PromoReport

        package init(channel: String, batches: Int, report: PromoReport) {
            self.channel = channel
            self.batches = batches
            self.report = report
        }
    }

    /// As many days, and as many channels, a report has at most.
    package static let mostLines = 100
}

extension Queries {
    package func promoReport(of batch: PromoBatch.ID) async throws -> PromoReport {
        let rows = try await reader.query(
            "\(PromoReport.selection(of: "b.id = \(batch)")) SELECT \(PromoReport.columns) FROM per_channel"
        )
        guard var columns = try rows.first?.columns(PromoReport.columnCount) else {
            return PromoReport(codes: 0, redeemedCodes: 0, redemptions: 0, customers: 0, neverPaid: 0, converted: 0)
        }
        return try PromoReport(&columns)
    }

    /// The newest days on which any code of a batch was redeemed, newest first.
    package func promoDays(of batch: PromoBatch.ID, zone: TimeZone) async throws -> [PromoReport.Day] {
        try await reader.query(
            """
            SELECT (r.redeemed_at AT TIME ZONE \(zone.identifier))::date AS day, count(*)
            FROM promo_redemptions r
            WHERE r.batch_id = \(batch)
            GROUP BY day
            ORDER BY day DESC
            LIMIT \(unsafe: String(PromoReport.mostLines))
            """
        ).map { row in
            let (day, count) = try row.decode(BusinessDay.self, Int.self)
            return PromoReport.Day(day: day, redemptions: count)
        }
    }

    /// Every channel of an app, the most redeemed first.
    package func promoChannelReports(of app: App.ID) async throws -> [PromoReport.Channel] {
        try await reader.query(
            """
            \(PromoReport.selection(of: "b.app_id = \(app)"))
            SELECT channel, batches, \(PromoReport.columns)
            FROM per_channel
            ORDER BY redemptions DESC, channel
            LIMIT \(unsafe: String(PromoReport.mostLines))
            """
        ).map { row in
            var columns = try row.columns(PromoReport.columnCount + 2)
            return PromoReport.Channel(
                channel: try columns.next(),
                batches: try columns.next(),
                report: try PromoReport(&columns)
            )
        }
    }
}

extension PromoReport {
    static let columns: Query = "codes, redeemed_codes, redemptions, customers, never_paid, converted"

    static let columnCount = 6

    /// The common table expressions up to `per_channel`.
    ///
    /// - Parameter condition: the condition on batches `b`.
    static func selection(of condition: Query) -> Query {
        """
        WITH chosen AS (
            SELECT b.id, b.channel, b.code_count FROM promo_batches b WHERE \(condition)
        ), redeemed AS (
            SELECT chosen.channel, coalesce(c.merged_into, c.id) AS customer_id, r.redeemed_at
            FROM chosen
            JOIN promo_redemptions r ON r.batch_id = chosen.id
            JOIN customers c ON c.id = r.customer_id
        ), redeemers AS (
            SELECT channel, customer_id, min(redeemed_at) AS redeemed_at, count(*) AS redemptions
            FROM redeemed
            GROUP BY channel, customer_id
        ), per_redeemer AS (
            SELECT x.channel, x.redemptions, x.redeemed_at, (
                SELECT min(t.occurred_at)
                FROM orders o
                JOIN ledger_entries t ON t.order_id = o.id
                WHERE o.customer_id = x.customer_id AND t.environment = 'production' AND t.status = 'success'
                    AND is_charge(t.kind) AND t.amount > 0
            ) AS paid_at
            FROM redeemers x
        ), totals AS (
            SELECT channel, sum(redemptions)::bigint AS redemptions, count(*) AS customers,
                count(*) FILTER (WHERE paid_at IS NULL OR paid_at >= redeemed_at) AS never_paid,
                count(*) FILTER (WHERE paid_at >= redeemed_at) AS converted
            FROM per_redeemer
            GROUP BY channel
        ), per_channel AS (
            SELECT made.channel, made.batches, made.codes, made.redeemed_codes, coalesce(totals.redemptions, 0) AS redemptions,
                coalesce(totals.customers, 0) AS customers, coalesce(totals.never_paid, 0) AS never_paid,
                coalesce(totals.converted, 0) AS converted
            FROM (
                SELECT channel, count(*) AS batches, sum(code_count)::bigint AS codes,
                    sum((SELECT count(DISTINCT r.code_number) FROM promo_redemptions r WHERE r.batch_id = chosen.id))::bigint
                        AS redeemed_codes
                FROM chosen
                GROUP BY channel
            ) AS made
            LEFT JOIN totals ON totals.channel = made.channel
        )
        """
    }

    init(_ columns: inout RowColumns) throws {
        self.init(
            codes: try columns.next(),
            redeemedCodes: try columns.next(),
            redemptions: try columns.next(),
            customers: try columns.next(),
            neverPaid: try columns.next(),
            converted: try columns.next()
        )
    }
}
