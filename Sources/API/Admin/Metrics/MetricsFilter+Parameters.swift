import APITypes
import Billing
import HTTP
import Storage

/// The parameters that filter any metric.
extension MetricsFilter {
    static let parameters: [any QueryParameterDescription] = [
        environmentParameter, storeParameter, planParameter, productParameter, periodParameter, countryParameter,
        currencyParameter, asOfParameter,
    ]

    /// Returns the same parameters with another period.
    static func parameters(period: QueryParameter<BillingPeriod>) -> [any QueryParameterDescription] {
        parameters.map { $0.description.name == period.description.name ? period : $0 }
    }

    static func periodParameter(_ meaning: String) -> QueryParameter<BillingPeriod> {
        QueryParameter(
            "period",
            String.schema.following([.pattern("^P(0{0,3}[1-9]|0{0,2}[1-9][0-9]|0?[1-9][0-9]{2}|[1-9][0-9]{3})[DWMY]$")]
            ),
            """
            \(meaning) One number from 1 to 9999 and one of D, W, M and Y: `P0D`, `P1Y6M`, `PT1H` and an empty one are refused.
            """,
            is: "P, a number from 1 to 9999 and one of D, W, M and Y, such as P1M"
        ) { BillingPeriod(iso8601: $0) }
    }

    private static let environmentParameter = QueryParameter(
        capitals: "environment",
        StoreEnvironment.self,
        "Sandbox is never mixed into production; it has no subscribers and no revenue.",
        preset: .production
    )
    private static let storeParameter = QueryParameter(capitals: "store", Store.self, "Only of this store.")
    private static let planParameter = QueryParameter.name("plan", longest: 255, "Only of this plan, by its code.")
    private static let productParameter = QueryParameter.name(
        "product",
        longest: 255,
        "Only of this product, by the store's identifier."
    )
    private static let periodParameter = periodParameter(
        "Only of products that are paid for this long at once, as ISO 8601 writes it: `P1M`."
    )
    private static let countryParameter = QueryParameter(
        "country",
        String.schema.following([.pattern("^[A-Z]{0,3}$")]),
        "Only of this storefront; empty for what came without one.",
        is: "a country's code of up to three capital letters, or empty"
    ) { isCountry($0) ? $0 : nil }
    private static let currencyParameter = QueryParameter.currency("currency", "Only in this currency.")
    private static let asOfParameter = QueryParameter.day(
        "asOf",
        """
        The numbers as they were known at the end of this day. They end with it where `to` says nothing else, and a period \
        that was not over by then is unfinished.
        """
    )

    init(_ question: ListParameters) throws(WebError) {
        self.init(
            environment: try question.value(Self.environmentParameter) ?? .production,
            store: try question.value(Self.storeParameter),
            plan: try question.value(Self.planParameter),
            product: try question.value(Self.productParameter),
            period: try question.value(Self.periodParameter),
            country: try question.value(Self.countryParameter),
            currency: try question.value(Self.currencyParameter),
            asOf: try question.value(Self.asOfParameter)
        )
    }

    /// Returns true for a country as the stores name it; empty stands for charges that came without one.
    private static func isCountry(_ text: String) -> Bool {
        text.utf8.count <= 3 && text.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    }
}
