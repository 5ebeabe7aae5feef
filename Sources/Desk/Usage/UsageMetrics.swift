package import Billing
import HTTP
package import Storage
import Words

/// The usage of an app's features by all customers, period by period.
package struct UsageMetrics: Sendable {
    package let view: UsageView
    package let span: RevenueSpan
    /// All of the app's, in the order of its catalogue.
    package let features: [CatalogFeature]
    package let totals: [UsageTotal]

    package init(view: UsageView, span: RevenueSpan, features: [CatalogFeature], totals: [UsageTotal]) {
        (self.view, self.span) = (view, span)
        (self.features, self.totals) = (features, totals)
    }

    package init(
        _ view: UsageView,
        of app: App.ID,
        today: BusinessDay,
        isChart: Bool = true,
        _ reader: Reader
    ) async throws {
        let span = view.span(today: today, isChart: isChart)
        let question = UsageTotalsQuery(
            feature: view.feature,
            from: span.first,
            through: span.last,
            grain: span.grain
        )
        async let totals = reader.usage.totals(question, app: app)
        let features = try await reader.usage.features(of: app)
        self.init(view: view, span: span, features: features, totals: try await totals)
    }

    /// nil for an app without features.
    var ofFeatures: UsageMetrics? { features.isEmpty ? nil : self }

    var isEmpty: Bool { totals.isEmpty }

    /// The units of all features.
    var units: Int64 { totals.reduce(0) { $0.plus($1.units) } }

    /// The units of some features, period by period.
    func units(of codes: Set<String>) -> [Int64] {
        let byPeriod = Dictionary(
            totals.filter { codes.contains($0.feature) }.map { ($0.period, $0.units) },
            uniquingKeysWith: { $0.plus($1) }
        )
        return span.periods.map { byPeriod[$0] ?? 0 }
    }

    /// The codes of what was used, the most used first; of equals in the order of the catalogue.
    var codes: [String] {
        let sums = Dictionary(totals.map { ($0.feature, $0.units) }, uniquingKeysWith: { $0.plus($1) })
        let used = features.map(\.feature.code).filter { sums[$0] != nil }
        return used.enumerated()
            .sorted { (sums[$0.element] ?? 0, $1.offset) > (sums[$1.element] ?? 0, $0.offset) }
            .map(\.element)
    }

    func name(of code: String, _ strings: Strings) -> String {
        features.first { $0.feature.code == code }?.name(in: "\(strings.tag)") ?? code
    }
}
