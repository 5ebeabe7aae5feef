package import Billing

/// The products of the simulated WeChat Pay, Alipay and Google Play: Readmigo's two plans, by the month and by the year.
package struct SimulatedShelf: Sendable {
    /// A period on sale.
    package struct Item: Hashable, Sendable {
        package var id: String
        /// The plan's code in Readmigo's catalogue.
        package var plan: String
        package var period: BillingPeriod
        package var price: Money

        var isMonthly: Bool { period.unit == .month }
    }

    package let store: Store
    package let items: [Item]

    /// - Parameter store: `.wechat`, `.alipay` or `.google`; another has none.
    package init(of store: Store) {
        self.store = store
        let (code, prices): (String, [Int64]) =
            store == .google ? ("EUR", [299, 2_499, 499, 3_999]) : ("CNY", [1_800, 12_800, 2_800, 19_800])
        guard [.wechat, .alipay, .google].contains(store), let currency = Currency(code) else {
            items = []
            return
        }
        let plans = [("PRO", "pro"), ("PREMIUM", "premium")]
        let periods: [(BillingPeriod, String)] = [
            (BillingPeriod(1, .month), store == .google ? ":monthly" : ".month"),
            (BillingPeriod(1, .year), store == .google ? ":yearly" : ".year"),
        ]
        let named = plans.flatMap { plan in
            periods.map { (plan: plan.0, id: plan.1 + $0.1, period: $0.0) }
        }
        items = zip(named, prices).map { item, price in
            Item(
                id: item.id,
                plan: item.plan,
                period: item.period,
                price: Money(minorUnits: price, currency: currency)
            )
        }
    }

    /// The same plan's or the next one's period of that length.
    func item(_ plan: String, monthly: Bool) -> Item? {
        items.first { $0.plan == plan && $0.isMonthly == monthly }
    }

    /// Monthly periods sell better than yearly ones, and the lower plan better than the higher.
    func pick(using random: inout SeededRandom) -> Item? {
        random.pick(
            weighted: items.map { (weight: ($0.isMonthly ? 3 : 1) * ($0.plan == "PRO" ? 2 : 1), item: $0) }
        )
    }
}
