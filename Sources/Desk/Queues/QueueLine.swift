import Billing
import Foundation
import HTTP
import Operations
import Storage
import Words

/// A row of a queue as the pages show it.
struct QueueLine: Sendable {
    let title: String
    /// The page of what it is about; nil where there is none, or none that this person may open.
    let href: String?
    /// "10 of 10"
    let attempts: String
    let queued: DateText
    /// Since when it is due, when it is tried next, or until when its worker holds it; nil for one that failed.
    let moment: DateText?
    /// Until when its store waits; nil where nobody sets a time.
    let due: DateText?
    let error: String?
    /// nil where it cannot be tried again, or not by this person.
    let retryHref: String?

    /// - Parameter path: the page that it stands on.
    init(_ row: QueueRow, in queue: QueueName, from path: String, _ viewer: Viewer) {
        let (zone, strings) = (viewer.zone, viewer.strings)
        title = QueueText.title(of: row, in: queue, strings)
        href =
            switch queue {
            case .notifications: DashboardPath.notification(row.subject, from: path)
            case .bulkJobs: viewer.may(.runBulkJobs) ? DashboardPath.bulkJob(BulkJob.ID(row.subject)) : nil
            case .reports, .purchaseVerifications, .signInRevocations, .orderJoinings, .checkouts: nil
            case .reconciliations: DashboardPath.sync
            case .dailyBills: DashboardPath.bill(DailyBill.ID(row.subject))
            case .consumptionAnswers, .refundPayouts: row.title.map { DashboardPath.refund($0, from: path) }
            case .extensionRequests: DashboardPath.extensions
            case .accountTokens, .seatGroups, .acknowledgements:
                DashboardPath.subscription(Subscription.ID(row.subject), from: path)
            }
        attempts = QueueText.attempts(row.attempt, of: row.maxAttempts, strings)
        queued = DateText(row.arrivedAt, in: zone, strings, showsSeconds: true)
        let moment: Date? =
            switch row.state {
            case .available, .scheduled, .retryable: row.scheduledAt
            case .running: row.leaseEndsAt
            case .discarded: nil
            }
        self.moment = moment.map { DateText($0, in: zone, strings, showsSeconds: true) }
        due = row.dueAt.map { DateText($0, in: zone, strings) }
        error = row.lastError
        let isOffered = row.state == .discarded && row.canBeTried && viewer.may(.replayNotifications)
        retryHref = isOffered ? DashboardPath.newRetry(of: row.id, in: queue, from: path) : nil
    }
}
