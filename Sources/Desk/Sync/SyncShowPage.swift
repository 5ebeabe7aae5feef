import Billing
package import Foundation
package import HTTP
package import Storage
package import Words

/// The result of one reconciliation with a store: `/dashboard/sync/{id}`.
package struct SyncShowPage: Sendable {
    let frame: DashboardFrame
    package var strings: Strings { frame.strings }
    let title: String
    let backHref: String
    let isSandbox: Bool
    let status: StatusText
    let problem: String?
    let started: DateText
    let finished: DateText?
    let readFrom: DateText
    let readTo: DateText
    let trigger: StaticString
    let zoneLabel: String
    let counts: [Count]
    let caption: String
    let hasCorrections: Bool
    let corrections: [Correction]
    /// The number of corrections that are not listed here; nil where all are.
    let more: String?

    /// One number of it.
    struct Count: Sendable {
        let name: StaticString
        let number: String
        /// The rows that it is made of.
        let href: String?
    }

    struct Correction: Sendable {
        let href: String
        let transaction: String
        let product: String?
        let before: StatusText
        let after: StatusText
        let corrected: DateText
    }

    package init(
        _ row: Reconciliation,
        corrections found: [CorrectedSubscription],
        viewer: Viewer,
        now: Date
    ) {
        let (strings, zone) = (viewer.strings, viewer.zone)
        let own = DashboardPath.reconciliation(row.id)
        frame = DashboardFrame(viewer, section: .sync, path: own, now: now)
        backHref = DashboardPath.sync
        title = strings.syncWith(store: StoreText.name(of: row.store, strings))
        isSandbox = row.environment == .sandbox
        status = SyncText.status(of: row, now: now, strings)
        problem = row.problem
        started = DateText(row.startedAt, in: zone, strings, showsSeconds: true)
        finished = row.finishedAt.map { DateText($0, in: zone, strings, showsSeconds: true) }
        readFrom = DateText(row.readFrom, in: zone, strings, showsSeconds: true)
        readTo = DateText(row.readTo, in: zone, strings, showsSeconds: true)
        trigger = SyncText.trigger(row.trigger, strings)
        zoneLabel = zone.label
        counts = Self.counts(row, strings)
        caption = strings.syncCorrectionsCaption(zone: zone.label)
        hasCorrections = !found.isEmpty
        corrections = found.map { correction in
            Correction(
                href: DashboardPath.subscription(correction.subscription, from: own),
                transaction: correction.originalTransactionID,
                product: correction.product,
                before: StatusText(correction.before, strings),
                after: StatusText(correction.after, strings),
                corrected: DateText(correction.correctedAt, in: zone, strings, showsSeconds: true)
            )
        }
        let unlisted = row.counts.corrected - found.count  // safe: counts of rows
        more = unlisted > 0 ? strings.syncMore(count: unlisted).description : nil
    }

    private static func counts(_ row: Reconciliation, _ strings: Strings) -> [Count] {
        let counts = row.counts
        let missed = counts.missed > 0 ? DashboardPath.notifications(foundBy: row.id) : nil
        return [
            Count(name: strings.syncRead, number: strings.number(counts.read), href: nil),
            Count(name: strings.syncUndelivered, number: strings.number(counts.undelivered), href: nil),
            Count(name: strings.syncMissed, number: strings.number(counts.missed), href: missed),
            Count(name: strings.syncRejected, number: strings.number(counts.rejected), href: nil),
            Count(name: strings.syncChecked, number: strings.number(counts.checked), href: nil),
            Count(name: strings.syncCorrected, number: strings.number(counts.corrected), href: nil),
            Count(name: strings.syncUnknown, number: strings.number(counts.unknown), href: nil),
        ]
    }
}
