import Foundation
import HTTP
import Storage
import Words

/// An action of staff on a customer, in words. It has a sentence with its object and amount, and the fields that it changed.
///
/// A field that has no word is left out: the audit entry has it.
struct TimelineActionText {
    let title: String
    /// Why, with the category in the reader's language; nil for who may not read it.
    let reason: String?
    let changes: [TimelineText.Change]

    init(_ moment: Timeline.Moment, _ action: Timeline.Action, _ viewer: Viewer) {
        let facts = ActionFacts(action, at: moment.at, viewer)
        title = facts.sentence
        reason = facts.reason.map { ActionText.reason($0, of: action.action, viewer.strings) }
        changes = facts.knownChanges.map {
            TimelineText.Change(field: $0.field, before: $0.before, after: $0.after)
        }
    }
}
