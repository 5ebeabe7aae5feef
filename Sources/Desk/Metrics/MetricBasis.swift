import Billing
import Foundation
import HTTP
import Storage
import Words

/// The basis of a page's metrics: which business, whose days, and as known when.
struct MetricBasis: Sendable {
    /// "production only · UTC+8"
    let scope: String
    /// "as known on 22 Nov 2026 18:13 UTC+8"
    let known: String
    /// nil for the end of a day.
    let made: DateText?

    init(_ filter: MetricsFilter, _ viewer: Viewer, now: Date) {
        let strings = viewer.strings
        let isProduction = filter.environment == .production
        scope = [
            (isProduction ? strings.analyticsProductionOnly : strings.analyticsSandboxOnly).description,
            viewer.zone.label,
        ].joined(separator: " · ")
        known =
            filter.asOf.map { strings.analyticsKnownOn(day: PeriodText.day($0, strings)) }
            ?? strings.analyticsKnownNow(moment: DateText.full(now, in: viewer.zone, strings))
        made = filter.asOf == nil ? DateText(now, in: viewer.zone, strings) : nil
    }
}
