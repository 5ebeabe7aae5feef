package import Storage

/// The way in: `/dashboard/sign-in`.
package struct SignInPage: Sendable {
    package let words: Words
    let assets: AssetPaths
    let theme: String?
    let csrfToken: String
    let email: String
    let next: String?
    /// The summary above the form; nil before the first try.
    let problem: Problem?
    let emailProblem: String?
    let passwordProblem: String?

    struct Problem: Sendable {
        var headline: String
        /// What the summary's link says; it leads to the field.
        var text: String
        var fieldHref: String?
    }

    /// - Parameters:
    ///   - email: what was typed before.
    ///   - next: where to go afterwards; anything but a path of the dashboard is dropped.
    package init(
        words: Words,
        csrfToken: String,
        email: String = "",
        next: String? = nil,
        problem: SignInProblem? = nil,
        theme: StaffTheme = .system,
        assets: AssetPaths = AssetPaths()
    ) {
        self.words = words
        self.assets = assets
        self.theme = theme == .system ? nil : theme.rawValue
        self.csrfToken = csrfToken
        self.email = email
        self.next = DashboardPath.safe(next)
        self.problem = problem.map(Self.problem)
        (emailProblem, passwordProblem) = Self.fieldProblems(problem)
    }

    private static func problem(_ problem: SignInProblem) -> Problem {
        switch problem {
        case .missing(let email, _):
            Problem(
                headline: "Something is missing",
                text: email ? missingEmail : missingPassword,
                fieldHref: email ? "#email" : "#password"
            )
        case .wrong: Problem(headline: "Not signed in", text: wrong, fieldHref: "#email")
        case .blocked(let seconds):
            Problem(
                headline: "Too many tries",
                text: "Wait \(wait(seconds)), then try again. An admin can set a new password.",
                fieldHref: nil
            )
        case .expired:
            Problem(
                headline: "This page was open too long",
                text: "Nothing is lost: sign in again.",
                fieldHref: "#password"
            )
        }
    }

    private static func fieldProblems(_ problem: SignInProblem?) -> (email: String?, password: String?) {
        switch problem {
        case .missing(let email, let password): (email ? missingEmail : nil, password ? missingPassword : nil)
        case .wrong: (wrong, nil)
        case .blocked, .expired, nil: (nil, nil)
        }
    }

    private static func wait(_ seconds: Int) -> String {
        seconds <= 60 ? "a minute" : "\((seconds + 59) / 60) minutes"
    }

    private static let missingEmail = "Enter your e-mail address."
    private static let missingPassword = "Enter your password."
    /// The same for an unknown address, so that nobody learns who has an account.
    private static let wrong = "The e-mail address or the password is not right."
}

/// Why somebody is not signed in.
package enum SignInProblem: Sendable, Hashable {
    case missing(email: Bool, password: Bool)
    case wrong
    case blocked(seconds: Int)
    /// The form's token is no longer good.
    case expired
}
