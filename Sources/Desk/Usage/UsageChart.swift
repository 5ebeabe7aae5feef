import Billing
import HTTP
import Storage
import Words

extension ChartFigure {
    /// Usage by period: of one feature as bars, of several one upon the other, the most used first.
    static func usage(_ metrics: UsageMetrics, _ viewer: Viewer) -> ChartFigure {
        let (strings, view) = (viewer.strings, metrics.view)
        let periods = ChartPeriods(metrics.span.periods, today: metrics.span.today, strings) { period in
            view.changed { ($0.from, $0.to) = (period.first, period.last) }.path
        }
        let options = ChartOptions(csvHref: view.csvPath)
        if let feature = view.feature {
            let name = metrics.name(of: feature, strings)
            return .bars(
                heading(metrics, strings.usageTitleOf(feature: name), viewer),
                periods: periods,
                current: ChartSeries(strings.usageUnits.description, metrics.units(of: [feature])),
                unit: .count,
                options: options,
                strings
            )
        }
        let codes = metrics.codes
        let shown = codes.prefix(codes.count > mostFeatures ? mostFeatures - 1 : mostFeatures)
        let others = codes.dropFirst(shown.count)
        return .stack(
            heading(metrics, strings.usageTitleByFeature.description, viewer),
            periods: periods,
            series: shown.map { code in
                ChartSeries(
                    metrics.name(of: code, strings),
                    metrics.units(of: [code]),
                    hrefs: metrics.span.periods.map { period in
                        view.changed { ($0.feature, $0.from, $0.to) = (code, period.first, period.last) }.path
                    }
                )
            }
                + (others.isEmpty
                    ? [] : [ChartSeries(strings.analyticsOthers.description, metrics.units(of: Set(others)))]),
            total: strings.usageAllFeatures.description,
            unit: .count,
            options: options,
            strings
        )
    }

    /// As many as a stack has colours.
    private static let mostFeatures = 6

    private static func heading(_ metrics: UsageMetrics, _ title: String, _ viewer: Viewer) -> ChartHeading {
        let strings = viewer.strings
        return ChartHeading(
            id: "usage",
            title: title,
            finding: strings.usageFinding(
                days: PeriodText.days(of: metrics.span.periods, strings),
                units: ChartUnit.count.number(metrics.units, strings)
            ),
            definition: "\(strings.usageDefinition) \(strings.analyticsDefinitionZone(zone: viewer.zone.label))",
            version: String(MetricDefinitions.version)
        )
    }
}
