extension StoreTransaction.Revocation {
    /// The refunded part of a charge so far: its share of the whole, rounded half up to the minor unit. Throws `otherCurrency`.
    package func refund(of charge: Money) throws(MoneyError) -> Money {
        try charge.multiplied(by: Int64(share), over: 100_000)
    }
}
