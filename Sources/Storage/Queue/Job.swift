package import Billing
package import Foundation
import Postgres

/// Something to be done in the background, once: a row of `jobs`.
package struct Job: Sendable {
    package typealias ID = Identifier<Job>

    /// The kind of work. The database keeps the raw value.
    package struct Kind: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The next lines of a bulk job; `subject` is its id.
        package static let bulkJob = Kind(rawValue: "bulk_job")
        /// The next file of a regular report; `subject` is the report's id.
        package static let report = Kind(rawValue: "report")
        /// Asks an app's stores what they sent; `subject` is the app's id.
        package static let reconciliation = Kind(rawValue: "reconciliation")
        /// Asks a store for what confirms a purchase; `subject` is the verification's id.
        package static let purchaseVerification = Kind(rawValue: "purchase_verification")
        /// Tells a store what we think of a refund that it asked about; `subject` is the refund request's id.
        package static let consumptionAnswer = Kind(rawValue: "consumption_answer")
        /// Has a store put off renewals; `subject` is the extension's id.
        package static let extensionRequest = Kind(rawValue: "extension_request")
        /// Tells a store which account a subscription was transferred to; `subject` is the subscription's id.
        package static let accountToken = Kind(rawValue: "account_token")
        /// Joins the orders of an app that are one purchase; `subject` is the app's id.
        package static let orderJoining = Kind(rawValue: "order_joining")
        /// Tells a store who has the seats of a group, and asks it; `subject` is the subscription's id.
        package static let seatGroup = Kind(rawValue: "seat_group")
        /// Asks a store how an order of ours stands, and closes it in the end; `subject` is the checkout's id.
        package static let checkout = Kind(rawValue: "checkout")
        /// Has a store pay a refund, and asks how it stands; `subject` is the refund request's id.
        package static let refundPayout = Kind(rawValue: "refund_payout")
        /// Tells a store that a purchase was delivered; `subject` is the order's id.
        package static let acknowledgement = Kind(rawValue: "acknowledgement")
        /// Fetches a store's bill of a day and compares it with the books; `subject` is the bill's id.
        package static let dailyBill = Kind(rawValue: "daily_bill")
        /// Ends a sign-in at its provider; `subject` is the revocation's id.
        package static let signInRevocation = Kind(rawValue: "sign_in_revocation")
    }
}

/// A job that this worker may work on until the lease ends, and nobody else.
package struct LeasedJob: Sendable {
    package var lease: Lease
    package var app: App.ID
    package var kind: Job.Kind
    package var subject: UUID
}

/// Jobs of one kind for one app: they wait for each other, and for nobody else.
package struct JobLane: Sendable, Hashable {
    package var app: App.ID
    package var kind: Job.Kind

    package init(app: App.ID, kind: Job.Kind) {
        (self.app, self.kind) = (app, kind)
    }
}

extension LeasedJob {
    package var lane: JobLane { JobLane(app: app, kind: kind) }
}

extension Database {
    /// Leases jobs that are due, for `lease` from now by the database's clock: of each lane as many as have places in it.
    ///
    /// - Parameters:
    ///   - places: the number of jobs of a kind that are worked on at once for one app; other kinds are left to others.
    ///   - running: the number of jobs that the worker has under way.
    package func leaseJobs(
        _ places: [Job.Kind: Int],
        besides running: [JobLane: Int] = [:],
        by worker: UUID,
        for lease: Duration
    ) async throws -> [LeasedJob] {
        try await writeAlone(
            QueueTable.jobs.leasing(
                QueueTable.jobs.dueByAppAndKind(places, besides: running),
                by: worker,
                for: lease,
                returning: "q.app_id, q.kind, q.subject_id"
            ),
            after: [QueueTable.readsByIndex]
        ).map { row in
            var columns = try row.columns(Lease.columnCount + 3)
            return LeasedJob(
                lease: try Lease(&columns, worker: worker, startedAt: now),
                app: try columns.next(),
                kind: Job.Kind(rawValue: try columns.next()),
                subject: try columns.next()
            )
        }
    }
}
