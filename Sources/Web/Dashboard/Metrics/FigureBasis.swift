import Billing
import Foundation
import Storage

/// What the figures of a page are of: which business, whose days, and as known when.
struct FigureBasis: Sendable {
    /// "production only · UTC+8"
    let scope: String
    /// "as known on 22 Nov 2026 18:13 UTC+8"
    let known: String
    /// nil for the end of a day.
    let made: DateText?

    init(_ filter: NumbersFilter, _ viewer: Viewer, now: Date) {
        let words = viewer.words
        let isProduction = filter.environment == .production
        scope = [
            (isProduction ? words.numbersProductionOnly : words.numbersSandboxOnly).description, viewer.zone.label,
        ].joined(separator: " · ")
        known =
            filter.asOf.map { words.numbersKnownOn(day: PeriodText.day($0, words)) }
            ?? words.numbersKnownNow(moment: DateText.full(now, in: viewer.zone, words))
        made = filter.asOf == nil ? DateText(now, in: viewer.zone, words) : nil
    }
}
