import Billing
package import Foundation
package import Storage

/// Everybody who may sign in: `/dashboard/staff`.
package struct StaffIndexPage: Sendable {
    let frame: DashboardFrame
    package var words: Words { frame.words }
    let range: String
    let people: [Row]

    struct Row: Sendable {
        var href: String
        var name: String
        var email: String
        var role: String
        var apps: String
        var state: StaffState
        var hasTwoFactor: Bool
        var sessions: Int
        var lastSeen: DateText?
    }

    package init(rows: [StaffRow], viewer: Viewer, now: Date) {
        frame = DashboardFrame(viewer, section: .staff, path: DashboardPath.staff, now: now)
        let words = viewer.words
        range = words.staffCount(count: rows.count)
        people = rows.map { row in
            Row(
                href: DashboardPath.staffMember(row.id.description),
                name: row.name,
                email: row.email,
                role: words.name(of: row.role).description,
                apps: row.seesAllApps ? words.staffAll.description : row.apps.joined(separator: ", "),
                state: StaffState(row, words),
                hasTwoFactor: row.hasTwoFactor,
                sessions: row.sessions,
                lastSeen: row.lastSeenAt.map { DateText($0, in: viewer.zone, viewer.words) }
            )
        }
    }
}

/// Whether an account is open, in a word with its shape.
struct StaffState: Sendable {
    var word: String
    var shape: String

    init(_ row: StaffRow, _ words: Words) {
        if row.disabledAt != nil {
            (word, shape) = (words.staffShut.description, "revoked")
        } else if row.isInvited {
            (word, shape) = (words.staffInvited.description, "pending")
        } else {
            (word, shape) = (words.staffOpen.description, "active")
        }
    }
}

/// One account: `/dashboard/staff/{id}`.
package struct StaffShowPage: Sendable {
    let frame: DashboardFrame
    package var words: Words { frame.words }
    let name: String
    let email: String
    let state: StaffState
    let facts: [ActionPage.Fact]
    let actions: [Action]
    /// Then some actions are not there.
    let isSelf: Bool
    let historyHref: String
    let deedsHref: String

    struct Action: Sendable {
        var text: StaticString
        var href: String
    }

    package init(row: StaffRow, isSelf: Bool, viewer: Viewer, now: Date) {
        let own = DashboardPath.staffMember(row.id.description)
        frame = DashboardFrame(viewer, section: .staff, path: own, now: now)
        let words = viewer.words
        (name, email, state) = (row.name, row.email, StaffState(row, words))
        self.isSelf = isSelf
        func fact(_ name: StaticString, _ value: String) -> ActionPage.Fact {
            ActionPage.Fact(name: String(name), value: value)
        }
        func moment(_ name: StaticString, _ date: Date) -> ActionPage.Fact {
            let text = DateText.full(date, in: viewer.zone, words)
            return ActionPage.Fact(name: String(name), value: text, at: DateText(date, in: viewer.zone, words))
        }
        facts =
            [
                fact(words.staffRole, words.name(of: row.role).description),
                fact(words.staffApps, row.seesAllApps ? words.staffAll.description : row.apps.joined(separator: ", ")),
                fact(words.staffFactor, (row.hasTwoFactor ? words.staffOn : words.staffOff).description),
                fact(words.staffSessions, String(row.sessions)),
                row.lastSeenAt.map { moment(words.staffLastSeen, $0) }
                    ?? fact(words.staffLastSeen, words.staffNever.description),
                fact(words.staffKeys, String(row.tokens)),
                moment(words.staffSince, row.createdAt),
            ] + (row.linkEndsAt.map { [moment(words.staffLinkUntil, $0)] } ?? [])
        actions = StaffAction.allCases.filter { $0.isPossible(row, isSelf: isSelf) }.map {
            Action(text: $0.opener(words), href: $0.path(of: row.id))
        }
        historyHref = DashboardPath.history(of: "staff", row.id.description)
        deedsHref = "\(DashboardPath.audit)?actor=\(DashboardPath.encoded(row.email))"
    }
}

/// A one-time link, this once.
package struct StaffLinkPage: Sendable {
    let frame: DashboardFrame
    package var words: Words { frame.words }
    let email: String
    let link: String
    let end: String
    let href: String

    package init(email: String, staff: Staff.ID, link: String, end: Date, viewer: Viewer) {
        frame = DashboardFrame(viewer, section: .staff, path: DashboardPath.staff)
        (self.email, self.link) = (email, link)
        self.end = DateText.full(end, in: viewer.zone, viewer.words)
        href = DashboardPath.staffMember(staff.description)
    }
}
