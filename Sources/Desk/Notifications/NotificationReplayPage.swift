package import Foundation
import HTTP
import Operations
import Storage
import Words

extension ActionPage {
    /// The page that asks before a notification is applied again: `/dashboard/notifications/{id}/replays/new`.
    ///
    /// - Parameters:
    ///   - typed: the form's fields when it was refused.
    ///   - error: why it was refused.
    init(
        replaying details: NotificationDetails,
        key: String,
        typed: TypedFields = [:],
        error: (any Error)? = nil,
        from: String? = nil,
        viewer: Viewer,
        now: Date
    ) {
        let (row, strings) = (details.row, viewer.strings)
        let own = DashboardPath.notification(row.id, from: from)
        let attempts = strings.number(row.attempts)
        self.init(
            frame: DashboardFrame(
                viewer,
                section: .notifications,
                path: DashboardPath.newReplay(of: row.id),
                now: now
            ),
            title: strings.notificationsReplayQuestion(type: row.type),
            subtitle: StoreText.place(row.store, row.environment, strings),
            back: Link(text: row.type, href: own),
            trouble: (error as? OperationsError).flatMap { Self.trouble($0, strings) },
            changes: [
                Change(
                    what: strings.partsStatus.description,
                    before: StatusText(row.state, strings).word.description,
                    after: StatusText(NotificationState.received, strings).word.description
                ),
                Change(
                    what: strings.notificationsAttempts.description,
                    before: attempts,
                    after: strings.number(row.attempts + 1)
                ),
                Change(
                    what: strings.notificationsReplayEffect.description,
                    before: strings.partsNone.description,
                    after: (row.state == .processed
                        ? strings.notificationsReplayKnown : strings.notificationsReplayApplied).description
                ),
            ],
            facts: Self.consequences(
                undo: strings.notificationsReplayUndo,
                notified: strings.accessFactToldNobody,
                strings
            ),
            factsTitle: strings.accessGoodToKnow.description,
            fields: FormField.reason(
                category: typed["category"],
                text: typed["reason"],
                problems: error.map { FormField.problems(in: $0, strings) } ?? [:],
                strings
            ),
            hidden: [.newKey(key), Hidden(name: "attempts", value: String(row.attempts))],
            method: .post,
            action: DashboardPath.replays(of: row.id),
            submit: strings.notificationsReplay.description,
            keep: Link(text: strings.notificationsReplayKeep.description, href: own),
            from: from
        )
    }

    private static func trouble(_ error: OperationsError, _ strings: Strings) -> Trouble? {
        guard error.code == .stale else { return nil }
        return Trouble(headline: strings.notificationsReplayStale.description)
    }
}

extension DashboardPath {
    package static func replays(of notification: UUID) -> String { "\(Self.notification(notification))/replays" }
    package static func newReplay(of notification: UUID) -> String { replays(of: notification) + "/new" }
}
