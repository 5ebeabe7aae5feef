/// An amount in minor units (cents, fen, kuruş; whole yen) of one currency. Never floating point (product.md, decision 2).
package struct Money: Hashable, Sendable, Codable {
    package var minorUnits: Int64
    package var currency: Currency

    package init(minorUnits: Int64, currency: Currency) {
        self.minorUnits = minorUnits
        self.currency = currency
    }

    /// In minor units, of any currency: a billion yuan, or a hundred billion yen, which no store asks for a subscription; and small
    /// enough that a year of it in the currency that counts the highest, and the sum of hundreds of them, are still an `Int64`. A
    /// higher price is an error of the message that says it.
    package static let highestPrice: Int64 = 100_000_000_000
}
