package import Foundation

/// An action that the person has just taken, as its audit entry says. The page after it shows it once (dashboard.md, rule 38).
package struct DoneAction: Sendable, Hashable {
    package var auditEntry: UUID
    /// `noun.verb`, as in the audit log.
    package var action: String
    package var object: String

    package init(auditEntry: UUID, action: String, object: String) {
        self.auditEntry = auditEntry
        self.action = action
        self.object = object
    }
}
