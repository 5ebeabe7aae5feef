import Billing
import Operations
import Storage

/// What an admin does with somebody's account; each has its page with the question.
package enum StaffAction: String, Sendable, CaseIterable {
    case role
    case apps
    case link
    case endedSessions = "ended-sessions"
    case twoFactorRemoval = "two-factor-removal"
    case closure
    case reopening

    package static let pattern = DashboardPath.staff + "/{id}"

    func path(of id: Staff.ID) -> String {
        "\(DashboardPath.staffMember(id.description))/\(rawValue)"
    }

    func isPossible(_ row: StaffRow, isSelf: Bool) -> Bool {
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
    func opener(_ words: Words) -> StaticString {
        switch self {
        case .role: words.staffRoleOpen
        case .apps: words.staffAppsOpen
        case .link: words.staffLinkOpen
        case .endedSessions: words.staffSessionsOpen
        case .twoFactorRemoval: words.staffFactorOpen
        case .closure: words.staffShutOpen
        case .reopening: words.staffReopenOpen
        }
    }

    func question(_ row: StaffRow, _ words: Words) -> String {
        switch self {
        case .role: words.staffRoleQuestion(email: row.email)
        case .apps: words.staffAppsQuestion(email: row.email)
        case .link: words.staffLinkQuestion(email: row.email)
        case .endedSessions: words.staffSessionsQuestion(email: row.email)
        case .twoFactorRemoval: words.staffFactorQuestion(email: row.email)
        case .closure: words.staffShutQuestion(email: row.email)
        case .reopening: words.staffReopenQuestion(email: row.email)
        }
    }

    /// The button that does it.
    func answer(_ words: Words) -> StaticString {
        self == .link ? words.staffLinkSubmit : opener(words)
    }

    /// What not doing it means.
    func keep(_ words: Words) -> StaticString {
        switch self {
        case .role: words.staffRoleKeep
        case .apps: words.staffAppsKeep
        case .link: words.staffLinkKeep
        case .endedSessions: words.staffSessionsKeep
        case .twoFactorRemoval: words.staffFactorKeep
        case .closure: words.staffShutKeep
        case .reopening: words.staffReopenKeep
        }
    }

    var isDangerous: Bool { self == .closure || self == .twoFactorRemoval }

    /// Whether it can be undone, and who is told (dashboard.md, rule 30).
    func facts(_ words: Words) -> [ActionPage.Fact] {
        let undoing =
            switch self {
            case .role, .apps: words.staffUndoAgain
            case .link: words.staffUndoLink
            case .endedSessions: words.staffUndoSessions
            case .twoFactorRemoval: words.staffUndoFactor
            case .closure: words.staffUndoShut
            case .reopening: words.staffUndoReopen
            }
        let told = self == .link ? words.staffToldLink : words.staffToldNobody
        return ActionPage.consequences(undo: undoing, told: told, words)
    }

    func changes(_ row: StaffRow, _ words: Words) -> [ActionPage.Change] {
        func change(_ what: StaticString, _ before: String, _ after: StaticString) -> ActionPage.Change {
            ActionPage.Change(what: what.description, before: before, after: after.description)
        }
        let apps = row.seesAllApps ? words.staffAll.description : row.apps.joined(separator: ", ")
        return switch self {
        case .role: [change(words.staffRole, words.name(of: row.role).description, words.staffAsChosen)]
        case .apps: [change(words.staffApps, apps, words.staffAsChosen)]
        case .link:
            [
                change(
                    words.staffLink,
                    (row.linkEndsAt == nil ? words.staffLinkNone : words.staffLinkOld).description,
                    words.staffLinkNew
                ),
                change(
                    words.staffPassword,
                    (row.isInvited ? words.staffPasswordNone : words.staffPasswordStays).description,
                    words.staffPasswordSet
                ),
            ]
        case .endedSessions: [change(words.staffSessions, String(row.sessions), "0")]
        case .twoFactorRemoval:
            [change(words.staffSigningIn, words.staffPasswordAndCode.description, words.staffPasswordOnly)]
        case .closure:
            [
                change(words.staffAccount, words.staffIsOpen.description, words.staffIsShut),
                change(words.staffSessions, String(row.sessions), "0"),
                change(words.staffKeys, String(row.tokens), "0"),
            ]
        case .reopening: [change(words.staffAccount, words.staffIsShut.description, words.staffOpenAsBefore)]
        }
    }
}
