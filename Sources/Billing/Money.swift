/// An amount in minor units (cents, fen, kuruş; whole yen) of one currency. Never floating point (product.md, decision 2).
package struct Money: Hashable, Sendable, Codable {
    package var minorUnits: Int64
    package var currency: Currency

    package init(minorUnits: Int64, currency: Currency) {
        self.minorUnits = minorUnits
        self.currency = currency
    }
}
