import Billing

/// A sign of fraud in words.
enum FraudSignalText {
    static func sentence(_ signal: FraudSignal, _ words: Words) -> String {
        switch signal {
        case .severalAccounts(let chain, let accounts): words.customersSignalAccounts(chain: chain, count: accounts)
        case .foreignAccount(let chain): words.customersSignalForeign(chain: chain)
        case .manyRefunds(let refunded, let orders):
            words.customersSignalRefunds(orders: words.number(orders), refunded: words.number(refunded))
        case .rapidChanges(let changes): words.customersSignalChanges(count: changes)
        }
    }
}
