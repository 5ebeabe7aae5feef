/// An amount that a report leaves out, because there is no rate for it.
public struct Unconverted: Resource {
    public var currency: String
    public var amount: Amount

    public static let fields = Fields<Self> {
        Field("currency", \.currency, .currencyCode)
        Field("amount", \.amount, "In this currency.")
    }

    public init(currency: String, amount: Amount) {
        self.currency = currency
        self.amount = amount
    }
}
