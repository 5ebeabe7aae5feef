import Storage

extension Strings {
    /// A number as an axis writes it, exact and short: "20k", "2.5M"; "2万" in Chinese, "20 B" in Turkish.
    ///
    /// - Parameter places: the number of its digits that stand behind the point.
    package func short(_ number: Int64, places: Int = 0) -> String {
        let sign = number < 0 ? "−" : ""
        for (exponent, suffix) in shortForms {
            guard let least = Strings.power(of: exponent + places), number.magnitude >= least else { continue }
            return sign + decimal(number.magnitude, places: exponent + places, trimmed: true) + suffix.description
        }
        return sign + decimal(number.magnitude, places: places, trimmed: true)
    }

    /// A number with a point before the last `places` of its digits: "1,284.50"; trimmed, "1,284.5".
    package func decimal(_ magnitude: UInt64, places: Int, trimmed: Bool = false) -> String {
        let digits = String(magnitude)
        let padded = String(repeating: "0", count: max(places + 1 - digits.utf8.count, 0)) + digits
        let whole = number(Int(padded.dropLast(places)) ?? .max)
        var fraction = String(padded.suffix(places))
        if trimmed { while fraction.last == "0" { fraction.removeLast() } }
        return fraction.isEmpty ? whole : "\(whole)\(decimalSeparator)\(fraction)"
    }

    /// "14.1%", "−3.0%"; with a plus for what is more: "+14.1%". Turkish writes the sign of percent first.
    ///
    /// - Parameters:
    ///   - number: in parts of a percent, 10 to the power of `places` for one.
    package func percent(_ number: Int64, places: Int, showsPlus: Bool = false) -> String {
        let sign = number < 0 ? "−" : showsPlus && number > 0 ? "+" : ""
        return sign + chartsPercent(number: decimal(number.magnitude, places: places))
    }

    /// From the largest on: from which power of ten, and what follows the number.
    private var shortForms: [(exponent: Int, suffix: StaticString)] {
        switch language {
        case .english: [(9, "B"), (6, "M"), (3, "k")]
        case .turkish: [(9, " Mr"), (6, " Mn"), (3, " B")]
        case .chinese: [(8, "亿"), (4, "万")]
        }
    }

    private static func power(of exponent: Int) -> UInt64? {
        exponent < 20 ? (0..<exponent).reduce(1) { power, _ in power * 10 } : nil
    }
}
