import Desk
import Foundation
import HTTP
import Storage
import Web

extension QueueIndexPage {
    static let sample = QueueIndexPage(
        queues: Sample.queues,
        failed: [
            .notifications: ListPage(rows: [Sample.failedNotification(canBeTried: false)]),
            .bulkJobs: ListPage(rows: [Sample.failedBulkJob]),
            .reports: ListPage(rows: (0..<25).map(Sample.failedReport), hasNext: true),
        ],
        viewer: Sample.viewer,
        now: Sample.now
    )

    /// The page for a person who may retry nothing.
    static let analystSample = QueueIndexPage(
        queues: Sample.queues,
        failed: [.bulkJobs: ListPage(rows: [Sample.failedBulkJob])],
        viewer: Sample.analyst,
        now: Sample.now
    )

    static let emptySample = QueueIndexPage(
        queues: QueueName.allCases.map { QueueStatus(name: $0, oldestDueAt: nil, counts: [:]) },
        failed: [:],
        viewer: Sample.viewer,
        now: Sample.now
    )
}

extension QueueShowPage {
    /// The second page of failed jobs.
    static let sample = QueueShowPage(
        list: ListPage(rows: (25..<30).map(Sample.failedReport), rowsBefore: 25, hasPrevious: true),
        queues: Sample.queues,
        view: QueueView(.reports),
        viewer: Sample.viewer,
        now: Sample.now
    )

    static let runningSample = QueueShowPage(
        list: ListPage(rows: [Sample.runningBulkJob]),
        queues: Sample.queues,
        view: QueueView(.bulkJobs, state: .running),
        viewer: Sample.viewer,
        now: Sample.now
    )

    static let emptySample = QueueShowPage(
        list: ListPage(rows: []),
        queues: Sample.queues,
        view: QueueView(.reports, state: .retryable),
        viewer: Sample.viewer,
        now: Sample.now
    )
}

extension Sample {
    static let queues = [
        QueueStatus(
            name: .notifications,
            oldestDueAt: now.addingTimeInterval(-125),
            counts: [.available: 1_284, .scheduled: 0, .retryable: 2, .running: 8, .discarded: 1]
        ),
        QueueStatus(
            name: .bulkJobs,
            oldestDueAt: nil,
            counts: [.available: 0, .scheduled: 0, .retryable: 0, .running: 1, .discarded: 1]
        ),
        QueueStatus(
            name: .reports,
            oldestDueAt: nil,
            counts: [.available: 0, .scheduled: 3, .retryable: 0, .running: 0, .discarded: 30]
        ),
    ]

    static func failedNotification(canBeTried: Bool) -> QueueRow {
        QueueRow(
            id: uuid(4_000),
            state: .discarded,
            subject: uuid(4_000),
            title: "DID_RENEW",
            attempt: 10,
            maxAttempts: 10,
            arrivedAt: now.addingTimeInterval(-3_600),
            scheduledAt: now.addingTimeInterval(-60),
            leaseEndsAt: nil,
            lastError: "The signature is of another key. <b>x</b>",
            canBeTried: canBeTried
        )
    }

    static let failedBulkJob = bulkJob(.discarded)
    static let runningBulkJob = bulkJob(.running)

    static func failedReport(_ index: Int) -> QueueRow {
        QueueRow(
            id: uuid(4_100 + index),
            state: .discarded,
            subject: uuid(4_200 + index),
            title: index == 0 ? nil : "ledger-\(index)",
            attempt: 60,
            maxAttempts: 60,
            arrivedAt: now.addingTimeInterval(-Double(index) * 1_013),
            scheduledAt: now.addingTimeInterval(-60),
            leaseEndsAt: nil,
            lastError: "There is no directory /srv/reports.",
            canBeTried: true
        )
    }

    private static func bulkJob(_ state: QueueState) -> QueueRow {
        QueueRow(
            id: uuid(4_050),
            state: state,
            subject: uuid(4_051),
            title: "extend",
            attempt: 10,
            maxAttempts: 10,
            arrivedAt: now.addingTimeInterval(-7_200),
            scheduledAt: now.addingTimeInterval(-60),
            leaseEndsAt: state == .running ? now.addingTimeInterval(30) : nil,
            lastError: state == .running ? nil : "The database was away.",
            canBeTried: true
        )
    }
}
