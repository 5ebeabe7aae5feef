package import Billing
import HTTP

/// What all rows of a list of the ledger add up to.
package struct LedgerSums: Hashable, Sendable {
    package var own: [Currency: Revenue]
    /// What the app reports in.
    package var currency: Currency
    /// All of them in it.
    package var converted: Revenue
    /// What is not in it for want of a rate.
    package var unconverted: [Money]

    package init(
        own: [Currency: Revenue] = [:],
        currency: Currency,
        converted: Revenue = Revenue(),
        unconverted: [Money] = []
    ) {
        self.own = own
        self.currency = currency
        self.converted = converted
        self.unconverted = unconverted
    }
}
