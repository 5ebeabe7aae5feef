package import Billing
package import Foundation

/// Somebody who buys periods at WeChat Pay or Alipay, one after the other, as nothing there renews by itself.
package struct SimulatedShopper: Sendable {
    /// The account token by which the app knows them.
    package let token: UUID
    package let person: SimulatedPerson
    /// In the order of their opening.
    package private(set) var orders: [Order] = []

    /// An order that they open, and pay or let expire.
    package struct Order: Hashable, Sendable {
        package var number: String
        package var method: CheckoutMethod
        package var item: SimulatedShelf.Item
        package var openedAt: Date
        /// nil for one that nobody pays.
        package var payment: Payment?
    }

    package struct Payment: Hashable, Sendable {
        package var transactionID: String
        package var paidAt: Date
        /// The payer's id at the store.
        package var payer: String
        /// Their bank, in the store's words.
        package var bank: String
        /// In the store's words; nil where it has none.
        package var kind: String?
    }

    private let shelf: SimulatedShelf
    private let number: Int
    private var random: SeededRandom

    /// - Parameters:
    ///   - number: counts the store's shoppers.
    ///   - seed: the same gives the same life.
    ///   - recent: the time before the end at which they buy for sure; nil for whoever comes when they come.
    package init(
        number: Int,
        seed: UInt64,
        at shelf: SimulatedShelf,
        from start: Date,
        until end: Date,
        recent: TimeInterval? = nil
    ) {
        let base = shelf.store == .wechat ? 200_000 : 300_000
        (self.shelf, self.number) = (shelf, number)
        random = SeededRandom(seed: seed, stream: UInt64(base + number))
        token = random.uuid()
        person = SimulatedPerson(number: base + number, seed: seed, country: "CHN")
        live(from: start, until: end)
        if let recent, let item = orders.last?.item ?? shelf.items.first {
            let moment = end.addingTimeInterval(-recent)
            // Whatever they did after that would have been something else.
            orders.removeAll { $0.openedAt > moment.addingTimeInterval(-86_400) }
            buy(item, at: moment)
        }
    }

    private mutating func live(from start: Date, until end: Date) {
        guard var item = shelf.pick(using: &random) else { return }
        let length = end.timeIntervalSince(start)
        // More come each month than the month before.
        var moment = start.addingTimeInterval((length * max(random.unit(), random.unit())).rounded())
        while moment < end.addingTimeInterval(-3_600) {
            if random.chance(0.12) {
                open(item, at: moment)
                moment = moment.addingTimeInterval(random.double(1_200...9_000).rounded())
                continue
            }
            buy(item, at: moment)
            var left = item.isMonthly ? 30 * Self.day : 365 * Self.day
            if item.isMonthly, item.plan == "PRO", random.chance(0.08),
                let higher = shelf.item("PREMIUM", monthly: true)
            {
                moment = moment.addingTimeInterval(random.double(3 * Self.day...20 * Self.day).rounded())
                item = higher
                guard moment < end.addingTimeInterval(-3_600) else { return }
                buy(item, at: moment)
                left = 30 * Self.day
            }
            guard random.chance(item.isMonthly ? 0.82 : 0.6) else { return }
            // Before the end, or some days later: nothing renews by itself.
            let shift = random.chance(0.75) ? -random.double(0...3 * Self.day) : random.double(0...25 * Self.day)
            moment = moment.addingTimeInterval((left + shift).rounded())
        }
    }

    private mutating func open(_ item: SimulatedShelf.Item, at moment: Date) {
        orders.append(
            Order(number: orderNumber(), method: method(), item: item, openedAt: moment, payment: nil)
        )
    }

    private mutating func buy(_ item: SimulatedShelf.Item, at moment: Date) {
        let (number, method) = (orderNumber(), method())
        let paidAt = moment.addingTimeInterval(random.double(12...240).rounded())
        orders.append(
            Order(
                number: number,
                method: method,
                item: item,
                openedAt: moment,
                payment: Payment(
                    transactionID: transactionID(at: paidAt),
                    paidAt: paidAt,
                    payer: payer,
                    bank: random.pick(shelf.store == .wechat ? Self.banks : Self.channels) ?? "OTHERS",
                    kind: shelf.store == .wechat ? method.wechatKind : nil
                )
            )
        )
    }

    private mutating func method() -> CheckoutMethod {
        let methods: [(weight: Int, item: CheckoutMethod)] =
            shelf.store == .wechat
            ? [(5, .wechatNative), (3, .wechatJSAPI), (2, .wechatApp), (1, .wechatH5)]
            : [(3, .alipayPage), (2, .alipayWap), (3, .alipayApp), (2, .alipayQR)]
        return random.pick(weighted: methods) ?? (shelf.store == .wechat ? .wechatNative : .alipayQR)
    }

    private mutating func orderNumber() -> String {
        String((0..<26).compactMap { _ in random.pick(Self.letters) })
    }

    /// As the stores form theirs, with a middle that neither gives out for what is bought later.
    private func transactionID(at moment: Date) -> String {
        let day = SimulatedWeChatTime.day(moment).replacing("-", with: "")
        let count = String(1_000_000_000 + number * 1_000 + orders.count)
        return shelf.store == .wechat ? "42000009\(day)00\(count)" : "\(day)22001499\(count)00"
    }

    private var payer: String {
        let text = token.uuidString.lowercased().replacing("-", with: "")
        return shelf.store == .wechat ? "oUpF8u\(text.prefix(22))" : "0\(text.prefix(31))"
    }

    private static let day: TimeInterval = 86_400
    private static let banks = ["OTHERS", "CMB_CREDIT", "ICBC_DEBIT", "CCB_DEBIT"]
    private static let channels = ["ALIPAYACCOUNT", "PCREDIT", "BANKCARD"]
    private static let letters = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
}

/// The customers of the simulated WeChat Pay or Alipay. Pure: the same seed and end give the same ones.
package struct SimulatedShoppers: Sendable {
    package let shelf: SimulatedShelf
    package let shoppers: [SimulatedShopper]

    package init(seed: UInt64, customers: Int, at store: Store, from start: Date, until end: Date) {
        let shelf = SimulatedShelf(of: store)
        self.shelf = shelf
        shoppers = (0..<max(0, customers)).map { number in
            SimulatedShopper(
                number: number,
                seed: seed,
                at: shelf,
                from: start,
                until: end,
                recent: Self.recent.indices.contains(number) ? Self.recent[number] * 3_600 : nil
            )
        }
    }

    package static func atWeChat(seed: UInt64, customers: Int, from start: Date, until end: Date) -> Self {
        SimulatedShoppers(seed: seed, customers: customers, at: .wechat, from: start, until: end)
    }

    package static func atAlipay(seed: UInt64, customers: Int, from start: Date, until end: Date) -> Self {
        SimulatedShoppers(seed: seed, customers: customers, at: .alipay, from: start, until: end)
    }

    /// The hours before the end at which the first ones buy, so that the last days have something to show.
    private static let recent: [TimeInterval] = [1, 30, 50, 52, 75, 77, 99, 101]
}
