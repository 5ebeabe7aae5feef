import Billing
import Foundation
import Postgres

/// A queue as people see it: the inbox, or the jobs of one kind. URLs and the API use the raw values.
package enum QueueName: String, Hashable, Sendable, CaseIterable {
    case notifications
    case bulkJobs = "bulk_jobs"
    case reports
    case reconciliations
    case purchaseVerifications = "purchase_verifications"
    case consumptionAnswers = "consumption_answers"
    case extensionRequests = "extension_requests"
    case accountTokens = "account_tokens"
    case signInRevocations = "sign_in_revocations"
    case orderJoinings = "order_joinings"
    case seatGroups = "seat_groups"
    case checkouts
    case acknowledgements
    case dailyBills = "daily_bills"
    case refundPayouts = "refund_payouts"

    var table: QueueTable {
        switch self {
        case .notifications: .notifications
        case .bulkJobs, .reports, .reconciliations, .purchaseVerifications, .consumptionAnswers, .extensionRequests,
            .accountTokens, .signInRevocations, .orderJoinings, .seatGroups, .checkouts, .acknowledgements, .dailyBills,
            .refundPayouts:
            .jobs
        }
    }

    /// nil where the whole table is the queue.
    package var kind: Job.Kind? {
        switch self {
        case .notifications: nil
        case .bulkJobs: .bulkJob
        case .reports: .report
        case .reconciliations: .reconciliation
        case .purchaseVerifications: .purchaseVerification
        case .consumptionAnswers: .consumptionAnswer
        case .extensionRequests: .extensionRequest
        case .accountTokens: .accountToken
        case .signInRevocations: .signInRevocation
        case .orderJoinings: .orderJoining
        case .seatGroups: .seatGroup
        case .checkouts: .checkout
        case .acknowledgements: .acknowledgement
        case .dailyBills: .dailyBill
        case .refundPayouts: .refundPayout
        }
    }

    /// The end of the patience of a row's store; nil of a queue for which nobody sets a time.
    var deadline: Query? {
        switch self {
        case .consumptionAnswers: "(SELECT f.consumption_due_at FROM refund_requests f WHERE f.id = q.subject_id)"
        case .acknowledgements: "q.due_at"
        case .notifications, .bulkJobs, .reports, .reconciliations, .purchaseVerifications, .extensionRequests,
            .accountTokens, .signInRevocations, .orderJoinings, .seatGroups, .checkouts, .dailyBills, .refundPayouts:
            nil
        }
    }

    /// The condition of rows whose store has waited longer than it waits; nil of a queue for which nobody sets a time.
    func lateness(at now: Date) -> Query? { deadline.map { "\($0) <= \(now)" } }

    /// The condition that selects its rows of the table.
    func condition(of app: Query) -> Query {
        guard let kind else { return "q.app_id = \(app)" }
        return "q.app_id = \(app) AND q.kind = \(kind.rawValue)"
    }
}

/// The state of a queue's row; a finished row has none of them. URLs and the API use the raw values, in River's terms.
package enum QueueState: String, Hashable, Sendable, CaseIterable {
    /// Due, and not taken yet.
    case available
    /// Due later, and never failed.
    case scheduled
    /// Failed, and tried again later.
    case retryable
    /// A worker holds it.
    case running
    /// A dead letter: given up after its last attempt; waits for people.
    case discarded
}

extension QueueTable {
    func condition(_ state: QueueState) -> Query {
        switch state {
        case .available: "q.state = \(available) AND q.scheduled_at <= now()"
        case .scheduled: "q.state = \(available) AND q.scheduled_at > now() AND q.last_error IS NULL"
        case .retryable: "q.state = \(available) AND q.scheduled_at > now() AND q.last_error IS NOT NULL"
        case .running: "q.state = \(running)"
        case .discarded: "q.state = \(discarded)"
        }
    }
}
