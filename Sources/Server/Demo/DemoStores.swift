package import Billing
package import Foundation
import Operations
import Storage

/// The played stores beside Apple's: WeChat Pay, Alipay and Google Play, which answer over HTTP as long as the demo runs.
package struct DemoStores: Sendable {
    /// The app's accounts at them, as they stand in its catalogue: `stores:` in YAML.
    package var accounts: String
    package var items: [Item]
    package var shoppers: [Shopper]
    /// The subscribers at Google Play.
    package var subscribers: [DemoScript.CustomerName]
    /// The events of each subscriber that Google Play told of up to now, but for the last day. Asked for once, before the webhook is told.
    package var events: @Sendable () async throws -> [[StoreEvent]]
    /// Has WeChat Pay or Alipay know of the payments that it took before; it knows none when it starts.
    package var recall: @Sendable (_ cashier: Cashier, _ sales: [Sale]) -> Void
    /// Has Google Play know of its subscribers again, at each start but the first.
    package var recallSubscribers: @Sendable () async throws -> Void
    /// Told when all of the past is recorded.
    package var recorded: @Sendable () -> Void
    /// Has WeChat Pay fail to give the money of an order back, whose number it is told.
    package var spoilRefund: @Sendable (_ order: String) -> Void
    /// Has Google Play send the last day's messages to its webhook.
    package var tell: @Sendable (_ webhook: String) async throws -> Void

    /// A store at which orders of ours are paid.
    package enum Cashier: Sendable, CaseIterable {
        case wechat
        case alipay

        var store: Store {
            switch self {
            case .wechat: .wechat
            case .alipay: .alipay
            }
        }
    }

    /// Something that one of them sells.
    package struct Item: Sendable {
        var store: Store
        var id: String
        var plan: String
        var period: BillingPeriod
        var price: Money

        package init(at store: Store, id: String, plan: String, period: BillingPeriod, price: Money) {
            (self.store, self.id, self.plan, self.period, self.price) = (store, id, plan, period, price)
        }
    }

    /// Somebody who buys periods one by one.
    package struct Shopper: Sendable {
        var name: DemoScript.CustomerName
        var orders: [Order]

        package init(_ name: DemoScript.CustomerName, orders: [Order]) {
            (self.name, self.orders) = (name, orders)
        }
    }

    /// An order of a shopper's, paid or not.
    package struct Order: Sendable {
        var order: DemoOrder

        package init(number: String, method: CheckoutMethod, productID: String, openedAt: Date) {
            order = DemoOrder(number: number, method: method, productID: productID, openedAt: openedAt, payment: nil)
        }

        package mutating func pay(transactionID: String, at moment: Date, payer: String, bank: String, kind: String?) {
            order.payment = DemoOrder.Payment(
                transactionID: transactionID,
                paidAt: moment,
                payer: Secret(payer),
                bank: bank,
                kind: kind
            )
        }
    }

    /// A payment that a store took before it was started.
    package struct Sale: Sendable {
        package var number: String
        package var method: CheckoutMethod
        package var description: String
        package var minorUnits: Int64
        package var openedAt: Date
        package var transactionID: String
        package var paidAt: Date
        /// Number, the store's number, minor units and moment.
        package var refunds: [(number: String, storeID: String?, minorUnits: Int64, at: Date)]

        init(_ sale: PastSale) {
            (number, method, description) = (sale.number, sale.method, sale.description)
            (minorUnits, openedAt) = (sale.amount.minorUnits, sale.openedAt)
            (transactionID, paidAt) = (sale.transactionID, sale.paidAt)
            refunds = sale.refunds.map { ($0.number, $0.storeID, $0.amount.minorUnits, $0.paidAt) }
        }
    }

    package init(
        accounts: String,
        items: [Item],
        shoppers: [Shopper],
        subscribers: [DemoScript.CustomerName],
        events: @escaping @Sendable () async throws -> [[StoreEvent]],
        recall: @escaping @Sendable (Cashier, [Sale]) -> Void,
        recallSubscribers: @escaping @Sendable () async throws -> Void,
        recorded: @escaping @Sendable () -> Void,
        spoilRefund: @escaping @Sendable (String) -> Void,
        tell: @escaping @Sendable (String) async throws -> Void
    ) {
        (self.accounts, self.items, self.shoppers, self.subscribers) = (accounts, items, shoppers, subscribers)
        (self.events, self.recall, self.recallSubscribers) = (events, recall, recallSubscribers)
        (self.recorded, self.spoilRefund, self.tell) = (recorded, spoilRefund, tell)
    }
}

extension DemoStores {
    /// Puts what they sell on the shelf of an app with these plans.
    func stock(_ catalog: inout Catalog) {
        for item in items where catalog.accounts[item.store] != nil {
            guard let plan = catalog.plans.first(where: { $0.plan.code == item.plan }) else { continue }
            let words = item.period.unit == .month ? Self.monthly : Self.yearly
            catalog.products.append(
                CatalogProduct(
                    plan: item.plan,
                    store: item.store,
                    id: item.id,
                    name: "\(plan.name) \(words["en"] ?? "")",
                    names: LocalizedText(
                        Dictionary(
                            uniqueKeysWithValues: words.map { language, word in
                                let name = plan.name(in: language)
                                return (language, language == "zh-Hans" ? "\(name)\(word)" : "\(name) \(word)")
                            }
                        )
                    ),
                    period: item.period,
                    trial: nil,
                    prices: [item.price]
                )
            )
        }
    }

    private static let monthly = ["en": "monthly", "zh-Hans": "月付", "tr": "aylık"]
    private static let yearly = ["en": "yearly", "zh-Hans": "年付", "tr": "yıllık"]
}
