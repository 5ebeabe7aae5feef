import Billing
package import Foundation
package import HTTP
package import Operations
package import Storage
package import Words

/// The health of the service itself, with its targets: `/dashboard/health`.
package struct ServiceHealthPage: Sendable {
    let frame: DashboardFrame
    package var strings: Strings { frame.strings }
    let title: String
    /// "Entire installation; payments and failed notifications for Paper · UTC+8"
    let scope: String
    /// "counted until 22 Nov 2026 18:13 UTC+8"
    let known: String
    /// nil where nothing was counted.
    let made: DateText?
    /// That notifications wait and nobody applies them.
    let alarm: String?
    let tabs: [FilterTab]
    let rows: [Row]
    let charts: [ChartFigure]
    let routes: [RouteRow]
    let hasRoutes: Bool
    let requestsHeading: SortHeading
    let slowestHeading: SortHeading
    /// The order of the routes, for people who do not see the arrows.
    let caption: String
    let target: String
    let routesCSV: String

    /// A metric and its target.
    struct Row: Sendable {
        let name: StaticString
        /// Its chart on this page.
        let href: String
        let value: String
        let basis: String?
        /// The rows that it is made of.
        let link: PageAction?
        let target: String
        let status: StatusText
        let spark: SparkLine?
    }

    /// The answer times of one route.
    struct RouteRow: Sendable {
        let method: String
        let path: String
        let requests: String
        let faults: String
        let median: String
        let slow: String
        let slowest: String
        let isAboveTarget: Bool
    }

    package init(
        metrics: ServiceMetrics,
        alarm: WorkStatus.Alarm? = nil,
        view: HealthView,
        viewer: Viewer,
        now: Date
    ) {
        let strings = viewer.strings
        frame = DashboardFrame(viewer, section: .serviceHealth, path: view.path, now: now)
        title = strings.list([
            strings.healthTitle.description, ServiceHealthPage.name(of: view.span, strings).description,
        ])
        scope = [strings.healthScope(app: viewer.app.name), viewer.zone.label].joined(separator: " · ")
        let writtenAt = metrics.counts.writtenAt
        known =
            writtenAt.map { strings.healthWritten(moment: DateText.full($0, in: viewer.zone, strings)) }
            ?? strings.healthUnwritten.description
        made = writtenAt.map { DateText($0, in: viewer.zone, strings) }
        self.alarm =
            switch alarm {
            case .nobodyWorks: strings.healthNobodyWorks.description
            case .nothingApplied(let minutes): strings.healthNothingApplied(minutes: String(minutes))
            case nil: nil
            }
        tabs = HealthSpan.allCases.map { span in
            FilterTab(
                label: ServiceHealthPage.name(of: span, strings).description,
                href: view.changed { $0.span = span }.path,
                isCurrent: span == view.span
            )
        }
        rows = HealthMetric.allCases.map { ServiceHealthPage.row($0, metrics, strings) }
        charts = HealthMetric.allCases.map { ServiceHealthPage.chart($0, metrics, view, viewer) }
        routes = metrics.routes(view.order).map { ServiceHealthPage.row($0, strings) }
        hasRoutes = !routes.isEmpty
        (requestsHeading, slowestHeading) = (
            ServiceHealthPage.heading(.busiest, view), ServiceHealthPage.heading(.slowest, view)
        )
        caption =
            switch view.order {
            case .slowest: strings.healthRoutesSlowest.description
            case .busiest: strings.healthRoutesBusiest.description
            }
        target = strings.healthRoutesTarget(target: HealthText(.answers, strings).target)
        routesCSV = view.csvPath(.routes)
    }

    private static func name(of span: HealthSpan, _ strings: Strings) -> StaticString {
        switch span {
        case .day: strings.healthSpanDay
        case .week: strings.healthSpanWeek
        case .month: strings.healthSpanMonth
        }
    }

    private static func row(_ metric: HealthMetric, _ metrics: ServiceMetrics, _ strings: Strings) -> Row {
        let (text, measurement) = (HealthText(metric, strings), metrics.measurement(of: metric))
        return Row(
            name: text.name,
            href: "#\(metric.rawValue)",
            value: text.value(measurement.value),
            basis: text.basis(measurement),
            link: link(metric, metrics, strings),
            target: text.target,
            status: StatusText(metric, measurement.value, strings),
            spark: SparkLine(metrics.history(metric).compactMap(\.value))
        )
    }

    private static func link(_ metric: HealthMetric, _ metrics: ServiceMetrics, _ strings: Strings) -> PageAction? {
        switch metric {
        case .failed:
            PageAction(
                label: strings.healthFailedRows.description,
                href: NotificationFilter(state: .failed).path
            )
        case .queueAge:
            PageAction(
                label: strings.healthWaitingRows.description,
                href: NotificationFilter(state: .received).path
            )
        case .payments:
            PageAction(
                label: strings.healthCharges.description,
                href: LedgerFilter(
                    kind: .charges,
                    from: metrics.payments.first?.day,
                    to: metrics.payments.last?.day
                ).path
            )
        case .signIns, .answers, .synced, .applied: nil
        }
    }

    /// The metric by the hour or the day, with its numbers as a table and a file.
    private static func chart(
        _ metric: HealthMetric,
        _ metrics: ServiceMetrics,
        _ view: HealthView,
        _ viewer: Viewer
    ) -> ChartFigure {
        let strings = viewer.strings
        let (text, measurement) = (HealthText(metric, strings), metrics.measurement(of: metric))
        let isByHour = view.span.isByHour && metric != .payments
        let periods =
            metric == .payments
            ? ChartPeriods(days: metrics.payments.map(\.day), strings)
            : ChartPeriods(view.span, from: metrics.counts.starts, viewer)
        let name = text.name.description
        return .bars(
            ChartHeading(
                id: metric.rawValue,
                title: isByHour ? strings.healthByHour(name: name) : strings.healthByDay(name: name),
                finding: strings.healthFinding(
                    state: StatusText(metric, measurement.value, strings).within.description,
                    target: text.target,
                    value: text.value(measurement.value)
                ),
                definition: text.definition.description,
                version: String(MetricDefinitions.version)
            ),
            periods: periods,
            current: ChartSeries(name, metrics.history(metric).map(\.value)),
            unit: text.unit,
            options: ChartOptions(size: .half, csvHref: view.csvPath(.history(metric)), isSummed: false),
            strings
        )
    }

    private static func row(_ route: ServiceMetrics.Route, _ strings: Strings) -> RouteRow {
        func time(_ percent: Double) -> String { ChartUnit.milliseconds.text(route.percentile(percent), strings) }
        return RouteRow(
            method: route.method,
            path: route.path,
            requests: strings.number(Int(route.tally.count)),
            faults: strings.number(Int(route.faults)),
            median: time(50),
            slow: time(95),
            slowest: time(99),
            isAboveTarget: route.isAboveTarget
        )
    }

    private static func heading(_ order: ServiceMetrics.Order, _ view: HealthView) -> SortHeading {
        let isChosen = view.order == order
        return SortHeading(
            href: view.changed { $0.order = order }.path,
            order: isChosen ? "descending" : nil,
            arrow: isChosen ? "↓" : ""
        )
    }
}
