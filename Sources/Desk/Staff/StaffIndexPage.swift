import Billing
package import Foundation
package import HTTP
package import Storage
package import Words

/// Everybody who may sign in: `/dashboard/staff`.
package struct StaffIndexPage: Sendable {
    let frame: DashboardFrame
    package var strings: Strings { frame.strings }
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
        let strings = viewer.strings
        range = strings.staffCount(count: rows.count)
        people = rows.map { row in
            Row(
                href: DashboardPath.staffMember(row.id.description),
                name: row.name,
                email: row.email,
                role: strings.name(of: row.role).description,
                apps: row.seesAllApps ? strings.staffAll.description : row.apps.joined(separator: ", "),
                state: StaffState(row, strings),
                hasTwoFactor: row.hasTwoFactor,
                sessions: row.sessions,
                lastSeen: row.lastSeenAt.map { DateText($0, in: viewer.zone, viewer.strings) }
            )
        }
    }
}

/// The state of an account, in a word with its shape.
struct StaffState: Sendable {
    var word: String
    var shape: String

    init(_ row: StaffRow, _ strings: Strings) {
        if row.disabledAt != nil {
            (word, shape) = (strings.staffShut.description, "revoked")
        } else if row.isInvited {
            (word, shape) = (strings.staffInvited.description, "pending")
        } else {
            (word, shape) = (strings.staffOpen.description, "active")
        }
    }
}

/// One account: `/dashboard/staff/{id}`.
package struct StaffShowPage: Sendable {
    let frame: DashboardFrame
    package var strings: Strings { frame.strings }
    let name: String
    let email: String
    let state: StaffState
    let facts: [ActionPage.Fact]
    let actions: [Action]
    /// Then some actions are not there.
    let isSelf: Bool
    let historyHref: String
    let actionsHref: String

    struct Action: Sendable {
        var text: StaticString
        var href: String
    }

    package init(row: StaffRow, isSelf: Bool, viewer: Viewer, now: Date) {
        let own = DashboardPath.staffMember(row.id.description)
        frame = DashboardFrame(viewer, section: .staff, path: own, now: now)
        let strings = viewer.strings
        (name, email, state) = (row.name, row.email, StaffState(row, strings))
        self.isSelf = isSelf
        func fact(_ name: StaticString, _ value: String) -> ActionPage.Fact {
            ActionPage.Fact(name: String(name), value: value)
        }
        func moment(_ name: StaticString, _ date: Date) -> ActionPage.Fact {
            let text = DateText.full(date, in: viewer.zone, strings)
            return ActionPage.Fact(name: String(name), value: text, at: DateText(date, in: viewer.zone, strings))
        }
        facts =
            [
                fact(strings.staffRole, strings.name(of: row.role).description),
                fact(
                    strings.staffApps,
                    row.seesAllApps ? strings.staffAll.description : row.apps.joined(separator: ", ")
                ),
                fact(strings.staffFactor, (row.hasTwoFactor ? strings.staffOn : strings.staffOff).description),
                fact(strings.staffSessions, String(row.sessions)),
                row.lastSeenAt.map { moment(strings.staffLastSeen, $0) }
                    ?? fact(strings.staffLastSeen, strings.staffNever.description),
                fact(strings.staffKeys, String(row.tokens)),
                moment(strings.staffSince, row.createdAt),
            ] + (row.linkEndsAt.map { [moment(strings.staffLinkUntil, $0)] } ?? [])
        actions = StaffAction.allCases.filter { $0.isPossible(row, isSelf: isSelf) }.map {
            Action(text: $0.opener(strings), href: $0.path(of: row.id))
        }
        historyHref = DashboardPath.history(of: "staff", row.id.description)
        actionsHref = "\(DashboardPath.audit)?actor=\(DashboardPath.encoded(row.email))"
    }
}

/// A one-time link, this once.
package struct StaffLinkPage: Sendable {
    let frame: DashboardFrame
    package var strings: Strings { frame.strings }
    let email: String
    let link: String
    let end: String
    let href: String

    package init(email: String, staff: Staff.ID, link: String, end: Date, viewer: Viewer) {
        frame = DashboardFrame(viewer, section: .staff, path: DashboardPath.staff)
        (self.email, self.link) = (email, link)
        self.end = DateText.full(end, in: viewer.zone, viewer.strings)
        href = DashboardPath.staffMember(staff.description)
    }
}
