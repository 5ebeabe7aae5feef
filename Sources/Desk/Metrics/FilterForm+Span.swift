import Billing
import Words

extension FilterForm {
    /// The fields for a stretch of business days, and for the day as of which its metrics are known.
    static func span(_ from: BusinessDay?, _ to: BusinessDay?, asOf: BusinessDay?, _ strings: Strings) -> [Day] {
        [
            Day(name: "from", label: strings.analyticsFrom, value: from?.description ?? ""),
            Day(name: "to", label: strings.analyticsTo, value: to?.description ?? ""),
            Day(name: "as_of", label: strings.analyticsAsOf, value: asOf?.description ?? ""),
        ]
    }
}
