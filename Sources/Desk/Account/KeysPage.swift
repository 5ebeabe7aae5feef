package import Foundation
package import HTTP
package import Storage
package import Words

/// Keys to the admin API: one's own at `/dashboard/account/keys`, everybody's at `/dashboard/staff/keys`.
package struct KeysPage: Sendable {
    let frame: DashboardFrame
    package var strings: Strings { frame.strings }
    let isEverybodys: Bool
    let range: String
    let back: ActionPage.Link
    let keys: [Row]

    struct Row: Sendable {
        var name: String
        var owner: String
        var scopes: String
        var state: String
        var shape: String
        var used: DateText?
        var created: DateText
        var ends: DateText?
        /// nil for a key that is good no more.
        var revocation: String?
        var label: String
    }

    /// The owners whose keys are shown, and the page that shows them.
    package enum Scope: Sendable {
        case own
        case everybody

        var path: String { self == .own ? DashboardPath.accountKeys : DashboardPath.staffKeys }
    }

    package init(tokens: [ListedToken], of scope: Scope, viewer: Viewer, now: Date) {
        let strings = viewer.strings
        frame = DashboardFrame(viewer, section: scope == .own ? .account : .staff, path: scope.path, now: now)
        isEverybodys = scope == .everybody
        range = strings.keysCount(count: tokens.filter { $0.isLive(at: now) }.count)
        back =
            scope == .own
            ? ActionPage.Link(text: strings.accountTitle.description, href: DashboardPath.account)
            : ActionPage.Link(text: strings.staffTitle.description, href: DashboardPath.staff)
        keys = tokens.map { token in
            let isLive = token.isLive(at: now)
            let state =
                isLive
                ? strings.keysLive
                : token.revokedAt != nil || token.isOwnerShut ? strings.keysRevoked : strings.keysExpired
            return Row(
                name: token.name,
                owner: token.email,
                scopes: token.scopes?.joined(separator: ", ") ?? strings.keysEverything.description,
                state: state.description,
                shape: isLive ? "active" : token.revokedAt != nil || token.isOwnerShut ? "revoked" : "expired",
                used: token.lastUsedAt.map { DateText($0, in: viewer.zone, strings) },
                created: DateText(token.createdAt, in: viewer.zone, strings),
                ends: token.expiresAt.map { DateText($0, in: viewer.zone, strings) },
                revocation: isLive ? "\(scope.path)/\(token.id)" : nil,
                label: strings.keysRevokeLabel(name: token.name)
            )
        }
    }
}
