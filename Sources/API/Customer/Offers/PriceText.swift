import Billing
import HTTP
import Storage
import Words

/// Writes a price as an app shows it to buyers: `¥128/年`, `$9.99/month`, `₺49,99/ay`.
enum PriceText {
    /// - Parameter period: the billing period; nil for a product that is paid once.
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

    /// Returns the amount, without decimals where they are zeros.
    private static func digits(of price: Money, _ strings: Strings) -> String {
        let text = MoneyText(price, strings).amount
        let zeros = "\(strings.decimalSeparator)" + String(repeating: "0", count: price.currency.digits)
        return price.currency.digits > 0 && text.hasSuffix(zeros) ? String(text.dropLast(zeros.count)) : text
    }

    /// Returns the currency's symbol by CLDR: a bare ¥ is the currency of the reader's own country, or the yen in English and
    /// Turkish.
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
