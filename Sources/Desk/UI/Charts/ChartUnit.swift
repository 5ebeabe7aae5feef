package import Billing
import HTTP
import Words

/// The unit of a chart's numbers. It decides how they are written: in the read-out, in the table and at the axis.
package enum ChartUnit: Sendable, Hashable {
    /// Minor units of one currency.
    case money(Currency)
    /// Orders, customers, subscriptions.
    case count
    /// Hundredths of a percent.
    case percent
    /// A duration.
    case milliseconds

    /// With its currency: "33,000.00 CNY", "1,284", "2.53%".
    func text(_ value: Int64, _ strings: Strings) -> String {
        switch self {
        case .money(let currency): MoneyText(value, currency, strings).withCurrency
        case .count, .percent, .milliseconds: number(value, strings)
        }
    }

    /// Without its currency, for columns: "33,000.00".
    func number(_ value: Int64, _ strings: Strings, showsPlus: Bool = false) -> String {
        switch self {
        case .money(let currency): MoneyText(value, currency, strings, showsPlus: showsPlus).amount
        case .count: (showsPlus && value > 0 ? "+" : "") + strings.number(Int(value))
        case .percent: strings.percent(value, places: 2, showsPlus: showsPlus)
        case .milliseconds: Phrase.duration(Double(value) / 1_000, strings)
        }
    }

    /// In short, for an axis: "20k", "2.5%".
    func tick(_ value: Int64, _ strings: Strings) -> String {
        switch self {
        case .money(let currency): strings.short(value, places: currency.digits)
        case .count: strings.short(value)
        case .milliseconds: Phrase.duration(Double(value) / 1_000, strings)
        case .percent:
            (value < 0 ? "−" : "")
                + strings.chartsPercent(number: strings.decimal(value.magnitude, places: 2, trimmed: true))
        }
    }
}
