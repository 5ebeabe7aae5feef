package import Billing
package import Words

/// An amount as pages show it, with the ISO code beside it. Digits are grouped as in the language, with the currency's decimals.
package struct MoneyText: Sendable, Hashable {
    /// "1,280.00", "−40.00", "300"
    package let amount: String
    /// "CNY"; empty beside an amount that is not known.
    package let currency: String

    /// - Parameter showsPlus: for movements: "+128.00".
    package init(_ minorUnits: Int64, _ currency: Currency, _ strings: Strings, showsPlus: Bool = false) {
        self.currency = currency.code
        let text = MoneyText.unsigned(minorUnits.magnitude, digits: currency.digits, strings)
        amount = minorUnits < 0 ? "−" + text : showsPlus && minorUnits > 0 ? "+" + text : text
    }

    /// The amount charged, or that the store has not said it yet.
    package init(_ minorUnits: Int64?, _ currency: Currency?, _ strings: Strings, showsPlus: Bool = false) {
        if let minorUnits, let currency {
            self.init(minorUnits, currency, strings, showsPlus: showsPlus)
        } else {
            self.init(amount: strings.partsAmountNotKnown.description, currency: "")
        }
    }

    private init(amount: String, currency: String) {
        (self.amount, self.currency) = (amount, currency)
    }

    package init(_ money: Money, _ strings: Strings) {
        self.init(money.minorUnits, money.currency, strings)
    }

    /// "128.00 CNY"
    package var withCurrency: String { currency.isEmpty ? amount : "\(amount) \(currency)" }

    private static func unsigned(_ minorUnits: UInt64, digits: Int, _ strings: Strings) -> String {
        let (point, group) = (UInt8(ascii: strings.decimalSeparator), UInt8(ascii: strings.groupSeparator))
        // Written from the end: 20 digits, 6 separators and a point at most.
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 40) { buffer in
            var (start, rest, written) = (buffer.count, minorUnits, 0)
            repeat {
                if digits > 0, written == digits {
                    start -= 1
                    buffer[start] = point
                } else if written > digits, (written - digits).isMultiple(of: 3) {
                    start -= 1
                    buffer[start] = group
                }
                start -= 1
                buffer[start] = 48 + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
                written += 1
            } while rest > 0 || written <= digits
            // safe: written from its end
            return String(decoding: UnsafeBufferPointer(rebasing: buffer[start...]), as: UTF8.self)
        }
    }
}
