import Billing
import HTTP
import Words

/// A sign of fraud in words.
enum FraudSignalText {
    static func sentence(_ signal: FraudSignal, _ strings: Strings) -> String {
        switch signal {
        case .paidBackTwice(let order): strings.customersSignalPaidTwice(order: order)
        case .disputedTransaction(let transaction): strings.customersSignalDisputed(transaction: transaction)
        case .refusedClaim(let purchase): strings.customersSignalClaim(purchase: purchase)
        case .transferredPurchase(let purchase): strings.customersSignalTransfer(purchase: purchase)
        case .refusedIdentity(let provider):
            strings.customersSignalIdentity(provider: AuthProviderText.name(of: provider, strings).description)
        case .severalAccounts(let purchase, let accounts):
            strings.customersSignalAccounts(count: accounts, purchase: purchase)
        case .foreignAccount(let purchase): strings.customersSignalForeign(purchase: purchase)
        case .manyRefunds(let refunded, let orders):
            strings.customersSignalRefunds(orders: strings.number(orders), refunded: strings.number(refunded))
        case .rapidChanges(let changes): strings.customersSignalChanges(count: changes)
        }
    }
}
