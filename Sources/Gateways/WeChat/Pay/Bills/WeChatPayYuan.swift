import Billing

/// Yuan as bills write them, digit by digit and never by way of a fraction: `6.00`, `-0.03600`.
enum WeChatPayYuan {
    /// - Returns: fen; nil for what is no amount, and for one with a part of a fen.
    static func money(_ text: String) -> Money? { fen(text, rounds: false) }

    /// The same of a fee, which bills write with five decimals: half a fen counts as one.
    static func fee(_ text: String) -> Money? { fen(text, rounds: true) }

    /// A day's sum, which is larger than any amount of one order. In fen.
    static func sum(_ text: String) -> Int64? {
        guard let match = text.wholeMatch(of: /(-?)([0-9]{1,15})(?:\.([0-9]{1,6}))?/), let yuan = Int64(match.output.2)
        else { return nil }
        let digits = (match.output.3.map(String.init) ?? "").padding(toLength: 6)
        guard let cents = Int64(digits.prefix(2)), let rest = Int64(digits.dropFirst(2)), rest == 0 else { return nil }
        // Fifteen digits and two: it fits.
        let fen = yuan * 100 + cents
        return match.output.1.isEmpty ? fen : 0 - fen
    }

    private static func fen(_ text: String, rounds: Bool) -> Money? {
        guard let match = text.wholeMatch(of: /(-?)([0-9]{1,9})(?:\.([0-9]{1,6}))?/),
            let yuan = Int64(match.output.2), let currency = Currency("CNY")
        else { return nil }
        let digits = (match.output.3.map(String.init) ?? "").padding(toLength: 6)
        guard let cents = Int64(digits.prefix(2)), let rest = Int64(digits.dropFirst(2)), rounds || rest == 0 else {
            return nil
        }
        // Nine digits and two: it fits.
        let fen = yuan * 100 + cents + (rest >= 5_000 ? 1 : 0)
        return Money(minorUnits: match.output.1.isEmpty ? fen : 0 - fen, currency: currency)
    }
}

extension String {
    fileprivate func padding(toLength length: Int) -> String {
        self + String(repeating: "0", count: max(0, length - count))
    }
}
