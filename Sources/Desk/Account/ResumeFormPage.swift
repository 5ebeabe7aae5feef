import HTTP
import Storage
package import Words

/// The page after a sign-in that stood in the way of a form. Nothing was done yet, and one button sends the form as it was
/// filled.
package struct ResumeFormPage: Sendable {
    package let strings: Strings
    let assets: AssetPaths
    let theme: String?
    let csrfToken: String
    let action: String
    let fields: [ActionPage.Hidden]

    /// - Parameter action: the path that the form was sent to, one of the dashboard.
    init(
        strings: Strings,
        csrfToken: String,
        action: String,
        fields: [(name: String, value: String)],
        theme: StaffTheme = .system,
        assets: AssetPaths = AssetPaths()
    ) {
        self.strings = strings
        self.assets = assets
        self.theme = theme == .system ? nil : theme.rawValue
        self.csrfToken = csrfToken
        self.action = action
        self.fields = fields.filter { $0.name != "csrf" }.map { ActionPage.Hidden(name: $0.name, value: $0.value) }
    }
}
