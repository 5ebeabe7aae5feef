import Billing
import HTTP
import Storage
import Words

/// The charts of the page of cohorts.
struct CohortCharts: Sendable {
    let metrics: CohortMetrics
    let view: CohortsView
    let viewer: Viewer

    private var strings: Strings { viewer.strings }
    /// More periods than a page has room for are in the file.
    private static let mostColumns = 24

    /// Retention: of the subscriptions first paid for in a month, those that paid for each period since.
    var retention: ChartFigure {
        let length = view.length
        return .heat(
            heading(
                "retention",
                strings.analyticsTitleRetention.description,
                strings.analyticsRetentionFinding(period: PeriodLength.text(length, strings)),
                strings.analyticsDefinitionRetention.description
            ),
            rowHeading: strings.analyticsFirstPaid.description,
            sizeHeading: strings.analyticsSubscriptionsStarted.description,
            columns: (1...Self.mostColumns).map { strings.number($0) },
            rows: metrics.retention.filter { $0.subscriptions > 0 }.map { cohort in
                let begun = cohort.begun(on: metrics.day, every: length)
                let shown = min(cohort.periods(on: metrics.day, every: length), Self.mostColumns)
                let finished = begun - cohort.unfinished(on: metrics.day, running: metrics.running, every: length)
                return HeatRow(
                    name: PeriodText(cohort.month, strings).name,
                    href: behind(.retention, cohort.month),
                    size: cohort.subscriptions,
                    kept: (0..<shown).map(cohort.paid(for:)),
                    wholes: (0..<shown).map(cohort.whole(of:)),
                    hrefs: (0..<shown).compactMap { behind(.retention, cohort.month, step: $0) },
                    unfinished: max(0, shown - finished)
                )
            },
            csvHref: view.csvPath(.retention),
            strings
        )
    }

    /// Conversion: of the customers first seen in a month, those who paid, by how soon.
    var conversion: ChartFigure {
        .heat(
            heading(
                "conversion",
                strings.analyticsTitleConversion.description,
                strings.analyticsConversionFinding.description,
                strings.analyticsDefinitionConversion.description
            ),
            rowHeading: strings.analyticsFirstSeen.description,
            sizeHeading: strings.analyticsCustomers.description,
            columns: ConversionCohort.limits.map { strings.analyticsWithinDays(count: $0) } + [
                strings.analyticsEver.description
            ],
            rows: metrics.conversion.filter { $0.customers > 0 }.map { cohort in
                let unfinished = cohort.unfinished(on: metrics.running)
                return HeatRow(
                    name: PeriodText(cohort.month, strings).name,
                    href: behind(.conversion, cohort.month),
                    size: cohort.customers,
                    kept: cohort.paid,
                    hrefs: cohort.paid.indices.compactMap { behind(.conversion, cohort.month, step: $0) },
                    unfinished: unfinished == 0 ? 0 : unfinished + 1
                )
            },
            csvHref: view.csvPath(.conversion),
            strings
        )
    }

    /// Net revenue of each month, for each customer there was.
    var perCustomer: ChartFigure {
        monthly(
            "arpu",
            { strings.analyticsTitleArpu(currency: $0) },
            strings.analyticsDefinitionArpu,
            strings.analyticsArpu,
            .customers,
            \.perCustomer
        )
    }

    /// Net revenue of each month, for each who paid in it.
    var perPayer: ChartFigure {
        monthly(
            "arppu",
            { strings.analyticsTitleArppu(currency: $0) },
            strings.analyticsDefinitionArppu,
            strings.analyticsArppu,
            .payers,
            \.perPayer
        )
    }

    /// Lifetime value: the net revenue of each cohort so far, for each of its customers.
    var cohortCustomers: ChartFigure {
        lifetime(
            "ltv",
            { strings.analyticsTitleLtv(currency: $0) },
            strings.analyticsLtvFinding.description,
            strings.analyticsLtv,
            .lifetime,
            \.perCustomer
        )
    }

    /// The same for each who paid, and what one may bring in all.
    var cohortPayers: ChartFigure {
        lifetime(
            "ltv-payers",
            { strings.analyticsTitleLtvPayers(currency: $0) },
            prediction,
            strings.analyticsLtvPayers,
            .lifetimePayers,
            \.perPayer
        )
    }

    private var prediction: String {
        guard let predicted = metrics.predicted, let amount = predicted.amount else {
            return strings.analyticsNoPrediction.description
        }
        let money = ChartUnit.money(metrics.lifetime.currency)
        let parts = predicted.lengths.map { length in
            strings.analyticsPredictionPart(
                amount: length.amount.map { money.text($0, strings) } ?? "–",
                churn: length.churnRate.map { strings.percent(Int64($0), places: 2) } ?? "–",
                length: PeriodLength.text(length.period, strings),
                revenue: length.perSubscriber.map { money.text($0, strings) } ?? "–"
            )
        }
        return strings.analyticsPrediction(
            amount: money.text(amount, strings),
            month: PeriodText(predicted.month, strings).name,
            parts: parts.joined(separator: strings.language == .chinese ? "；" : "; ")
        )
    }

    private func monthly(
        _ id: String,
        _ title: (String) -> String,
        _ definition: StaticString,
        _ name: StaticString,
        _ metric: CohortRowsFilter.Metric,
        _ value: (MonthlyValue) -> Int64?
    ) -> ChartFigure {
        let (rows, currency) = (metrics.monthly.rows, metrics.monthly.currency)
        let latest = rows.last { !$0.month.isPartial(on: metrics.running) && value($0) != nil }
        let finding = latest.map { row in
            strings.chartsNamed(
                name: PeriodText(row.month, strings).name,
                value: ChartUnit.money(currency).text(value(row) ?? 0, strings)
            )
        }
        return .bars(
            heading(id, title(currency.code), finding ?? strings.analyticsNoCharges.description, money(definition)),
            periods: ChartPeriods(rows.map(\.month), today: metrics.running, strings) { behind(metric, $0) },
            current: ChartSeries(name.description, rows.map(value)),
            unit: .money(currency),
            options: ChartOptions(size: .half, csvHref: view.csvPath(.arpu), isSummed: false),
            strings
        )
    }

    private func lifetime(
        _ id: String,
        _ title: (String) -> String,
        _ finding: String,
        _ name: StaticString,
        _ metric: CohortRowsFilter.Metric,
        _ value: (LifetimeValue) -> Int64?
    ) -> ChartFigure {
        let (rows, currency) = (metrics.lifetime.rows, metrics.lifetime.currency)
        return .bars(
            heading(id, title(currency.code), finding, money(strings.analyticsDefinitionLtv)),
            periods: ChartPeriods(rows.map(\.month), today: metrics.running, strings) { behind(metric, $0) },
            current: ChartSeries(name.description, rows.map(value)),
            unit: .money(currency),
            options: ChartOptions(size: .half, csvHref: view.csvPath(.ltv), isSummed: false),
            strings
        )
    }

    /// The customers behind a metric; nil in the sandbox, of which none are kept.
    private func behind(_ metric: CohortRowsFilter.Metric, _ month: ReportingPeriod, step: Int? = nil) -> String? {
        guard view.filter.environment == .production else { return nil }
        var filter = CohortRowsFilter(metrics: view.filter, metric: metric, month: month, step: step)
        if metric == .retention { filter.metrics.period = view.length }
        return filter.path
    }

    /// The definition of an amount of money.
    private func money(_ definition: StaticString) -> String {
        view.filter.currency == nil ? "\(definition) \(strings.analyticsDefinitionConverted)" : definition.description
    }

    private func heading(_ id: String, _ title: String, _ finding: String, _ definition: String) -> ChartHeading {
        ChartHeading(
            id: id,
            title: title,
            finding: finding,
            definition: "\(definition) \(strings.analyticsDefinitionZone(zone: viewer.zone.label))",
            version: String(MetricDefinitions.version)
        )
    }
}
