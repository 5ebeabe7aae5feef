import Billing

extension FilterForm {
    /// The fields for a stretch of business days, and for the day as of which its figures are known.
    static func span(_ from: BusinessDay?, _ to: BusinessDay?, asOf: BusinessDay?, _ words: Words) -> [Day] {
        [
            Day(name: "from", label: words.numbersFrom, value: from?.description ?? ""),
            Day(name: "to", label: words.numbersTo, value: to?.description ?? ""),
            Day(name: "as_of", label: words.numbersAsOf, value: asOf?.description ?? ""),
        ]
    }
}
