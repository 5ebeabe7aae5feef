import Billing
import HTTP
import Operations
import Storage
package import Words

/// A new secret key, this once.
package struct AppKeyShowPage: Sendable {
    let frame: DashboardFrame
    package var strings: Strings { frame.strings }
    let name: String
    let text: String
    let facts: [ActionPage.Fact]
    let href: String

    init(_ key: IssuedAppKey, named name: String, scopes: Set<AppKeyScope>, viewer: Viewer) {
        frame = DashboardFrame(viewer, section: .stores, path: DashboardPath.appKeys)
        self.name = name
        text = key.text.revealed
        let allowed = scopes.inOrder.map(\.rawValue).joined(separator: ", ")
        facts = [ActionPage.Fact(name: viewer.strings.appKeysScopes.description, value: allowed)]
        href = DashboardPath.appKeys
    }
}
