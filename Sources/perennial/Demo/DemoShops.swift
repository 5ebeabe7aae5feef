import Foundation
import Server
import StoreSimulator

/// The played WeChat Pay, Alipay and Google Play of the demo, with their customers of two years. They answer as long as it runs.
struct DemoShops: Sendable {
    private let wechat: SimulatedWeChatShop
    private let alipay: SimulatedAlipayShop
    private let google: SimulatedGoogleShop
    private let atWeChat: SimulatedShoppers
    private let atAlipay: SimulatedShoppers
    private let atGoogle: SimulatedPlayers
    private let end: Date

    /// - Parameters:
    ///   - directory: where their keys are, by an absolute path.
    ///   - customers: those of the App Store; these have one for every twenty of them, at least some.
    /// - Throws: `SimulatorError`.
    init(keptIn directory: String, seed: UInt64, customers: Int, months: Int, until end: Date) throws {
        let start = end.addingTimeInterval(-Double(months) * 30.4 * 86_400)
        wechat = try SimulatedWeChatShop(keptIn: directory)
        alipay = try SimulatedAlipayShop(keptIn: directory)
        google = try SimulatedGoogleShop(keptIn: directory)
        self.end = end
        atWeChat = .atWeChat(seed: seed, customers: max(16, customers / 20), from: start, until: end)
        atAlipay = .atAlipay(seed: seed, customers: max(12, customers / 30), from: start, until: end)
        atGoogle = SimulatedPlayers(seed: seed, customers: max(14, customers / 30), from: start, until: end)
    }

    private var all: [any SimulatedShop] { [wechat, alipay, google] }

    func start() async throws {
        for shop in all { try await shop.start(port: 0) }
    }

    func stop() async {
        for shop in all { await shop.stop() }
    }

    /// Has them send what is due until the task is cancelled.
    func deliverForever() async {
        await withTaskGroup(of: Void.self) { group in
            for shop in all { group.addTask { await shop.deliverForever() } }
        }
    }

    /// After `start`.
    ///
    /// - Parameter recorded: told when all of their past is recorded.
    func stores(recorded: @escaping @Sendable () -> Void) -> DemoStores {
        let (google, players, wechat, alipay, end) = (google.google, atGoogle, wechat.pay, alipay.alipay, end)
        return DemoStores(
            accounts: "stores:\n" + all.map(\.catalogEntry).joined(separator: "\n"),
            items: [atWeChat.shelf, atAlipay.shelf, atGoogle.shelf].flatMap { shelf in
                shelf.items.map {
                    DemoStores.Item(at: shelf.store, id: $0.id, plan: $0.plan, period: $0.period, price: $0.price)
                }
            },
            shoppers: (atWeChat.shoppers + atAlipay.shoppers).map { DemoStores.Shopper($0) },
            subscribers: players.players.map { DemoScript.CustomerName($0.token, $0.person) },
            events: { try await players.play(at: google, asks: true) },
            recall: { cashier, sales in
                let known = sales.map { SimulatedSale($0) }
                let differing = Self.differing(known, before: end)
                switch cashier {
                case .wechat:
                    wechat.recall(known)
                    wechat.set(SimulatedWeChatBillKnobs(differing))
                case .alipay:
                    alipay.recall(known)
                    alipay.set(SimulatedAlipayBillKnobs(differing))
                }
            },
            recallSubscribers: { _ = try await players.play(at: google, asks: false) },
            recorded: recorded,
            spoilRefund: { order in wechat.setRefunds(of: order, endingAs: "ABNORMAL") },
            tell: { webhook in _ = try await google.deliver(to: webhook) }
        )
    }

    /// The payments in which the bills are to differ: one that they lack, one that they have of another amount, and one of their own.
    private static func differing(_ sales: [SimulatedSale], before end: Date) -> Differing {
        let recent = sales.filter { (2 * 86_400..<7 * 86_400).contains(end.timeIntervalSince($0.paidAt)) }
        return Differing(
            hidden: recent.first?.number,
            other: recent.dropFirst().first.map { ($0.number, $0.amount / 2) },
            strayAt: recent.last?.paidAt
        )
    }
}

/// The differences between a store's bills and its payments.
private struct Differing {
    var hidden: String?
    var other: (number: String, amount: Int64)?
    var strayAt: Date?

    var stray: (number: String, amount: Int64, at: Date)? {
        strayAt.map { ("SOLDBYHAND2611", 600, $0.addingTimeInterval(60)) }
    }
}

extension SimulatedWeChatBillKnobs {
    fileprivate init(_ differing: Differing) {
        self.init()
        if let hidden = differing.hidden { self.hidden = [hidden] }
        if let other = differing.other { amounts = [other.number: other.amount] }
        if let stray = differing.stray { strays = [stray] }
    }
}

extension SimulatedAlipayBillKnobs {
    fileprivate init(_ differing: Differing) {
        self.init()
        if let hidden = differing.hidden { self.hidden = [hidden] }
        if let other = differing.other { amounts = [other.number: other.amount] }
        if let stray = differing.stray { strays = [stray] }
    }
}

extension SimulatedSale {
    fileprivate init(_ sale: DemoStores.Sale) {
        self.init(
            number: sale.number,
            method: sale.method,
            description: sale.description,
            amount: sale.minorUnits,
            openedAt: sale.openedAt,
            transactionID: sale.transactionID,
            paidAt: sale.paidAt,
            refunds: sale.refunds.map {
                Refund(number: $0.number, storeID: $0.storeID, amount: $0.minorUnits, at: $0.at)
            }
        )
    }
}

extension DemoStores.Shopper {
    fileprivate init(_ shopper: SimulatedShopper) {
        self.init(
            DemoScript.CustomerName(shopper.token, shopper.person),
            orders: shopper.orders.map { DemoStores.Order($0) }
        )
    }
}

extension DemoStores.Order {
    fileprivate init(_ order: SimulatedShopper.Order) {
        self.init(number: order.number, method: order.method, productID: order.item.id, openedAt: order.openedAt)
        guard let payment = order.payment else { return }
        pay(
            transactionID: payment.transactionID,
            at: payment.paidAt,
            payer: payment.payer,
            bank: payment.bank,
            kind: payment.kind
        )
    }
}

extension DemoScript.CustomerName {
    fileprivate init(_ token: UUID, _ person: SimulatedPerson) {
        self.init(appAccountToken: token, name: person.name, email: person.email)
    }
}
