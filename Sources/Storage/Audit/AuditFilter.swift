package import Billing
package import Foundation

/// The filter and the page of a list of audit entries, newest first.
package struct AuditFilter: ListFilter, Hashable {
    /// An e-mail address, or the program that acted.
    package var actor = ""
    /// `refund.approve`, or `refund` for every action on refunds.
    package var action = ""
    package var objectType = ""
    package var objectID = ""
    /// An app's slug.
    package var app = ""
    /// The first and the last day, as the clock of the app counts them.
    package var from: BusinessDay?
    package var to: BusinessDay?
    package var position: PagePosition = .first
    /// The columns that the URL names; nil for the person's own choice.
    package var columns: ColumnChoice?

    package init() {}

    package func cursor(at row: AuditRow, rowsBefore: Int) -> PageCursor {
        PageCursor(kind: .auditWritten, date: row.at, id: row.id, rowsBefore: rowsBefore)
    }
}

/// The audit entries that a person may see.
package struct AuditScope: Hashable, Sendable {
    package var viewer: Staff.ID
    package var apps: AppAccess
    /// Entries of no app: sign-ins, accounts, tokens.
    package var seesAccounts: Bool
    /// The person's own entries, of any app.
    package var seesOwn: Bool

    package init(viewer: Staff.ID, apps: AppAccess, seesAccounts: Bool, seesOwn: Bool = true) {
        self.viewer = viewer
        self.apps = apps
        self.seesAccounts = seesAccounts
        self.seesOwn = seesOwn
    }
}

/// One entry as the list and its page show it.
package struct AuditRow: Sendable {
    package var id: UUID
    package var at: Date
    package var app: String?
    package var actor: String
    package var role: StaffRole?
    package var action: String
    package var objectType: String?
    package var objectID: String?
    /// JSON.
    package var before: Personal<String>?
    package var after: Personal<String>?
    package var reason: Personal<String>?
    package var requestID: String?
    package var address: Personal<String>?
    /// Its place in the chain.
    package var number: Int64?
    package var hash: [UInt8]?

    package init(
        id: UUID,
        at: Date,
        app: String?,
        actor: String,
        role: StaffRole?,
        action: String,
        objectType: String?,
        objectID: String?,
        before: Personal<String>?,
        after: Personal<String>?,
        reason: Personal<String>?,
        requestID: String?,
        address: Personal<String>?,
        number: Int64?,
        hash: [UInt8]?
    ) {
        self.id = id
        self.at = at
        self.app = app
        self.actor = actor
        self.role = role
        self.action = action
        self.objectType = objectType
        self.objectID = objectID
        self.before = before
        self.after = after
        self.reason = reason
        self.requestID = requestID
        self.address = address
        self.number = number
        self.hash = hash
    }
}
