package import Billing
import HTTP

/// The sums over all rows of a list of the ledger.
package struct LedgerSums: Hashable, Sendable {
    package var own: [Currency: Revenue]
    /// The app's reporting currency.
    package var currency: Currency
    /// All of them in it.
    package var converted: Revenue
    /// The amounts that are not in it for want of a rate.
    package var unconverted: [Money]
    /// The number of orders that are in no sum, because the store has not said their amount yet.
    package var unpriced: Int

    package init(
        own: [Currency: Revenue] = [:],
        currency: Currency,
        converted: Revenue = Revenue(),
        unconverted: [Money] = [],
        unpriced: Int = 0
    ) {
        self.own = own
        self.currency = currency
        self.converted = converted
        self.unconverted = unconverted
        self.unpriced = unpriced
    }
}
