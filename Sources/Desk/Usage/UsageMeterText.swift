import Billing
import Foundation
import HTTP
import Operations
import Storage
import Words

/// A meter of a customer's page: how much of a feature is used in each window that has a limit.
struct UsageMeterText: Sendable {
    /// The feature.
    let name: String
    /// True if the plan does not include it.
    let isExcluded: Bool
    let lines: [Line]

    struct Line: Sendable {
        /// "Day"
        let window: String
        /// "4 of 5 used"
        let used: String
        /// The bar; nil without a limit.
        let bar: Bar?
        let resets: DateText?
        /// "Resets 22 Nov 2026 00:00 UTC+8"
        let resetText: String
        /// Further notes: reserved, raised.
        let notes: [String]
        /// "Over the limit: counted offline"; nil where that is not so.
        let warning: String?
    }

    struct Bar: Sendable {
        let value: String
        let max: String
        /// The text that is read out.
        let label: String
    }

    /// Of a feature that the plan includes, or of which something is used.
    init?(_ meter: FeatureMeter, _ viewer: Viewer) {
        guard meter.isIncluded || meter.isUsed else { return nil }
        name = meter.feature.name(in: "\(viewer.strings.tag)")
        isExcluded = !meter.isIncluded
        let limited = meter.windows.filter { $0.usage.limit != nil }
        let shown = limited.isEmpty ? meter.windows.filter { $0.usage.window == .month } : limited
        lines = shown.map { Line($0, of: meter, viewer) }
    }
}

extension UsageMeterText.Line {
    fileprivate init(_ meter: WindowMeter, of feature: FeatureMeter, _ viewer: Viewer) {
        let (strings, usage) = (viewer.strings, meter.usage)
        let window = UsageActionText.name(of: usage.window, strings).description
        let used = UsageActionText.used(usage, isIncluded: feature.isIncluded, strings)
        (self.window, self.used) = (window, used)
        bar = usage.limit.map { limit in
            UsageMeterText.Bar(
                value: String(min(usage.used, limit)),
                max: String(limit),
                label: strings.usageOption(
                    feature: feature.feature.name(in: "\(strings.tag)"),
                    usage: used,
                    window: window
                )
            )
        }
        resets = usage.resetsAt.map { DateText($0, in: viewer.zone, strings) }
        resetText =
            usage.resetsAt.map { strings.usageResets(when: DateText.full($0, in: viewer.zone, strings)) }
            ?? strings.usageNeverResets.description
        var notes: [String] = []
        if meter.reserved > 0 {
            notes.append(strings.usageReserved(amount: strings.number(Int(clamping: meter.reserved))))
        }
        if let increase = meter.increase {
            let amount = strings.number(Int(clamping: increase.amount))
            notes.append(
                increase.until.map {
                    strings.usageRaised(amount: amount, date: DateText.full($0, in: viewer.zone, strings))
                }
                    ?? strings.usageRaisedForGood(amount: amount)
            )
        }
        self.notes = notes
        warning = meter.isOverByOffline ? strings.usageOverOffline.description : nil
    }
}
