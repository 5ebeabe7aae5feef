package import Foundation

/// What the person has just done, as its audit entry says; shown once on the page after it (dashboard.md, rule 38).
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

/// The sentence about it, with a link to the audit entry.
struct FlashText: Sendable {
    let text: String
    let linkText: StaticString
    let href: String

    init(_ done: DoneAction, _ words: Words) {
        text = Self.sentence(done, words)
        linkText = words.actionsSeeEntry
        href = DashboardPath.auditEntry(done.auditEntry)
    }

    /// Areas add the sentences of their actions here.
    private static func sentence(_ done: DoneAction, _ words: Words) -> String {
        switch done.action {
        default: words.actionsDone(action: done.action.replacing(".", with: " "), object: done.object)
        }
    }
}
