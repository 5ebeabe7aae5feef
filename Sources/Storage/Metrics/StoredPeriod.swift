import Billing
import Foundation
import Postgres

/// A stretch of access as it is stored, with whose it is.
struct StoredPeriod: Hashable, Sendable {
    var id: UUID
    var app: App.ID
    var customer: Customer.ID
    var environment: StoreEnvironment
    var period: MetricsPeriod

    /// True if both describe the same period, under whatever keys.
    func says(_ other: StoredPeriod) -> Bool {
        customer == other.customer && environment == other.environment && period == other.period
    }

    static let columns: Query = """
        h.id, h.app_id, h.customer_id, h.environment, h.price, h.currency, h.country, h.subscription_id, h.transaction_id,
        p.store_product_id, h.starts_at, h.ends_at, h.is_trial, h.is_family_shared, h.ended_by, h.refunded_at,
        h.product_id, h.plan_rank, h.period_count, h.period_unit
        """

    func insertion(at moment: Date) -> Query { Self.insertion(of: [(self, moment, nil)]) }

    /// - Parameter added: each with when it became known, and since when it is known to be none; at least one.
    static func insertion(of added: [(period: StoredPeriod, recordedAt: Date, retiredAt: Date?)]) -> Query {
        let rows = added.map { $0.period.values(recordedAt: $0.recordedAt, retiredAt: $0.retiredAt) }
        return """
            INSERT INTO access_periods
                (id, app_id, customer_id, subscription_id, transaction_id, product_id, plan_rank, period_count, period_unit,
                 starts_at, ends_at, is_trial, is_family_shared, price, currency, country, environment, ended_by, refunded_at,
                 recorded_at, retired_at)
            VALUES
                \(Query.list(rows))
            """
    }

    private func values(recordedAt: Date, retiredAt: Date?) -> Query {
        let access = period.access
        return """
            (\(id), \(app), \(customer), \(period.subscription), \(access.transactionID), \(period.cell.product),
             \(period.planRank, as: Int32.self), \(period.length?.count, as: Int32.self), \(period.length?.unit.rawValue),
             \(access.startsAt), \(access.endsAt), \(access.isTrial), \(access.isFamilyShared),
             \(access.price?.minorUnits), \(access.price?.currency.code), \(period.cell.country), \(environment),
             \(access.ending?.rawValue), \(access.refundedAt), \(recordedAt), \(retiredAt))
            """
    }

    static func retirement(of ids: [UUID], at moment: Date) -> Query {
        "UPDATE access_periods SET retired_at = \(moment) WHERE id = ANY(\(ids))"
    }
}

extension StoredPeriod {
    init(row: Row) throws {
        var columns = try row.columns(20)
        id = try columns.next()
        app = try columns.next()
        customer = try columns.next()
        environment = try columns.next()
        let (amount, currency): (Int64?, Currency?) = (try columns.next(), try columns.next())
        let country: String = try columns.next()
        period = MetricsPeriod(
            subscription: try columns.next(),
            access: AccessPeriod(
                transactionID: try columns.next(),
                productID: try columns.next(),
                startsAt: try columns.next(),
                endsAt: try columns.next(),
                isTrial: try columns.next(),
                isFamilyShared: try columns.next(),
                price: currency.map { Money(minorUnits: amount ?? 0, currency: $0) },
                storefront: country,
                ending: try columns.next(String?.self).flatMap(AccessPeriod.Ending.init(rawValue:)),
                refundedAt: try columns.next()
            ),
            cell: MetricsCell(product: try columns.next(), country: country, currency: currency),
            planRank: try columns.next(),
            length: try BillingPeriod(count: columns.next(), unit: columns.next())
        )
        period.access.length = period.length
    }
}

extension BillingPeriod {
    /// nil for what is bought once.
    init?(count: Int32?, unit: String?) {
        guard let count, let unit = unit.flatMap(Unit.init(rawValue:)) else { return nil }
        self.init(Int(count), unit)
    }
}
