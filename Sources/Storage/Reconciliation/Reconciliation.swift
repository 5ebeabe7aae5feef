package import Billing
package import Foundation
import Postgres

/// One reconciliation of an app with a store: the notifications that the store says it sent, and the states of subscriptions.
package struct Reconciliation: Sendable, Hashable, Identifiable {
    package typealias ID = Identifier<Reconciliation>

    package var id: ID
    package var app: App.ID
    package var store: Store
    package var environment: StoreEnvironment
    package var trigger: Trigger
    /// The span whose notifications from the store were read; empty where they could not be read to the end.
    package var readFrom: Date
    package var readTo: Date
    package var startedAt: Date
    /// nil while it runs, and for one that was broken off.
    package var finishedAt: Date?
    package var counts: Counts
    /// The part that failed; the next reconciliation retries it.
    package var problem: String?

    package init(
        id: ID,
        app: App.ID,
        store: Store,
        environment: StoreEnvironment,
        trigger: Trigger,
        readFrom: Date,
        readTo: Date,
        startedAt: Date
    ) {
        self.id = id
        self.app = app
        self.store = store
        self.environment = environment
        self.trigger = trigger
        self.readFrom = readFrom
        self.readTo = readTo
        self.startedAt = startedAt
        counts = Counts()
    }

    /// The party that started it. The database keeps the raw values.
    package enum Trigger: String, Sendable, CaseIterable {
        /// A server, hourly or at staff's request; the audit log names the person.
        case schedule
        case command
    }

    package struct Counts: Sendable, Hashable {
        package var read = 0
        /// Of those that were read: the store says that they did not arrive.
        package var undelivered = 0
        /// They were not here, and are now.
        package var missed = 0
        /// Not authentic, or of no app here.
        package var rejected = 0
        package var checked = 0
        /// Of those that were checked: they stood otherwise here.
        package var corrected = 0
        /// The store does not know them.
        package var unknown = 0

        package init() {}
    }
}

extension Reconciliation {
    static let columns: Query = """
        r.id, r.app_id, r.store, r.environment, r.trigger, r.read_from, r.read_to, r.started_at, r.finished_at,
        r.notifications_read, r.notifications_undelivered, r.notifications_missed, r.notifications_rejected,
        r.subscriptions_checked, r.subscriptions_corrected, r.subscriptions_unknown, r.problem
        """

    init(row: Row) throws {
        var columns = try row.columns(17)
        self.init(
            id: try columns.next(),
            app: try columns.next(),
            store: try columns.next(),
            environment: try columns.next(),
            trigger: try columns.next(),
            readFrom: try columns.next(),
            readTo: try columns.next(),
            startedAt: try columns.next()
        )
        finishedAt = try columns.next()
        counts.read = try columns.next()
        counts.undelivered = try columns.next()
        counts.missed = try columns.next()
        counts.rejected = try columns.next()
        counts.checked = try columns.next()
        counts.corrected = try columns.next()
        counts.unknown = try columns.next()
        problem = try columns.next()
    }
}

extension Reconciliation.Trigger: PostgresEncodable, PostgresDecodable {}
