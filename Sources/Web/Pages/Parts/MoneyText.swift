package import Billing

/// An amount as pages show it: grouped digits with the currency's own decimals, and the ISO code beside it.
package struct MoneyText: Sendable, Hashable {
    /// "1,280.00", "−40.00", "300"
    let amount: String
    /// "CNY"
    let currency: String

    /// - Parameter showsPlus: for movements: "+128.00".
    package init(_ minorUnits: Int64, _ currency: Currency, showsPlus: Bool = false) {
        self.currency = currency.code
        let text = MoneyText.unsigned(minorUnits.magnitude, digits: currency.digits)
        amount = minorUnits < 0 ? "−" + text : showsPlus && minorUnits > 0 ? "+" + text : text
    }

    package init(_ money: Money) {
        self.init(money.minorUnits, money.currency)
    }

    /// "128.00 CNY"
    var withCurrency: String { "\(amount) \(currency)" }

    /// "1,284"
    static func grouped(_ digits: String, isNegative: Bool) -> String {
        var text = isNegative ? "−" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.utf8.count - index).isMultiple(of: 3) { text.append(",") }
            text.append(digit)
        }
        return text
    }

    private static func unsigned(_ minorUnits: UInt64, digits: Int) -> String {
        // Written from the end: 20 digits, 6 separators and a point at most.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 40) { buffer in
            var (start, rest, written) = (buffer.count, minorUnits, 0)
            repeat {
                if digits > 0, written == digits {
                    start -= 1
                    buffer[start] = UInt8(ascii: ".")
                } else if written > digits, (written - digits).isMultiple(of: 3) {
                    start -= 1
                    buffer[start] = UInt8(ascii: ",")
                }
                start -= 1
                buffer[start] = 48 + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
                written += 1
            } while rest > 0 || written <= digits
            return String(decoding: UnsafeBufferPointer(rebasing: buffer[start...]), as: UTF8.self)
        }
    }
}
