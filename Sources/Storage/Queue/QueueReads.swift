package import Billing
package import Foundation
import Postgres

/// The status of one queue of an app.
package struct QueueStatus: Sendable, Hashable {
    package var name: QueueName
    /// The time since which the longest-waiting row has been due; nil when none waits.
    package var oldestDueAt: Date?
    package var counts: [QueueState: Int]
    /// The number of rows, whatever their state, whose store has waited longer than it waits.
    package var late: Int

    package init(name: QueueName, oldestDueAt: Date?, counts: [QueueState: Int], late: Int = 0) {
        self.name = name
        self.oldestDueAt = oldestDueAt
        self.counts = counts
        self.late = late
    }

    package func count(in state: QueueState) -> Int { counts[state] ?? 0 }
}

/// A row of a queue that is not over.
package struct QueueRow: Sendable, Hashable, Identifiable {
    package var id: UUID
    package var state: QueueState
    /// The id of its subject: the bulk job, the report, or the notification itself.
    package var subject: UUID
    /// The name of the subject: a notification's type, a report's name; nil where it has none.
    package var title: String?
    /// The number of attempts that count towards the limit; snoozes do not.
    package var attempt: Int
    package var maxAttempts: Int
    package var arrivedAt: Date
    package var scheduledAt: Date
    /// The end of its worker's lease; nil when none holds it.
    package var leaseEndsAt: Date?
    package var lastError: String?
    /// True if it can be retried; a notification that cannot be read cannot.
    package var canBeTried: Bool
    /// The end of its store's patience; nil where nobody sets a time.
    package var dueAt: Date?

    package init(
        id: UUID,
        state: QueueState,
        subject: UUID,
        title: String?,
        attempt: Int,
        maxAttempts: Int,
        arrivedAt: Date,
        scheduledAt: Date,
        leaseEndsAt: Date?,
        lastError: String?,
        canBeTried: Bool,
        dueAt: Date? = nil
    ) {
        self.id = id
        self.state = state
        self.subject = subject
        self.title = title
        self.attempt = attempt
        self.maxAttempts = maxAttempts
        self.arrivedAt = arrivedAt
        self.scheduledAt = scheduledAt
        self.leaseEndsAt = leaseEndsAt
        self.lastError = lastError
        self.canBeTried = canBeTried
        self.dueAt = dueAt
    }
}

extension Queries {
    /// Every queue of an app.
    package func queues(of app: App.ID) async throws -> [QueueStatus] {
        let statements = QueueName.allCases.map { name in
            let table = name.table
            return """
                SELECT min(q.scheduled_at) FILTER (WHERE \(table.condition(.available))),
                    count(*) FILTER (WHERE \(table.condition(.available))),
                    count(*) FILTER (WHERE \(table.condition(.scheduled))),
                    count(*) FILTER (WHERE \(table.condition(.retryable))),
                    count(*) FILTER (WHERE \(table.condition(.running))),
                    count(*) FILTER (WHERE \(table.condition(.discarded))),
                    count(*) FILTER (WHERE \(name.lateness(at: reader.now) ?? "false"))
                FROM \(table.table) AS q
                WHERE \(name.condition(of: "\(app)")) AND q.state IN (\(table.available), \(table.running), \(table.discarded))
                """ as Query
        }
        let answers = try await reader.pipeline(statements)
        return try zip(QueueName.allCases, answers).map { name, rows in
            var columns = try rows[0].columns(7)  // safe: an aggregate without groups gives one row
            return QueueStatus(
                name: name,
                oldestDueAt: try columns.next(),
                counts: [
                    .available: try columns.next(), .scheduled: try columns.next(), .retryable: try columns.next(),
                    .running: try columns.next(), .discarded: try columns.next(),
                ],
                late: try columns.next()
            )
        }
    }

    /// A page of a queue's rows that stand there, newest first.
    package func queue(
        _ name: QueueName,
        in state: QueueState,
        at position: PagePosition,
        app: App.ID
    ) async throws -> ListPage<QueueRow> {
        let keyset = KeysetClauses(
            columns: ("q.\(name.table.arrival.text)", "q.id"),
            direction: .descending,
            position: position
        ) { "\($0.date)" }
        let rows = try await reader.query(
            """
            \(name.rows(in: state, of: "\(app)"))\(keyset.condition)
            ORDER BY \(keyset.order)
            LIMIT \(unsafe: String(ListPageSize.fetched))
            """
        )
        return ListPage(try rows.map { try QueueRow($0, state) }, at: position)
    }

    /// A dead letter of a queue; nil when there is none of this id, or it is none any more.
    package func deadLetter(_ id: UUID, in name: QueueName, app: App.ID) async throws -> QueueRow? {
        let rows = try await reader.query("\(name.rows(in: .discarded, of: "\(app)")) AND q.id = \(id)")
        return try rows.first.map { try QueueRow($0, .discarded) }
    }
}

extension QueueName {
    /// The queue's rows that stand there, as `QueueRow` reads them; further conditions may follow.
    fileprivate func rows(in state: QueueState, of app: Query) -> Query {
        let subject: Query = kind == nil ? "q.id" : "q.subject_id"
        let title: Query =
            switch self {
            case .notifications: "q.type"
            case .bulkJobs: "(SELECT b.kind FROM bulk_jobs b WHERE b.id = q.subject_id)"
            case .reports: "(SELECT r.name FROM reports r WHERE r.id = q.subject_id)"
            case .reconciliations, .orderJoinings: "(SELECT p.name FROM apps p WHERE p.id = q.subject_id)"
            case .purchaseVerifications: "(SELECT v.form FROM purchase_verifications v WHERE v.id = q.subject_id)"
            case .consumptionAnswers, .refundPayouts:
                "(SELECT f.number FROM refund_requests f WHERE f.id = q.subject_id)"
            case .checkouts: "(SELECT k.number FROM checkouts k WHERE k.id = q.subject_id)"
            case .accountTokens, .seatGroups, .acknowledgements:
                "(SELECT s.original_transaction_id FROM subscriptions s WHERE s.id = q.subject_id)"
            case .dailyBills: "(SELECT b.store || ' ' || b.day FROM daily_bills b WHERE b.id = q.subject_id)"
            case .signInRevocations:
                "(SELECT v.provider FROM sign_in_revocations v WHERE v.id = q.subject_id)"
            case .extensionRequests:
                """
                (SELECT coalesce(s.original_transaction_id, x.store_product_id)
                    FROM renewal_extensions x
                    LEFT JOIN subscriptions s ON s.id = x.subscription_id
                    WHERE x.id = q.subject_id)
                """
            }
        return """
            SELECT q.id, \(subject), \(title), q.attempt - q.snoozes, q.max_attempts, q.\(table.arrival), q.scheduled_at,
                q.lease_ends_at, q.last_error, \(table.canBeTried), \(deadline ?? "NULL::timestamptz")
            FROM \(table.table) AS q
            WHERE \(condition(of: app)) AND \(table.condition(state))
            """
    }
}

extension QueueRow {
    fileprivate init(_ row: Row, _ state: QueueState) throws {
        var columns = try row.columns(11)
        self.init(
            id: try columns.next(),
            state: state,
            subject: try columns.next(),
            title: try columns.next(),
            attempt: try columns.next(),
            maxAttempts: try columns.next(),
            arrivedAt: try columns.next(),
            scheduledAt: try columns.next(),
            leaseEndsAt: try columns.next(),
            lastError: try columns.next(),
            canBeTried: try columns.next(),
            dueAt: try columns.next()
        )
    }
}

extension JobWrites {
    /// Makes dead letters of an app's queue available at once: one, or all that can be tried again.
    ///
    /// - Parameter id: nil for all.
    /// - Returns: how many there were.
    package func revive(_ id: UUID?, in name: QueueName, of app: App.ID) async throws -> Int {
        let table = name.table
        let one: Query = id.map { " AND q.id = \($0)" } ?? ""
        let answers = try await transaction.pipeline([
            table.revival(where: "\(table.isDeadLetter) AND \(name.condition(of: "\(app)"))\(one)"), table.wakeUp,
        ])
        return answers[0].affectedRows  // safe: one answer a statement
    }
}
