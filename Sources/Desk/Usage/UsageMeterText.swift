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
    /// The customer's credits; nil where nothing is left or owed.
    let credits: Credits?

    struct Credits: Sendable {
        /// "70 left"
        let left: String
        /// "70 of 100 from ORD-20261122-0001, until 22 Nov 2026 00:00 UTC+8"
        let buckets: [String]
        /// "30 owed: spent from ORD-20261122-0001, which was refunded"
        let debts: [String]
    }

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

    /// Of a feature that the plan includes, of which something is used, or for which the customer has or owes credits.
    ///
    /// - Parameter meters: all of the customer's, of which `meter` is one.
    init?(_ meter: FeatureMeter, of meters: CustomerMeters, _ viewer: Viewer) {
        guard meter.isIncluded || meter.isUsed || meter.credits != nil else { return nil }
        name = meter.feature.name(in: "\(viewer.strings.tag)")
        isExcluded = !meter.isIncluded
        let limited = meter.windows.filter { $0.usage.limit != nil }
        let shown = limited.isEmpty ? meter.windows.filter { $0.usage.window == .month } : limited
        lines = shown.map { Line($0, of: meter, viewer) }
        credits = meter.credits.map { Credits($0, of: meters, viewer) }
    }
}

extension UsageMeterText.Credits {
    fileprivate init(_ book: CreditBook, of meters: CustomerMeters, _ viewer: Viewer) {
        let (strings, now) = (viewer.strings, meters.readAt)
        func text(_ number: Int64) -> String { strings.number(Int(clamping: number)) }
        left = strings.usageCreditsLeft(amount: text(book.left(at: now)))
        buckets = book.current(at: now).map { bucket in
            let (left, granted) = (text(bucket.remaining), text(bucket.granted))
            let order = meters.orderNumbers[bucket.id] ?? ""
            return bucket.expiresAt.map { end in
                strings.usageCreditsUntil(
                    date: DateText.full(end, in: viewer.zone, strings),
                    granted: granted,
                    left: left,
                    order: order
                )
            } ?? strings.usageCreditsForGood(granted: granted, left: left, order: order)
        }
        debts = book.debts(at: now).map { bucket in
            strings.usageCreditsOwed(amount: text(bucket.owed), order: meters.orderNumbers[bucket.id] ?? "")
        }
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
