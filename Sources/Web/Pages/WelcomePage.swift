package import Storage

/// Setting a password with a one-time link: `/dashboard/welcome/{token}`.
package struct WelcomePage: Sendable {
    package let words: Words
    let assets: AssetPaths
    let theme: String?
    /// nil when the link is good no more.
    let link: Link?
    let problem: String?

    package struct Link: Sendable {
        var action: String
        var csrfToken: String
        var email: String
        var name: String
        var isInvitation: Bool

        package init(action: String, csrfToken: String, email: String, name: String, isInvitation: Bool) {
            self.action = action
            self.csrfToken = csrfToken
            self.email = email
            self.name = name
            self.isInvitation = isInvitation
        }
    }

    package init(
        link: Link?,
        words: Words,
        problem: String? = nil,
        theme: StaffTheme = .system,
        assets: AssetPaths = AssetPaths()
    ) {
        self.words = words
        self.assets = assets
        self.theme = theme == .system ? nil : theme.rawValue
        self.link = link
        self.problem = problem
    }
}
