extension Money {
    /// Apple's price: thousandths of the currency's unit, so 9990 is 9.99 CNY, 300000 is 300 JPY and 9990 is 9.990 KWD.
    ///
    /// A remainder that does not fit the currency's digits is rounded half up (away from zero below zero), so 9995 is
    /// 10.00 CNY and 300499 is 300 JPY. Throws `overflow` where a currency has more digits than three.
    package init(milliunits: Int64, currency: Currency) throws(MoneyError) {
        let scale: (numerator: Int64, denominator: Int64) =
            switch currency.digits {
            case 0: (1, 1_000)
            case 1: (1, 100)
            case 2: (1, 10)
            case 3: (1, 1)
            default: (10, 1)
            }
        self = try Money(minorUnits: milliunits, currency: currency)
            .multiplied(by: scale.numerator, over: scale.denominator)
    }
}
