extension StoreTransaction.Revocation {
    /// The refunded part of a charge so far: the amount that the store names, at most all of it; else its share of the whole, rounded half
    /// up to the minor unit. Throws `otherCurrency`.
    package func refund(of charge: Money) throws(MoneyError) -> Money {
        guard let amount else { return try charge.multiplied(by: Int64(share), over: 100_000) }
        return try charge.isLess(than: amount) ? charge : amount
    }
}
