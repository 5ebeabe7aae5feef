package import Foundation
package import HTTP
package import Storage
package import Words

/// The secret keys of an app's own server: `/dashboard/app-keys`.
package struct AppKeyIndexPage: Sendable {
    let frame: DashboardFrame
    package var strings: Strings { frame.strings }
    let back: ActionPage.Link
    let range: String
    /// As many live as may.
    let isFull: Bool
    /// nil then.
    let opener: PageAction?
    let keys: [Row]

    struct Row: Sendable {
        var name: String
        var scopes: String
        var isLive: Bool
        var created: DateText
        var createdBy: String
        var used: DateText?
        /// The link to the question whether to revoke it; nil for one that is revoked.
        var revocation: PageAction?
        var revoked: DateText?
        var revokedBy: String?
    }

    package init(keys listed: [ListedAppKey], viewer: Viewer, now: Date) {
        let strings = viewer.strings
        let live = listed.filter(\.isLive).count
        frame = DashboardFrame(viewer, section: .stores, path: DashboardPath.appKeys, now: now)
        back = ActionPage.Link(text: strings.connectionsTitle.description, href: DashboardPath.stores)
        range = strings.appKeysCount(count: live)
        isFull = live >= AppKey.most
        opener =
            isFull ? nil : PageAction(label: strings.appKeysNew.description, href: DashboardPath.newAppKey)
        keys = listed.map { Row($0, viewer) }
    }
}

extension AppKeyIndexPage.Row {
    fileprivate init(_ key: ListedAppKey, _ viewer: Viewer) {
        let (strings, zone) = (viewer.strings, viewer.zone)
        name = key.name
        scopes = key.scopes.map(\.rawValue).joined(separator: ", ")
        isLive = key.isLive
        created = DateText(key.createdAt, in: zone, strings)
        createdBy = Self.by(key.createdAs, strings)
        used = key.lastUsedAt.map { DateText($0, in: zone, strings) }
        revocation =
            key.isLive
            ? PageAction(
                label: strings.appKeysRevokeLabel(name: key.name),
                href: DashboardPath.appKeyRevocation(of: key.id)
            ) : nil
        revoked = key.revocation.map { DateText($0.at, in: zone, strings) }
        revokedBy = key.revocation.map { Self.by($0.actor, strings) }
    }

    private static func by(_ actor: String, _ strings: Strings) -> String {
        strings.appKeysBy(person: ActionText.actor(actor, role: nil, strings))
    }
}
