import APITypes
import Billing
import HTTP
import Storage
import Words

extension PaywallProduct {
    /// - Parameter products: all products of the plan, among which is the monthly one.
    init(_ product: CatalogProduct, of plan: CatalogPlan, beside products: [CatalogProduct], _ wording: OfferWording) {
        let strings = wording.strings
        let language = "\(strings.tag)"
        let price = wording.price(of: product)
        self.init(
            id: product.id,
            name: product.name(in: language),
            price: price.map { PriceText.text($0, every: product.period, strings) },
            duration: product.period.map { BillingPeriodText.text($0, strings) },
            features: plan.benefits.compactMap { $0.text.text(in: language) },
            isRecommended: product.isRecommended,
            plan: plan.plan.code,
            planName: plan.name(in: language),
            paymentMethod: product.store.paymentMethod,
            billingPeriod: BillingPeriod.adverb(product.period),
            amount: price.map { Amount($0) },
            currency: price?.currency.code,
            trial: product.trial.map { PaywallTrial($0, strings) },
            saving: price.flatMap { PaywallSaving(of: product, $0, beside: products, strings) }
        )
    }
}

extension PaywallTrial {
    fileprivate init(_ period: BillingPeriod, _ strings: Strings) {
        let text = strings.customerApiFree(duration: BillingPeriodText.text(period, strings))
        self.init(period: period.description, text: text)
    }
}

extension PaywallSaving {
    /// Makes nil where nothing is saved, or nothing can be compared.
    fileprivate init?(
        of product: CatalogProduct,
        _ price: Money,
        beside products: [CatalogProduct],
        _ strings: Strings
    ) {
        let monthly = products.first { each in
            each.store == product.store && each.period?.inLargestUnit == BillingPeriod(1, .month)
                && each.prices.contains { $0.currency == price.currency }
        }
        guard let monthly, let period = product.period,
            let single = monthly.prices.first(where: { $0.currency == price.currency }),
            let saving = PeriodSaving(of: price, every: period, against: single)
        else { return nil }
        let percent = strings.chartsPercent(number: strings.number(saving.percent))
        self.init(
            percent: saving.percent,
            amount: Amount(saving.amount),
            currency: saving.amount.currency.code,
            comparedTo: monthly.id,
            text: strings.customerApiSave(percent: percent)
        )
    }
}

/// Writes the length of a period as an app shows it: `1 month`, `1 ay`, `1个月`.
enum BillingPeriodText {
    /// Returns the text of a period. Seven days stay seven days: the seller says so.
    static func text(_ period: BillingPeriod, _ strings: Strings) -> String {
        switch period.unit {
        case .day: strings.customerApiDays(count: period.count)
        case .week: strings.customerApiWeeks(count: period.count)
        case .month: strings.customerApiMonths(count: period.count)
        case .year: strings.customerApiYears(count: period.count)
        }
    }
}
