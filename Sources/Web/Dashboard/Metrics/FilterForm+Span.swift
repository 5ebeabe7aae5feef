import Billing

extension FilterForm {
    /// The fields for a stretch of business days, and for the day as of which its figures are known.
    static func span(_ from: BusinessDay?, _ to: BusinessDay?, asOf: BusinessDay?, _ strings: Strings) -> [Day] {
        [
            Day(name: "from", label: strings.numbersFrom, value: from?.description ?? ""),
            Day(name: "to", label: strings.numbersTo, value: to?.description ?? ""),
            Day(name: "as_of", label: strings.numbersAsOf, value: asOf?.description ?? ""),
        ]
    }
}
