import Billing
import HTTP
import Operations
package import Storage
package import Words

/// An action of an admin on a staff account; each has its confirm page.
package enum StaffAction: String, Sendable, CaseIterable {
    case role
    case apps
    case link
    case endedSessions = "ended-sessions"
    case twoFactorRemoval = "two-factor-removal"
    case closure
    case reopening

    package static let pattern = DashboardPath.staff + "/{id}"

    package func path(of id: Staff.ID) -> String {
        "\(DashboardPath.staffMember(id.description))/\(rawValue)"
    }

    package func isPossible(_ row: StaffRow, isSelf: Bool) -> Bool {
        let isOpen = row.disabledAt == nil
        return switch self {
        case .role, .apps: isOpen && !isSelf
        case .link: isOpen
        case .endedSessions: row.sessions > 0
        case .twoFactorRemoval: row.hasTwoFactor && !isSelf
        case .closure: isOpen && !isSelf
        case .reopening: !isOpen
        }
    }

    /// The link that leads to the question.
    package func opener(_ strings: Strings) -> StaticString {
        switch self {
        case .role: strings.staffRoleOpen
        case .apps: strings.staffAppsOpen
        case .link: strings.staffLinkOpen
        case .endedSessions: strings.staffSessionsOpen
        case .twoFactorRemoval: strings.staffFactorOpen
        case .closure: strings.staffShutOpen
        case .reopening: strings.staffReopenOpen
        }
    }

    package func question(_ row: StaffRow, _ strings: Strings) -> String {
        switch self {
        case .role: strings.staffRoleQuestion(email: row.email)
        case .apps: strings.staffAppsQuestion(email: row.email)
        case .link: strings.staffLinkQuestion(email: row.email)
        case .endedSessions: strings.staffSessionsQuestion(email: row.email)
        case .twoFactorRemoval: strings.staffFactorQuestion(email: row.email)
        case .closure: strings.staffShutQuestion(email: row.email)
        case .reopening: strings.staffReopenQuestion(email: row.email)
        }
    }

    /// The button that does it.
    package func answer(_ strings: Strings) -> StaticString {
        self == .link ? strings.staffLinkSubmit : opener(strings)
    }

    /// Returns the text of the link that leaves things as they are.
    package func keep(_ strings: Strings) -> StaticString {
        switch self {
        case .role: strings.staffRoleKeep
        case .apps: strings.staffAppsKeep
        case .link: strings.staffLinkKeep
        case .endedSessions: strings.staffSessionsKeep
        case .twoFactorRemoval: strings.staffFactorKeep
        case .closure: strings.staffShutKeep
        case .reopening: strings.staffReopenKeep
        }
    }

    package var isDangerous: Bool { self == .closure || self == .twoFactorRemoval }

    /// Returns the facts on undoing it and on who is notified (dashboard.md, rule 30).
    func facts(_ strings: Strings) -> [ActionPage.Fact] {
        let undoing =
            switch self {
            case .role, .apps: strings.staffUndoAgain
            case .link: strings.staffUndoLink
            case .endedSessions: strings.staffUndoSessions
            case .twoFactorRemoval: strings.staffUndoFactor
            case .closure: strings.staffUndoShut
            case .reopening: strings.staffUndoReopen
            }
        let notified = self == .link ? strings.staffToldLink : strings.staffToldNobody
        return ActionPage.consequences(undo: undoing, notified: notified, strings)
    }

    func changes(_ row: StaffRow, _ strings: Strings) -> [ActionPage.Change] {
        func change(_ what: StaticString, _ before: String, _ after: StaticString) -> ActionPage.Change {
            ActionPage.Change(what: what.description, before: before, after: after.description)
        }
        let apps = row.seesAllApps ? strings.staffAll.description : row.apps.joined(separator: ", ")
        return switch self {
        case .role: [change(strings.staffRole, strings.name(of: row.role).description, strings.staffAsChosen)]
        case .apps: [change(strings.staffApps, apps, strings.staffAsChosen)]
        case .link:
            [
                change(
                    strings.staffLink,
                    (row.linkEndsAt == nil ? strings.staffLinkNone : strings.staffLinkOld).description,
                    strings.staffLinkNew
                ),
                change(
                    strings.staffPassword,
                    (row.isInvited ? strings.staffPasswordNone : strings.staffPasswordStays).description,
                    strings.staffPasswordSet
                ),
            ]
        case .endedSessions: [change(strings.staffSessions, String(row.sessions), "0")]
        case .twoFactorRemoval:
            [change(strings.staffSigningIn, strings.staffPasswordAndCode.description, strings.staffPasswordOnly)]
        case .closure:
            [
                change(strings.staffAccount, strings.staffIsOpen.description, strings.staffIsShut),
                change(strings.staffSessions, String(row.sessions), "0"),
                change(strings.staffKeys, String(row.tokens), "0"),
            ]
        case .reopening: [change(strings.staffAccount, strings.staffIsShut.description, strings.staffOpenAsBefore)]
        }
    }
}
