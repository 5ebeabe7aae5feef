import Billing
package import Foundation
package import Storage

/// A request to do something for many customers.
package struct BulkRequest: Sendable {
    package var kind: BulkJob.Kind
    /// The plan's code, for a grant or a change of plan.
    package var plan: String?
    package var days: Int?
    package var until: Date?
    /// One customer each: our key, the app's own id, or an e-mail address.
    package var lines: [String]
    /// The list whose customers are used instead of lines when the job is created.
    package var list: BulkList?
    /// The source of the lines, a file's or a view's name; nil for pasted text.
    package var origin: String?

    /// More than this is two jobs.
    package static let longest = 100_000
    static let longestLine = 500

    package init(
        kind: BulkJob.Kind,
        plan: String? = nil,
        days: Int? = nil,
        until: Date? = nil,
        lines: [String],
        list: BulkList? = nil,
        origin: String? = nil
    ) {
        self.kind = kind
        self.plan = plan
        self.days = days
        self.until = until
        self.lines = lines
        self.list = list
        self.origin = origin
    }
}

extension BulkJob {
    /// The action for each customer.
    var action: EntitlementAction {
        switch kind {
        case .grant:
            .grant(plan ?? Plan(code: "", rank: 0), days.map { .days($0) } ?? endsAt.map { .until($0) } ?? .withoutEnd)
        case .extend: .extendCurrent(days: days ?? 0)
        case .revoke: .revokeAll
        case .changeTier: .changeCurrentTier(to: plan ?? Plan(code: "", rank: 0))
        }
    }

    var actionKind: EntitlementActionRecord.Kind {
        switch kind {
        case .grant: .grant
        case .extend: .extend
        case .revoke: .revoke
        case .changeTier: .changeTier
        }
    }
}
