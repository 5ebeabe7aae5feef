import Billing
import Foundation
import Postgres

/// The catalogue's facts about the products of access periods, and the time zone of their days.
struct PeriodCatalog: Sendable {
    var app: App.ID
    var zone: TimeZone
    /// The number of days after its end within which a trial converts.
    var trialConversionDays: Int
    var products: [Key: Product]

    struct Key: Hashable, Sendable {
        var store: Store
        /// The store's identifier.
        var productID: String
    }

    struct Product: Sendable {
        var id: UUID
        var planRank: Int
        var length: BillingPeriod?
    }

    static func statements(app: App.ID) -> [Query] {
        [
            "SELECT time_zone, trial_conversion_days FROM apps WHERE id = \(app)",
            """
            SELECT p.store, p.store_product_id, p.id, plan.rank, p.period_count, p.period_unit
            FROM products p
            JOIN plans plan ON plan.id = p.plan_id
            WHERE p.app_id = \(app)
            """,
        ]
    }

    /// - Parameter results: of `statements`.
    init(app: App.ID, _ results: ArraySlice<Rows>) throws {
        let (name, days) = try results[results.startIndex].first?.decode(String.self, Int32.self) ?? ("", 0 as Int32)
        guard let zone = TimeZone(identifier: name) else { throw UnknownZone(name: name) }
        self.app = app
        self.zone = zone
        trialConversionDays = Int(days)
        products = try Dictionary(
            results[results.startIndex + 1].map { row in
                let (store, productID, id, rank, count, unit) = try row.decode(
                    Store.self,
                    String.self,
                    UUID.self,
                    Int32.self,
                    Int32?.self,
                    String?.self
                )
                let length = BillingPeriod(count: count, unit: unit)
                return (
                    Key(store: store, productID: productID), Product(id: id, planRank: Int(rank), length: length)
                )
            }
        ) { first, _ in first }
    }

    /// A subscription's stretches as they are to be stored; without those of products that the catalogue does not have.
    func stored(
        _ periods: [AccessPeriod],
        of subscription: Subscription.ID,
        at store: Store,
        in environment: StoreEnvironment,
        for customer: Customer.ID,
        newID: () -> UUID
    ) -> [StoredPeriod] {
        periods.compactMap { access in
            guard let product = products[Key(store: store, productID: access.productID)] else { return nil }
            var access = access
            access.startsAt = access.startsAt.stored
            access.endsAt = access.endsAt?.stored
            access.refundedAt = access.refundedAt?.stored
            access.storefront = access.storefront ?? ""
            // The period that a charge paid for has the length at which it was sold, whatever the product says now.
            access.length = access.length ?? product.length
            return StoredPeriod(
                id: newID(),
                app: app,
                customer: customer,
                environment: environment,
                period: MetricsPeriod(
                    subscription: subscription,
                    access: access,
                    cell: MetricsCell(
                        product: product.id,
                        country: access.storefront ?? "",
                        currency: access.price?.currency
                    ),
                    planRank: product.planRank,
                    length: access.length
                )
            )
        }
    }

    /// The metrics entries of failed renewal charges; without those of products that the catalogue does not have.
    func entries(of failures: [FailedCharge], at store: Store) -> [MetricsEntry] {
        failures.compactMap { failure in
            products[Key(store: store, productID: failure.productID)].map { product in
                MetricsEntry(failure, of: product.id, in: zone)
            }
        }
    }

    struct UnknownZone: Error {
        var name: String
    }
}

extension Date {
    /// As it comes back from the database: to the microsecond.
    var stored: Date {
        Date(timeIntervalSinceReferenceDate: (timeIntervalSinceReferenceDate * 1_000_000).rounded() / 1_000_000)
    }
}
