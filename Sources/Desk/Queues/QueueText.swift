import Billing
import Foundation
import HTTP
import Storage
import Words

/// Queues, and where their rows stand, in words.
enum QueueText {
    static func name(of queue: QueueName, _ strings: Strings) -> StaticString {
        switch queue {
        case .notifications: strings.queuesNotifications
        case .bulkJobs: strings.queuesBulkJobs
        case .reports: strings.queuesReports
        case .reconciliations: strings.queuesReconciliations
        case .purchaseVerifications: strings.queuesPurchaseVerifications
        case .consumptionAnswers: strings.queuesConsumptionAnswers
        case .extensionRequests: strings.queuesExtensionRequests
        case .accountTokens: strings.queuesAccountTokens
        case .signInRevocations: strings.queuesSignInRevocations
        case .orderJoinings: strings.queuesOrderJoinings
        case .seatGroups: strings.queuesSeatGroups
        case .checkouts: strings.queuesCheckouts
        case .acknowledgements: strings.queuesAcknowledgements
        case .dailyBills: strings.queuesDailyBills
        case .refundPayouts: strings.queuesRefundPayouts
        }
    }

    static func name(of state: QueueState, _ strings: Strings) -> StaticString {
        switch state {
        case .available: strings.queuesAvailable
        case .scheduled: strings.queuesScheduled
        case .retryable: strings.queuesRetryable
        case .running: strings.queuesRunning
        case .discarded: strings.queuesDiscarded
        }
    }

    /// The same for the middle of a sentence.
    static func within(_ state: QueueState, _ strings: Strings) -> StaticString {
        switch state {
        case .available: strings.queuesAvailableWithin
        case .scheduled: strings.queuesScheduledWithin
        case .retryable: strings.queuesRetryableWithin
        case .running: strings.queuesRunningWithin
        case .discarded: strings.queuesDiscardedWithin
        }
    }

    /// "No jobs failed"
    static func none(in state: QueueState, _ strings: Strings) -> StaticString {
        switch state {
        case .available: strings.queuesNoneAvailable
        case .scheduled: strings.queuesNoneScheduled
        case .retryable: strings.queuesNoneRetryable
        case .running: strings.queuesNoneRunning
        case .discarded: strings.queuesNoneDiscarded
        }
    }

    /// "Failed reports"
    static func failed(in queue: QueueName, _ strings: Strings) -> StaticString {
        switch queue {
        case .notifications: strings.queuesFailedNotifications
        case .bulkJobs: strings.queuesFailedBulkJobs
        case .reports: strings.queuesFailedReports
        case .reconciliations: strings.queuesFailedReconciliations
        case .purchaseVerifications: strings.queuesFailedPurchaseVerifications
        case .consumptionAnswers: strings.queuesFailedConsumptionAnswers
        case .extensionRequests: strings.queuesFailedExtensionRequests
        case .accountTokens: strings.queuesFailedAccountTokens
        case .signInRevocations: strings.queuesFailedSignInRevocations
        case .orderJoinings: strings.queuesFailedOrderJoinings
        case .seatGroups: strings.queuesFailedSeatGroups
        case .checkouts: strings.queuesFailedCheckouts
        case .acknowledgements: strings.queuesFailedAcknowledgements
        case .dailyBills: strings.queuesFailedDailyBills
        case .refundPayouts: strings.queuesFailedRefundPayouts
        }
    }

    /// "Try all failed reports again?"
    static func retryQuestion(_ queue: QueueName, _ strings: Strings) -> StaticString {
        switch queue {
        case .notifications: strings.queuesRetryAllNotifications
        case .bulkJobs: strings.queuesRetryAllBulkJobs
        case .reports: strings.queuesRetryAllReports
        case .reconciliations: strings.queuesRetryAllReconciliations
        case .purchaseVerifications: strings.queuesRetryAllPurchaseVerifications
        case .consumptionAnswers: strings.queuesRetryAllConsumptionAnswers
        case .extensionRequests: strings.queuesRetryAllExtensionRequests
        case .accountTokens: strings.queuesRetryAllAccountTokens
        case .signInRevocations: strings.queuesRetryAllSignInRevocations
        case .orderJoinings: strings.queuesRetryAllOrderJoinings
        case .seatGroups: strings.queuesRetryAllSeatGroups
        case .checkouts: strings.queuesRetryAllCheckouts
        case .acknowledgements: strings.queuesRetryAllAcknowledgements
        case .dailyBills: strings.queuesRetryAllDailyBills
        case .refundPayouts: strings.queuesRetryAllRefundPayouts
        }
    }

    /// Returns a row's title: a notification's type, a bulk job's kind, a report's name; its id where it has no name.
    static func title(of row: QueueRow, in queue: QueueName, _ strings: Strings) -> String {
        guard let title = row.title else { return row.subject.uuidString.lowercased() }
        switch queue {
        case .bulkJobs: return BulkJob.Kind(rawValue: title).map { BulkText.name(of: $0, strings) } ?? title
        case .signInRevocations:
            return AuthProvider(rawValue: title).map { AuthProviderText.name(of: $0, strings).description } ?? title
        case .notifications, .reports, .reconciliations, .purchaseVerifications, .consumptionAnswers,
            .extensionRequests, .accountTokens, .orderJoinings, .seatGroups, .checkouts, .acknowledgements, .dailyBills,
            .refundPayouts:
            return title
        }
    }

    /// "10 of 10"
    static func attempts(_ attempt: Int, of maximum: Int, _ strings: Strings) -> String {
        strings.queuesAttemptsOf(attempt: strings.number(attempt), maximum: strings.number(maximum))
    }

    /// Names `QueueLine.moment`; nil where the lines have none.
    static func moment(in state: QueueState, _ strings: Strings) -> StaticString? {
        switch state {
        case .available: strings.queuesDueSince
        case .scheduled, .retryable: strings.notificationsNextAttempt
        case .running: strings.queuesHeldUntil
        case .discarded: nil
        }
    }
}
