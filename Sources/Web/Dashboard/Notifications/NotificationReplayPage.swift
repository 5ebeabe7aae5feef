import Foundation
import Operations
import Storage

extension ActionPage {
    /// The page that asks before a notification is applied again: `/dashboard/notifications/{id}/replays/new`.
    ///
    /// - Parameters:
    ///   - typed: what the form said when it was refused.
    ///   - error: why it was refused.
    init(
        replaying details: NotificationDetails,
        key: String,
        typed: TypedFields = [:],
        error: (any Error)? = nil,
        viewer: Viewer,
        now: Date
    ) {
        let (row, words) = (details.row, viewer.words)
        let own = DashboardPath.notification(row.id)
        let attempts = words.number(row.attempts)
        self.init(
            frame: DashboardFrame(
                viewer,
                section: .notifications,
                path: DashboardPath.newReplay(of: row.id),
                now: now
            ),
            title: words.notificationsReplayQuestion(type: row.type),
            subtitle: StoreText.place(row.store, row.environment, words),
            back: Link(text: row.type, href: own),
            trouble: (error as? OperationsError).flatMap { Self.trouble($0, words) },
            changes: [
                Change(
                    what: words.partsStatus.description,
                    before: StatusText(row.state, words).word.description,
                    after: StatusText(NotificationState.received, words).word.description
                ),
                Change(
                    what: words.notificationsAttempts.description,
                    before: attempts,
                    after: words.number(row.attempts + 1)
                ),
                Change(
                    what: words.notificationsReplayEffect.description,
                    before: words.partsNone.description,
                    after: (row.state == .processed
                        ? words.notificationsReplayKnown : words.notificationsReplayApplied).description
                ),
            ],
            facts: Self.consequences(undo: words.notificationsReplayUndo, told: words.accessFactToldNobody, words),
            factsTitle: words.accessGoodToKnow.description,
            fields: FormField.reason(
                category: typed["category"],
                text: typed["reason"],
                problems: error.map { FormField.problems(in: $0, words) } ?? [:],
                words
            ),
            hidden: [.newKey(key), Hidden(name: "attempts", value: String(row.attempts))],
            method: .post,
            action: DashboardPath.replays(of: row.id),
            submit: words.notificationsReplay.description,
            keep: Link(text: words.notificationsReplayKeep.description, href: own)
        )
    }

    private static func trouble(_ error: OperationsError, _ words: Words) -> Trouble? {
        guard error.code == .stale else { return nil }
        return Trouble(headline: words.notificationsReplayStale.description)
    }
}

extension DashboardPath {
    static func replays(of notification: UUID) -> String { "\(Self.notification(notification))/replays" }
    static func newReplay(of notification: UUID) -> String { replays(of: notification) + "/new" }
}
