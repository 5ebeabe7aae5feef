package import HTTP
package import Storage
package import Words

/// The second step of signing in: `/dashboard/sign-in/code`.
package struct MFAPage: Sendable {
    package let strings: Strings
    let assets: AssetPaths
    /// The answer's id in the log, for a person who asks about a problem.
    let requestID: String?
    let theme: String?
    let csrfToken: String
    let next: String?
    /// The form that was sent when the session had ended.
    let kept: String?
    let title: String
    let headline: String?
    /// The same sentence above the form and at the field.
    let problem: String?

    /// - Parameter next: the path to go to afterwards; anything but a path of the dashboard is dropped.
    package init(
        csrfToken: String,
        strings: Strings,
        next: String? = nil,
        kept: String? = nil,
        problem: SignInProblem? = nil,
        theme: StaffTheme = .system,
        assets: AssetPaths = AssetPaths(),
        requestID: String? = nil
    ) {
        self.strings = strings
        self.assets = assets
        self.requestID = requestID
        self.theme = theme == .system ? nil : theme.rawValue
        self.csrfToken = csrfToken
        self.next = DashboardPath.safe(next)
        self.kept = kept
        let (headline, text): (StaticString?, String?) =
            switch problem {
            case nil: (nil, nil)
            case .missing: (strings.accountCodeWrongHeadline, strings.fieldsMissingCode.description)
            case .wrong: (strings.accountCodeWrongHeadline, strings.accountCodeWrong.description)
            case .blocked(let seconds):
                (strings.accountCodeBlockedHeadline, strings.accountCodeWait(count: max(1, (seconds + 59) / 60)))
            case .expired, .ended: (strings.accountCodeExpiredHeadline, strings.accountCodeExpired.description)
            }
        self.headline = headline?.description
        self.problem = text
        title =
            headline.map { strings.accountCodeError(headline: $0.description) }
            ?? "\(strings.accountCodeTitle) – Perennial"
    }
}
