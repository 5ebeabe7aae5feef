package import Billing

/// What all rows of a list of the ledger add up to.
package struct LedgerSums: Hashable, Sendable {
    package var own: [Currency: Revenue]
    /// All of them in the asked currency; nothing where none was asked for.
    package var converted: Revenue
    /// Without repetitions, sorted. Their amounts are not in `converted`.
    package var missingRates: [Currency]

    package init(own: [Currency: Revenue] = [:], converted: Revenue = Revenue(), missingRates: [Currency] = []) {
        self.own = own
        self.converted = converted
        self.missingRates = missingRates
    }
}
