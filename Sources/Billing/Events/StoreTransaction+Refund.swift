extension StoreTransaction.Revocation {
    /// What is given back: the charge times the share, rounded half up to the minor unit; all of it without a share;
    /// never more than what is left of the charge after earlier refunds. Throws `otherCurrency`.
    package func refund(of charge: Money, left: Money) throws(MoneyError) -> Money {
        guard let milliPercent else { return left }
        let share = try charge.multiplied(by: Int64(milliPercent), over: 100_000)
        return try share.isLess(than: left) ? share : left
    }
}
