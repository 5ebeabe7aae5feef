import Billing
import HTTP
import Storage
import Words

extension MetricsFilter {
    /// Reads the filters of metrics from a URL; what cannot be read falls back to its default.
    init(_ query: inout QueryReader) {
        func code(_ text: String) -> String? { text.utf8.count > 255 ? nil : text }
        self.init(
            environment: query.value("environment", StoreEnvironment.init(name:)) ?? .production,
            store: query.store("store"),
            plan: query.value("plan", code),
            product: query.value("product", code),
            period: query.value("period") { BillingPeriod(iso8601: $0) },
            country: query.value("country") { $0 == Self.noCountry ? "" : $0.utf8.count > 3 ? nil : $0 },
            currency: query.currency("currency"),
            asOf: query.day("as_of")
        )
    }

    /// The value in an address for charges without a country.
    static let noCountry = "-"

    func add(to query: inout QueryText) {
        query.add("environment", environment == .production ? nil : environment.name)
        query.add("store", store?.rawValue)
        query.add("plan", plan)
        query.add("product", product)
        query.add("period", period?.description)
        query.add("country", country.map { $0.isEmpty ? Self.noCountry : $0 })
        query.add("currency", currency?.code)
        query.add("as_of", asOf?.description)
    }

    /// The fields of a form that has these filters.
    func selects(_ choices: MetricsOptions, _ strings: Strings) -> [FilterForm.Select] {
        [
            .stores(store, strings),
            .init("plan", strings.analyticsPlan, all: strings.listsAny, chosen: plan, choices.plans.map { ($0, $0) }),
            .init(
                "product",
                strings.analyticsProduct,
                all: strings.listsAny,
                chosen: product,
                choices.products.map { ($0.id, $0.name) }
            ),
            .init(
                "period",
                strings.analyticsPeriod,
                all: strings.listsAny,
                chosen: period?.description,
                choices.periods.map { ($0.description, PeriodLength.text($0, strings)) }
            ),
            .init(
                "country",
                strings.analyticsCountry,
                all: strings.listsAny,
                chosen: country.map { $0.isEmpty ? Self.noCountry : $0 },
                choices.countries.map {
                    $0.isEmpty ? (Self.noCountry, strings.analyticsNoCountry.description) : ($0, $0)
                }
            ),
            .init(
                "currency",
                strings.analyticsCurrency,
                all: strings.listsAny,
                chosen: currency?.code,
                choices.currencies.map { ($0.code, $0.code) }
            ),
        ]
    }
}

/// The length of a billing period, in words.
enum PeriodLength {
    /// "1 month"
    static func text(_ period: BillingPeriod, _ strings: Strings) -> String {
        switch period.unit {
        case .day: strings.analyticsDays(count: period.count)
        case .week: strings.analyticsWeeks(count: period.count)
        case .month: strings.analyticsMonths(count: period.count)
        case .year: strings.analyticsYears(count: period.count)
        }
    }
}

extension AppliedFilters {
    /// - Parameter without: the address without the filter that the change takes away.
    mutating func add(
        _ filter: MetricsFilter,
        _ strings: Strings,
        without: (@escaping (inout MetricsFilter) -> Void) -> String
    ) {
        func add(_ name: StaticString, _ value: String, _ change: @escaping (inout MetricsFilter) -> Void) {
            self.add(value, chip: strings.chartsNamed(name: name.description, value: value), without: without(change))
        }
        if filter.environment == .sandbox {
            add(strings.analyticsEnvironment, strings.partsSandbox.description) { $0.environment = .production }
        }
        if let store = filter.store { self.add(store, strings, without: without { $0.store = nil }) }
        if let plan = filter.plan { add(strings.analyticsPlan, plan) { $0.plan = nil } }
        if let product = filter.product { add(strings.analyticsProduct, product) { $0.product = nil } }
        if let period = filter.period {
            add(strings.analyticsPeriod, PeriodLength.text(period, strings)) { $0.period = nil }
        }
        if let country = filter.country {
            add(strings.analyticsCountry, country.isEmpty ? strings.analyticsNoCountry.description : country) {
                $0.country = nil
            }
        }
        if let currency = filter.currency { add(strings.analyticsCurrency, currency.code) { $0.currency = nil } }
        if let asOf = filter.asOf {
            add(strings.analyticsAsOf, PeriodText.day(asOf, strings)) { $0.asOf = nil }
        }
    }
}
