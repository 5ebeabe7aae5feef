import Billing

/// A sign of fraud in words.
enum FraudSignalText {
    static func sentence(_ signal: FraudSignal, _ strings: Strings) -> String {
        switch signal {
        case .severalAccounts(let chain, let accounts): strings.customersSignalAccounts(chain: chain, count: accounts)
        case .foreignAccount(let chain): strings.customersSignalForeign(chain: chain)
        case .manyRefunds(let refunded, let orders):
            strings.customersSignalRefunds(orders: strings.number(orders), refunded: strings.number(refunded))
        case .rapidChanges(let changes): strings.customersSignalChanges(count: changes)
        }
    }
}
