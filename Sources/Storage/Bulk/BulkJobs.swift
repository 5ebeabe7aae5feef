package import Billing
package import Foundation
import Postgres

/// One action for many customers: asked for, tried dry, perhaps approved, then done in the background.
package struct BulkJob: Sendable, Identifiable {
    package typealias ID = Identifier<BulkJob>

    package var id: ID
    package var app: App.ID
    package var kind: Kind
    /// Of a grant or a change of tier.
    package var plan: Plan?
    package var days: Int?
    package var endsAt: Date?
    /// As the audit log keeps it.
    package var reason: Personal<String>
    /// Where the lines came from, a file's or a view's name; nil for pasted text.
    package var origin: Personal<String>?
    /// The list that the view is of; nil for a file and pasted text.
    package var originList: ListName?
    package var state: State
    package var needsApproval: Bool
    package var requestedBy: Staff.ID
    package var requester: String
    package var requestedAt: Date
    package var approvedBy: Staff.ID?
    package var approver: String?
    package var approvedAt: Date?
    package var startedAt: Date?
    package var finishedAt: Date?
    package var undoRequestedBy: Staff.ID?
    package var undoRequestedAt: Date?
    package var undoneAt: Date?
    package var version: Int

    /// What is done. The raw value is what the database keeps.
    package enum Kind: String, Sendable, CaseIterable {
        case grant
        /// Of whatever gives access now.
        case extend
        /// Of everything that gives access now or later.
        case revoke
        /// Of whatever gives access now.
        case changeTier = "change_tier"
    }

    /// Where it stands.
    package enum State: String, Sendable, CaseIterable {
        /// The dry run finds out what each line means. Moved by the worker. Can transition to: `ready`, `cancelled`.
        case checking
        /// Waits for its requester, who has seen the dry run. Can transition to: `running`, `waiting`, `cancelled`.
        case ready
        /// Waits for a second person. Can transition to: `running`, `cancelled`.
        case waiting
        /// Line by line. Moved by the worker. Can transition to: `done`, `cancelled`.
        case running
        /// Every line was tried. Can transition to: `undoing`.
        case done
        /// Stopped by a person; what was done until then stays. Can transition to: `undoing` when something was done.
        case cancelled
        /// What was done is taken back. Moved by the worker. Can transition to: `undone`.
        case undoing
        /// Taken back, but for what somebody changed since.
        case undone
    }
}

extension BulkJob.Kind: PostgresEncodable, PostgresDecodable {}
extension BulkJob.State: PostgresEncodable, PostgresDecodable {}

/// One line of a job.
package struct BulkJobItem: Sendable {
    /// From 1 on, as the column keeps them.
    package static let lines = 1...Int(Int32.max)

    package var line: Int
    package var input: Personal<String>
    package var customer: Customer.ID?
    package var state: State
    package var rejectionReason: String?
    package var before: Access
    package var after: Access

    /// A plan and its end, as far as there are.
    package struct Access: Hashable, Sendable {
        package var plan: String?
        package var until: Date?

        package init(plan: String? = nil, until: Date? = nil) {
            self.plan = plan
            self.until = until
        }

        package init(_ entitlement: Entitlement?) {
            self.init(plan: entitlement?.plan.code, until: entitlement?.until)
        }
    }

    /// What became of it.
    package enum State: String, Sendable, CaseIterable {
        /// Not looked at yet.
        case new
        case ready
        case notFound = "not_found"
        /// More than one customer has this e-mail address.
        case ambiguous
        /// An earlier line is of the same customer.
        case repeated
        /// The rules reject it; `rejectionReason` says why.
        case refused
        case applied
        /// The job was cancelled before its turn came.
        case skipped
        case undone
        /// It was changed since, so it was not undone.
        case kept
    }

    package init(
        line: Int,
        input: Personal<String>,
        customer: Customer.ID?,
        state: State,
        rejectionReason: String? = nil,
        before: Access = Access(),
        after: Access = Access()
    ) {
        self.line = line
        self.input = input
        self.customer = customer
        self.state = state
        self.rejectionReason = rejectionReason
        self.before = before
        self.after = after
    }
}

extension BulkJobItem.State: PostgresEncodable, PostgresDecodable {}

extension BulkJob {
    static let selection: Query = """
        SELECT j.id, j.app_id, j.kind, p.code, p.rank, j.days, j.ends_at, j.reason, j.origin, j.state, j.needs_approval,
            j.requested_by, (SELECT email FROM staff WHERE id = j.requested_by), j.requested_at, j.approved_by,
            (SELECT email FROM staff WHERE id = j.approved_by), j.approved_at, j.started_at, j.finished_at,
            j.undo_requested_by, j.undo_requested_at, j.undone_at, j.version,
            j.origin_list
        FROM bulk_jobs j
        LEFT JOIN plans p ON p.id = j.plan_id
        """

    init(row: Row) throws {
        id = try row.decode(0)
        app = try row.decode(1)
        kind = try row.decode(2)
        if let code = try row.decode(3, as: String?.self), let rank = try row.decode(4, as: Int32?.self) {
            plan = Plan(code: code, rank: Int(rank))
        }
        days = try row.decode(5, as: Int32?.self).map(Int.init)
        endsAt = try row.decode(6)
        reason = try row.decode(7)
        origin = try row.decode(8)
        state = try row.decode(9)
        needsApproval = try row.decode(10)
        requestedBy = try row.decode(11)
        requester = try row.decode(12)
        requestedAt = try row.decode(13)
        approvedBy = try row.decode(14)
        approver = try row.decode(15)
        approvedAt = try row.decode(16)
        startedAt = try row.decode(17)
        finishedAt = try row.decode(18)
        undoRequestedBy = try row.decode(19)
        undoRequestedAt = try row.decode(20)
        undoneAt = try row.decode(21)
        version = Int(try row.decode(22, as: Int32.self))
        originList = try row.decode(23)
    }
}

extension BulkJobItem {
    static let selection: Query = """
        SELECT line, input, customer_id, state, rejection_reason, plan_before, ends_before, plan_after, ends_after
        FROM bulk_job_items
        """

    init(row: Row) throws {
        line = Int(try row.decode(0, as: Int32.self))
        input = try row.decode(1)
        customer = try row.decode(2)
        state = try row.decode(3)
        rejectionReason = try row.decode(4)
        before = Access(plan: try row.decode(5), until: try row.decode(6))
        after = Access(plan: try row.decode(7), until: try row.decode(8))
    }
}
