extension Money: CustomStringConvertible {
    /// The amount with the currency's own number of digits, a point, and no grouping: "128.00", "-40.00", JPY "300".
    package var decimalText: String {
        let digits = String(minorUnits.magnitude)
        let sign = minorUnits < 0 ? "-" : ""
        guard currency.digits > 0 else { return sign + digits }
        let padded = String(repeating: "0", count: max(0, currency.digits + 1 - digits.count)) + digits
        return "\(sign)\(padded.dropLast(currency.digits)).\(padded.suffix(currency.digits))"
    }

    package var description: String { "\(decimalText) \(currency)" }

    /// Reads "128", "128.5", "128.00" or "-40.00". Digits beyond the currency's own must be zeros: "1.005" CNY is refused
    /// (`notAnAmount`), never rounded. Throws `overflow` for what does not fit.
    package init(decimalText text: some StringProtocol, currency: Currency) throws(MoneyError) {
        let isNegative = text.utf8.first == UInt8(ascii: "-")
        let parts = text.utf8.dropFirst(isNegative ? 1 : 0)
            .split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let isDigits = parts.allSatisfy { part in !part.isEmpty && part.allSatisfy { (48...57).contains($0) } }
        let fraction = parts.count == 2 ? Array(parts[1]) : []
        let surplus = fraction.dropFirst(currency.digits)
        guard parts.count <= 2, isDigits, surplus.allSatisfy({ $0 == UInt8(ascii: "0") }) else {
            throw MoneyError(.notAnAmount, "\"\(text.prefix(40))\" is not an amount in \(currency).")
        }
        let padding = repeatElement(UInt8(ascii: "0"), count: max(0, currency.digits - fraction.count))
        let digits = Array(parts[0]) + fraction.prefix(currency.digits) + padding
        guard let units = Int64((isNegative ? "-" : "") + String(decoding: digits, as: UTF8.self)) else {
            throw MoneyError(.overflow, "\"\(text.prefix(40))\" \(currency) is out of range.")
        }
        self.init(minorUnits: units, currency: currency)
    }
}
