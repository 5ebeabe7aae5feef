import Billing

/// Yuan as Alipay writes them: `6.00`, digit by digit and never by way of a fraction.
enum AlipayAmount {
    static let currency = Currency("CNY") ?? .unknown

    /// - Throws: `.malformed`, of what is no amount of at most two decimals, of less than nothing, and of one that nobody pays.
    static func money(_ text: String, of field: String, in currency: Currency = currency) throws(GatewayError) -> Money
    {
        let amount = try signed(text, of: field, in: currency)
        guard amount.minorUnits >= 0 else {
            throw GatewayError(.malformed, "\(field) is less than nothing.", field: field)
        }
        return amount
    }

    /// The same of bills, in which what goes out is negative.
    static func signed(
        _ text: String,
        of field: String,
        in currency: Currency = currency
    ) throws(GatewayError) -> Money {
        let amount: Money
        do {
            amount = try Money(decimalText: text, currency: currency)
        } catch {
            throw GatewayError(.malformed, "\(field) is no amount.", field: field, underlying: error)
        }
        guard (-Money.highestPrice...Money.highestPrice).contains(amount.minorUnits) else {
            throw GatewayError(.malformed, "\(field) is an amount that nobody pays.", field: field)
        }
        return amount
    }

    /// The amounts that Alipay takes: 0.01 to 100,000,000 yuan.
    static let payable: ClosedRange<Int64> = 1...10_000_000_000
}
