import Foundation
import HTTP
import Operations
import Storage
import Words

extension ActionPage {
    /// The page that asks before dead letters are tried again: `/dashboard/queues/{queue}/retries/new`.
    ///
    /// - Parameters:
    ///   - typed: the form's fields when it was refused.
    ///   - error: why it was refused.
    init(
        retrying letters: DeadLetters,
        key: String,
        typed: TypedFields = [:],
        error: (any Error)? = nil,
        from: String? = nil,
        viewer: Viewer,
        now: Date
    ) {
        let (queue, strings) = (letters.queue, viewer.strings)
        let own = from ?? QueueView(queue).path
        let path = DashboardPath.newRetry(of: letters.id, in: queue)
        let chosen = letters.id.map { [Hidden(name: "id", value: $0.uuidString.lowercased())] } ?? []
        self.init(
            frame: DashboardFrame(viewer, section: .queues, path: path, now: now),
            title: Self.retryQuestion(letters, strings),
            subtitle: QueueText.name(of: queue, strings).description,
            back: Link(text: QueueText.name(of: queue, strings).description, href: own),
            trouble: (error as? OperationsError).flatMap { Self.retryTrouble($0, strings) },
            changes: Self.retryChanges(letters, strings),
            facts: Self.consequences(
                undo: strings.queuesRetryUndo,
                notified: strings.queuesRetryNotified,
                strings
            ),
            factsTitle: strings.accessGoodToKnow.description,
            fields: FormField.reason(
                category: typed["category"],
                text: typed["reason"],
                problems: error.map { FormField.problems(in: $0, strings) } ?? [:],
                strings
            ),
            hidden: [Hidden.newKey(key)] + chosen,
            method: .post,
            action: DashboardPath.retries(in: queue),
            submit: strings.queuesRetry.description,
            keep: Link(text: strings.accessKeep.description, href: own),
            from: from
        )
    }

    private static func retryQuestion(_ letters: DeadLetters, _ strings: Strings) -> String {
        guard letters.id != nil else { return QueueText.retryQuestion(letters.queue, strings).description }
        guard let one = letters.one else { return strings.queuesRetryGone.description }
        return strings.queuesRetryOne(job: QueueText.title(of: one, in: letters.queue, strings))
    }

    /// Nothing when nothing can be tried again any more.
    private static func retryChanges(_ letters: DeadLetters, _ strings: Strings) -> [Change] {
        guard letters.page.canBeTried else { return [] }
        let status = Change(
            what: strings.partsStatus.description,
            before: QueueText.name(of: .discarded, strings).description,
            after: QueueText.name(of: .available, strings).description
        )
        guard let one = letters.one else { return [status] }
        let maximum = max(one.maxAttempts, one.attempt + 1)
        let attempts = Change(
            what: strings.notificationsAttempts.description,
            before: QueueText.attempts(one.attempt, of: one.maxAttempts, strings),
            after: QueueText.attempts(one.attempt, of: maximum, strings)
        )
        return [status, attempts]
    }

    private static func retryTrouble(_ error: OperationsError, _ strings: Strings) -> Trouble? {
        guard error.code == .conflict else { return nil }
        return Trouble(
            headline: strings.accessNothingDone.description,
            text: error.field == nil ? strings.queuesRetryNothing.description : error.message
        )
    }
}
