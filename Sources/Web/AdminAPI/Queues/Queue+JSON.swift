import APITypes
import Foundation
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

    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("name", name)
            json.field("available", available)
            json.field("scheduled", scheduled)
            json.field("retryable", retryable)
            json.field("running", running)
            json.field("discarded", discarded)
            json.field("oldestDueAt", oldestDueAt)
        }
    }
}

extension QueueList {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.name("queues")
            json.array(queues) { json, queue in queue.write(to: &json) }
        }
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

    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("id", id)
            json.field("state", state)
            json.field("subjectId", subjectId)
            json.field("title", title)
            json.field("attempt", attempt)
            json.field("maxAttempts", maxAttempts)
            json.field("createdAt", createdAt)
            json.field("scheduledAt", scheduledAt)
            json.field("leaseEndsAt", leaseEndsAt)
            json.field("lastError", lastError)
            json.field("canBeRetried", canBeRetried)
        }
    }
}

extension QueueJobPage {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.name("jobs")
            json.array(jobs) { json, job in job.write(to: &json) }
            json.field("next", next)
        }
    }
}

extension RetryResult {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("queue", queue)
            json.field("count", count)
        }
    }
}
