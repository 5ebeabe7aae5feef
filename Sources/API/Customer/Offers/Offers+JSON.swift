import APITypes
import Billing
import Foundation
import HTTP
import Storage
import Words

/// The currency and the language of prices.
struct OfferWording: Sendable {
    /// The currency that the call asks for; nil where it names none.
    var currency: Currency?
    /// The currency of prices that do not exist in that one: the app's reporting currency.
    var usual: Currency?
    var strings: Strings

    init(_ currency: Currency?, of app: AppRecord, in strings: Strings) {
        (self.currency, self.usual, self.strings) = (currency, Currency(app.reportingCurrency), strings)
    }

    /// Returns the price in the currency that is asked for, else in the usual one, else the first; nil without any.
    func price(of product: CatalogProduct) -> Money? {
        product.prices.first(where: { $0.currency == currency })
            ?? product.prices.first(where: { $0.currency == usual })
            ?? product.prices.first
    }
}

extension SubscriptionProduct {
    /// Makes nil without a price.
    init?(_ product: CatalogProduct, _ wording: OfferWording) {
        guard let price = wording.price(of: product) else { return nil }
        self.init(
            id: product.id,
            tier: product.plan,
            billingPeriod: BillingPeriod.adverb(product.period),
            price: Amount(price),
            currency: price.currency.code,
            localizedPrice: PriceText.text(price, every: product.period, wording.strings),
            localizedDescription: product.name(in: "\(wording.strings.tag)")
        )
    }
}

extension IOSPlans.Plan {
    /// - Parameter products: the products that sell the plan.
    init(_ plan: CatalogPlan, _ products: [CatalogProduct], _ wording: OfferWording) {
        self.init(
            plan: plan.plan.code,
            name: plan.name(in: "\(wording.strings.tag)"),
            products: products.map { product in
                let price = wording.price(of: product)
                return IOSPlans.Product(
                    productId: product.id,
                    name: product.name(in: "\(wording.strings.tag)"),
                    billingPeriod: BillingPeriod.adverb(product.period),
                    price: price.map { Amount($0) },
                    currency: price?.currency.code,
                    localizedPrice: price.map { PriceText.text($0, every: product.period, wording.strings) }
                )
            }
        )
    }
}

extension AppCatalog {
    /// Returns the products with a list price, each id once: the App Store's, else that of the first store that sells it.
    ///
    /// - Parameter store: the store that sells them; nil for every store.
    func listed(at store: Store?) -> [CatalogProduct] {
        let priced = plans.flatMap { products(of: $0, at: store) }.filter { !$0.prices.isEmpty }
        let atApple = Set(priced.filter { $0.store == .apple }.map(\.id))
        var listed: Set<String> = []
        return priced.filter { product in
            guard product.store == .apple || !atApple.contains(product.id) else { return false }
            return listed.insert(product.id).inserted
        }
    }

    /// Returns the products that sell a plan, the shortest period first and those without an end last. What is used up sells none.
    ///
    /// - Parameter store: the store that sells them; nil for every store.
    func products(of plan: CatalogPlan, at store: Store?) -> [CatalogProduct] {
        products.filter { $0.plan == plan.plan.code && !$0.isConsumable && (store == nil || $0.store == store) }
            .sorted { ($0.days, $0.store.rawValue, $0.id) < ($1.days, $1.store.rawValue, $1.id) }
    }
}

extension CatalogProduct {
    /// The approximate length of the period in days; a period has at most 9,999 of its unit.
    fileprivate var days: Int {
        guard let period else { return .max }
        return switch period.unit {
        case .day: period.count
        case .week: period.count * 7
        case .month: period.count * 30
        case .year: period.count * 365
        }
    }
}
