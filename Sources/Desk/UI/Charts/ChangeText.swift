import HTTP
package import Words

/// The change from an earlier value. An arrow to see and a word to hear say it, so that no colour has to.
package struct ChangeText: Sendable {
    /// "▲", "▼", "=" or "+"
    let arrow: StaticString
    /// "14.1%", without a sign: the arrow and the word say it; nil when there was nothing before.
    let percent: String?
    /// "more", "less", "unchanged" or "new"
    let word: StaticString
    /// The class that colours it: `up` for the better, `down` for the worse, or none.
    let tone: StaticString

    /// The direction that is for the better.
    package enum Meaning: Sendable, Hashable {
        case moreIsBetter
        case moreIsWorse
        case neither
    }

    /// nil where nothing can be said: the period is not finished, there is nothing to compare with, what was before is
    /// below zero, or both are zero.
    ///
    /// - Parameters:
    ///   - previous: the earlier value.
    ///   - value: the present value.
    package init?(
        from previous: Int64?,
        to value: Int64?,
        isPartial: Bool = false,
        meaning: Meaning = .moreIsBetter,
        _ strings: Strings
    ) {
        guard let previous, let value, !isPartial, previous > 0 || previous == 0 && value > 0 else { return nil }
        guard previous > 0 else {
            (arrow, percent, word) = ("+", nil, strings.chartsNew)
            tone = Self.tone(isMore: true, meaning)
            return
        }
        let tenths = Self.tenths(from: previous, to: value)
        percent = strings.percent(abs(max(tenths, -Int64.max)), places: 1)  // safe: never the least number
        // A change shown as 0.0 % is neither good nor bad.
        if tenths == 0 {
            (arrow, word, tone) = ("=", strings.chartsUnchanged, "")
        } else {
            (arrow, word) = tenths > 0 ? ("▲", strings.chartsMore) : ("▼", strings.chartsLess)
            tone = Self.tone(isMore: tenths > 0, meaning)
        }
    }

    private static func tone(isMore: Bool, _ meaning: Meaning) -> StaticString {
        switch meaning {
        case .moreIsBetter: isMore ? "up" : "down"
        case .moreIsWorse: isMore ? "down" : "up"
        case .neither: ""
        }
    }

    /// "14.1% more", "new"
    package var text: String {
        percent.map { "\($0) \(word)" } ?? word.description
    }

    /// The change in tenths of a percent of what was before, the nearest.
    private static func tenths(from previous: Int64, to value: Int64) -> Int64 {
        let (change, whole) = ((Int128(value) - Int128(previous)) * 1_000, Int128(previous))
        let half = change < 0 ? -whole : whole
        return Int64(clamping: (change * 2 + half) / (whole * 2))
    }
}
