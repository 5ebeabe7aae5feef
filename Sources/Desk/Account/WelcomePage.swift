package import HTTP
package import Storage
package import Words

/// Setting a password with a one-time link: `/dashboard/welcome/{token}`.
package struct WelcomePage: Sendable {
    package let strings: Strings
    let assets: AssetPaths
    /// The answer's id in the log, for a person who asks about a problem.
    let requestID: String?
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
        /// The question whether to leave the account's API keys as they are; nil without keys.
        var leavesKeys: String?

        package init(
            action: String,
            csrfToken: String,
            email: String,
            name: String,
            isInvitation: Bool,
            leavesKeys: String? = nil
        ) {
            self.action = action
            self.csrfToken = csrfToken
            self.email = email
            self.name = name
            self.isInvitation = isInvitation
            self.leavesKeys = leavesKeys
        }
    }

    package init(
        link: Link?,
        strings: Strings,
        problem: String? = nil,
        theme: StaffTheme = .system,
        assets: AssetPaths = AssetPaths(),
        requestID: String? = nil
    ) {
        self.strings = strings
        self.assets = assets
        self.requestID = requestID
        self.theme = theme == .system ? nil : theme.rawValue
        self.link = link
        self.problem = problem
    }
}
