extension Money {
    /// Nothing, in a currency.
    package static func zero(_ currency: Currency) -> Money {
        Money(minorUnits: 0, currency: currency)
    }

    /// Throws `otherCurrency` or `overflow`.
    package static func + (left: Money, right: Money) throws(MoneyError) -> Money {
        try left.requireCurrency(of: right)
        let (units, overflow) = left.minorUnits.addingReportingOverflow(right.minorUnits)
        guard !overflow else { throw MoneyError(.overflow, "\(left) + \(right) is out of range.") }
        return Money(minorUnits: units, currency: left.currency)
    }

    /// Throws `otherCurrency` or `overflow`.
    package static func - (left: Money, right: Money) throws(MoneyError) -> Money {
        try left.requireCurrency(of: right)
        let (units, overflow) = left.minorUnits.subtractingReportingOverflow(right.minorUnits)
        guard !overflow else { throw MoneyError(.overflow, "\(left) - \(right) is out of range.") }
        return Money(minorUnits: units, currency: left.currency)
    }

    /// The amount with the opposite sign; throws `overflow` for the one amount that has none.
    package func negated() throws(MoneyError) -> Money {
        try Money.zero(currency) - self
    }

    /// The sum; zero of `currency` for no amounts. Throws `otherCurrency` or `overflow` (of the total, not of a step).
    package static func sum(_ amounts: some Sequence<Money>, in currency: Currency) throws(MoneyError) -> Money {
        var total: Int128 = 0
        for amount in amounts {
            try Money.zero(currency).requireCurrency(of: amount)
            total += Int128(amount.minorUnits)
        }
        guard let units = Int64(exactly: total) else { throw MoneyError(.overflow, "The sum is out of range.") }
        return Money(minorUnits: units, currency: currency)
    }

    /// The amount times `numerator / denominator`, exact until one rounding at the end, half away from zero:
    /// 0.125 becomes 0.13 and -0.125 becomes -0.13. Throws `divisionByZero` or `overflow`.
    package func multiplied(by numerator: Int64, over denominator: Int64 = 1) throws(MoneyError) -> Money {
        guard denominator != 0 else { throw MoneyError(.divisionByZero, "\(self) cannot be divided by zero.") }
        let rounded = Money.quotient(Int128(minorUnits) * Int128(numerator), by: Int128(denominator))
        guard let units = Int64(exactly: rounded) else {
            throw MoneyError(.overflow, "\(self) × \(numerator)/\(denominator) is out of range.")
        }
        return Money(minorUnits: units, currency: currency)
    }

    /// Compares two amounts of one currency; amounts of two currencies have no order.
    package func isLess(than other: Money) throws(MoneyError) -> Bool {
        try requireCurrency(of: other)
        return minorUnits < other.minorUnits
    }

    /// Division rounded half away from zero. The divisor is not zero, and both fit in 127 bits by construction.
    static func quotient(_ dividend: Int128, by divisor: Int128) -> Int128 {
        let (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
        guard remainder.magnitude * 2 >= divisor.magnitude else { return quotient }
        return (dividend < 0) == (divisor < 0) ? quotient + 1 : quotient - 1
    }

    private func requireCurrency(of other: Money) throws(MoneyError) {
        guard currency == other.currency else {
            throw MoneyError(.otherCurrency, "\(currency) and \(other.currency) cannot be reckoned together.")
        }
    }
}
