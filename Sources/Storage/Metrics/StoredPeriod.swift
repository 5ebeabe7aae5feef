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

    /// Whether both say the same, under whatever keys.
    func says(_ other: StoredPeriod) -> Bool {
        customer == other.customer && environment == other.environment && period == other.period
    }

    static let columns: Query = """
        h.id, h.app_id, h.customer_id, h.environment, h.subscription_id, h.transaction_id, p.store_product_id, h.product_id,
        h.plan_rank, h.period_count, h.period_unit, h.starts_at, h.ends_at, h.is_trial, h.is_family_shared, h.price,
        h.currency, h.country, h.ended_by, h.refunded_at
        """

    func insertion(at moment: Date) -> Query {
        let access = period.access
        return """
            INSERT INTO access_periods
                (id, app_id, customer_id, subscription_id, transaction_id, product_id, plan_rank, period_count, period_unit,
                 starts_at, ends_at, is_trial, is_family_shared, price, currency, country, environment, ended_by, refunded_at,
                 recorded_at)
            VALUES
                (\(id), \(app), \(customer), \(period.subscription), \(access.transactionID), \(period.cell.product),
                 \(period.planRank, as: Int32.self), \(period.length?.count, as: Int32.self), \(period.length?.unit.rawValue),
                 \(access.startsAt), \(access.endsAt), \(access.isTrial), \(access.isFamilyShared),
                 \(access.price?.minorUnits), \(access.price?.currency.code), \(period.cell.country), \(environment),
                 \(access.ending?.rawValue), \(access.refundedAt), \(moment))
            """
    }

    static func retirement(of ids: [UUID], at moment: Date) -> Query {
        "UPDATE access_periods SET retired_at = \(moment) WHERE id = ANY(\(ids))"
    }
}

extension StoredPeriod {
    init(row: Row) throws {
        id = try row.decode(0)
        app = try row.decode(1)
        customer = try row.decode(2)
        environment = try row.decode(3)
        let currency = try row.decode(16, as: String?.self).map { try Currency(stored: $0) }
        let amount = try row.decode(15, as: Int64?.self)
        let country = try row.decode(17, as: String.self)
        period = MetricsPeriod(
            subscription: try row.decode(4),
            access: AccessPeriod(
                transactionID: try row.decode(5),
                productID: try row.decode(6),
                startsAt: try row.decode(11),
                endsAt: try row.decode(12),
                isTrial: try row.decode(13),
                isFamilyShared: try row.decode(14),
                price: currency.map { Money(minorUnits: amount ?? 0, currency: $0) },
                storefront: country,
                ending: try row.decode(18, as: String?.self).flatMap(AccessPeriod.Ending.init(rawValue:)),
                refundedAt: try row.decode(19)
            ),
            cell: MetricsCell(product: try row.decode(7), country: country, currency: currency),
            planRank: Int(try row.decode(8, as: Int32.self)),
            length: try BillingPeriod(count: row.decode(9), unit: row.decode(10))
        )
    }
}

extension BillingPeriod {
    /// nil for what is bought once.
    init?(count: Int32?, unit: String?) {
        guard let count, let unit = unit.flatMap(Unit.init(rawValue:)) else { return nil }
        self.init(Int(count), unit)
    }
}
