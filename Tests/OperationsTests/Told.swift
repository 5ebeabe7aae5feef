import Billing
import Foundation
import Gateways
import StoreSimulator

// The vocabulary in which tests describe histories: days since the start of 2025 in UTC, one subscription, prices in yuan.

extension Date {
    static func day(_ number: Double) -> Date {
        Date(timeIntervalSince1970: 1_735_689_600 + (number * 86_400_000).rounded() / 1_000)
    }
}

extension Currency {
    static let cny: Currency = {
        guard let currency = Currency("CNY") else { preconditionFailure("CNY is a currency code") }
        return currency
    }()
}

extension Money {
    static func yuan(_ yuan: Int64) -> Money {
        Money(minorUnits: yuan * 100, currency: .cny)
    }
}

extension StoreTransaction {
    /// Returns a period; of Pro monthly for 18.00 unless given otherwise.
    static func sold(
        _ id: String,
        of subscription: String = "t1",
        from start: Double,
        to end: Double,
        for price: Money? = .yuan(18),
        _ product: String = "pro.monthly",
        to customer: UUID? = nil,
        trial: Bool = false
    ) -> StoreTransaction {
        StoreTransaction(
            id: id,
            originalID: subscription,
            productID: "com.readmigo.\(product)",
            purchasedAt: .day(start),
            expiresAt: .day(end),
            price: price,
            offer: trial ? Offer(kind: .introductory, identifier: nil, isFreeTrial: true) : nil,
            customerToken: customer,
            storefront: "CHN"
        )
    }

    /// Returns the transaction as the store describes it once revoked, in whole or by a share in percent.
    func takenBack(on day: Double, percent: Int? = nil) -> StoreTransaction {
        var copy = self
        copy.revocation = Revocation(at: .day(day), reason: 0, milliPercent: percent.map { $0 * 1_000 })
        return copy
    }

    /// Returns the transaction with another end.
    func until(_ day: Double) -> StoreTransaction {
        var copy = self
        copy.expiresAt = .day(day)
        return copy
    }
}

extension StoreEvent {
    /// Returns a production event of Apple's, signed on a day.
    static func told(
        _ kind: Kind,
        on day: Double,
        _ transaction: StoreTransaction,
        _ renewal: RenewalTerms? = nil
    ) -> StoreEvent {
        StoreEvent(
            id: "\(kind.rawValue) \(transaction.id) \(day)",
            store: .apple,
            environment: .production,
            signedAt: .day(day),
            kind: kind,
            transaction: transaction,
            renewal: renewal
        )
    }
}

extension Catalog {
    /// Returns Readmigo's catalogue with a test authority in place of Apple's.
    static func readmigo() throws -> Catalog {
        Catalog(
            app: "readmigo",
            name: "Readmigo",
            timeZone: "Asia/Shanghai",
            reportingCurrency: .cny,
            accounts: [
                .apple(
                    bundleID: "com.readmigo.app",
                    appAppleID: 1_600_000_001,
                    isSimulated: true,
                    anchors: [try TestOffice.authority.get().root]
                )
            ],
            plans: [
                CatalogPlan(plan: Plan(code: "FREE", rank: 0), name: "Free"),
                CatalogPlan(plan: Plan(code: "PRO", rank: 1), name: "Pro"),
                CatalogPlan(plan: Plan(code: "PREMIUM", rank: 2), name: "Premium"),
            ],
            products: [
                product("pro.monthly", "PRO", BillingPeriod(1, .month), 18),
                product("pro.yearly", "PRO", BillingPeriod(1, .year), 128),
                product("premium.monthly", "PREMIUM", BillingPeriod(1, .month), 28),
                product("premium.yearly", "PREMIUM", BillingPeriod(1, .year), 198),
            ]
        )
    }

    static func product(
        _ name: String,
        _ plan: String,
        _ period: BillingPeriod?,
        _ yuan: Int64
    ) -> CatalogProduct {
        CatalogProduct(
            plan: plan,
            store: .apple,
            id: "com.readmigo.\(name)",
            name: name,
            period: period,
            trial: nil,
            prices: [.yuan(yuan)]
        )
    }
}
