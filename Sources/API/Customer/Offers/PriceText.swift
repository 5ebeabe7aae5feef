import Billing
import HTTP
import Storage
import Words

/// A price as an app shows it to whoever may buy: `¥128/年`, `$9.99/month`, `₺49,99/ay`.
enum PriceText {
    /// - Parameter period: nil for what is paid once.
    static func text(_ price: Money, every period: BillingPeriod?, _ strings: Strings) -> String {
        let amount = symbol(of: price.currency, strings.language) + digits(of: price, strings)
        guard let period = period?.inLargestUnit else { return amount }
        let count = strings.number(period.count)
        return switch (period.unit, period.count) {
        case (.day, 1): strings.customerApiPerDay(price: amount)
        case (.week, 1): strings.customerApiPerWeek(price: amount)
        case (.month, 1): strings.customerApiPerMonth(price: amount)
        case (.year, 1): strings.customerApiPerYear(price: amount)
        case (.day, _): strings.customerApiPerDays(number: count, price: amount)
        case (.week, _): strings.customerApiPerWeeks(number: count, price: amount)
        case (.month, _): strings.customerApiPerMonths(number: count, price: amount)
        case (.year, _): strings.customerApiPerYears(number: count, price: amount)
        }
    }

    /// Without decimals where they are zeros.
    private static func digits(of price: Money, _ strings: Strings) -> String {
        let text = MoneyText(price, strings).amount
        let zeros = "\(strings.decimalSeparator)" + String(repeating: "0", count: price.currency.digits)
        return price.currency.digits > 0 && text.hasSuffix(zeros) ? String(text.dropLast(zeros.count)) : text
    }

    /// As CLDR has it: the yuan's and the yen's sign alone are those of the reader's own country.
    private static func symbol(of currency: Currency, _ language: Language) -> String {
        switch (currency.code, language) {
        case ("CNY", .chinese), ("JPY", .english), ("JPY", .turkish): "¥"
        case ("CNY", _): "CN¥"
        case ("JPY", _): "JP¥"
        case ("USD", .chinese): "US$"
        case ("USD", _): "$"
        case ("TRY", _): "₺"
        case ("EUR", _): "€"
        case ("GBP", _): "£"
        default: "\(currency.code)\u{A0}"
        }
    }
}
