import APITypes
import Foundation
import HTTP
import Storage

extension QueueSummary {
    init(_ status: QueueStatus) {
        self.init(
            name: status.name.rawValue,
            available: status.count(in: .available),
            scheduled: status.count(in: .scheduled),
            retryable: status.count(in: .retryable),
            running: status.count(in: .running),
            discarded: status.count(in: .discarded),
            oldestDueAt: status.oldestDueAt
        )
    }
}

extension QueueJob {
    init(_ row: QueueRow) {
        self.init(
            id: row.id,
            state: row.state.rawValue,
            subjectId: row.subject,
            title: row.title,
            attempt: row.attempt,
            maxAttempts: row.maxAttempts,
            createdAt: row.arrivedAt,
            scheduledAt: row.scheduledAt,
            leaseEndsAt: row.leaseEndsAt,
            lastError: row.lastError,
            canBeRetried: row.state == .discarded && row.canBeTried
        )
    }
}
