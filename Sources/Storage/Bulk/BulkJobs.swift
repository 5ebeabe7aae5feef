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
    /// The source of the lines, a file's or a view's name; nil for pasted text.
    package var origin: Personal<String>?
    /// The list that the view belongs to; nil for a file and pasted text.
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

    /// The action of a job. The database keeps the raw value.
    package enum Kind: String, Sendable, CaseIterable {
        case grant
        /// Of whatever gives access now.
        case extend
        /// Of everything that gives access now or later.
        case revoke
        /// Of whatever gives access now.
        case changeTier = "change_tier"
    }

    /// The state of a job.
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
        /// The changes are being undone. Moved by the worker. Can transition to: `undone`.
        case undoing
        /// Undone, except for what somebody changed since.
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

    /// The state of a line.
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
        var columns = try row.columns(24)
        id = try columns.next()
        app = try columns.next()
        kind = try columns.next()
        let (code, rank): (String?, Int?) = (try columns.next(), try columns.next())
        if let code, let rank { plan = Plan(code: code, rank: rank) }
        days = try columns.next()
        endsAt = try columns.next()
        reason = try columns.next()
        origin = try columns.next()
        state = try columns.next()
        needsApproval = try columns.next()
        requestedBy = try columns.next()
        requester = try columns.next()
        requestedAt = try columns.next()
        approvedBy = try columns.next()
        approver = try columns.next()
        approvedAt = try columns.next()
        startedAt = try columns.next()
        finishedAt = try columns.next()
        undoRequestedBy = try columns.next()
        undoRequestedAt = try columns.next()
        undoneAt = try columns.next()
        version = try columns.next()
        originList = try columns.next()
    }
}

extension BulkJobItem {
    static let selection: Query = """
        SELECT line, input, customer_id, state, rejection_reason, plan_before, ends_before, plan_after, ends_after
        FROM bulk_job_items
        """

    init(row: Row) throws {
        var columns = try row.columns(9)
        line = try columns.next()
        input = try columns.next()
        customer = try columns.next()
        state = try columns.next()
        rejectionReason = try columns.next()
        before = Access(plan: try columns.next(), until: try columns.next())
        after = Access(plan: try columns.next(), until: try columns.next())
    }
}
