import APITypes
import Billing
import Foundation
import Storage

extension SubscriptionProduct {
    /// nil without a price.
    ///
    /// - Parameters:
    ///   - currency: what the price is asked for in.
    ///   - usual: what it is in where there is none.
    init?(_ offer: Offer, of plan: PlanOffer, in currency: Currency?, _ usual: Currency?, _ strings: Strings) {
        guard let price = offer.price(in: currency, usual) else { return nil }
        self.init(
            id: offer.storeProductID,
            tier: plan.plan.code,
            billingPeriod: BillingPeriod.adverb(offer.period),
            price: Amount(price),
            currency: price.currency.code,
            localizedPrice: PriceText.text(price, every: offer.period, strings),
            localizedDescription: offer.name
        )
    }
}

extension IOSPlans.Plan {
    init(_ plan: PlanOffer, in currency: Currency?, _ usual: Currency?, _ strings: Strings) {
        self.init(
            plan: plan.plan.code,
            name: plan.name,
            products: plan.offers.filter { $0.store == .apple }.map { offer in
                let price = offer.price(in: currency, usual)
                return IOSPlans.Product(
                    productId: offer.storeProductID,
                    name: offer.name,
                    billingPeriod: BillingPeriod.adverb(offer.period),
                    price: price.map { Amount($0) },
                    currency: price?.currency.code,
                    localizedPrice: price.map { PriceText.text($0, every: offer.period, strings) }
                )
            }
        )
    }
}

extension Offer {
    /// In a currency, else in the usual one, else in the first that it has.
    fileprivate func price(in currency: Currency?, _ usual: Currency?) -> Money? {
        prices.first(where: { $0.currency == currency }) ?? prices.first(where: { $0.currency == usual })
            ?? prices.first
    }
}
