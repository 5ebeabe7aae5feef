package import HTTP
package import Storage
package import Words

/// The way in: `/dashboard/sign-in`.
package struct SignInPage: Sendable {
    package let strings: Strings
    let assets: AssetPaths
    /// The answer's id in the log, for a person who asks about a problem.
    let requestID: String?
    let theme: String?
    let csrfToken: String
    let email: String
    let next: String?
    /// The form that was sent when the session had ended.
    let kept: String?
    /// The summary above the form; nil before the first try.
    let problem: Problem?
    let emailProblem: StaticString?
    let passwordProblem: StaticString?
    /// The percent of the demo's data that was in when the page was made; nil where all of it is.
    let filling: String?

    struct Problem: Sendable {
        var headline: StaticString
        /// The text of the summary's link, which leads to the field.
        var text: String
        var fieldHref: StaticString?
        /// The same of the password, where both are missing.
        var other: String?

        var headlineText: String { headline.description }
    }

    /// - Parameters:
    ///   - email: the address that was typed before.
    ///   - next: where to go afterwards; anything but a path of the dashboard is dropped.
    ///   - filling: the percent of a demo's data that is in; nil where nothing is being filled in.
    package init(
        strings: Strings,
        csrfToken: String,
        email: String = "",
        next: String? = nil,
        kept: String? = nil,
        problem: SignInProblem? = nil,
        filling: Int? = nil,
        theme: StaffTheme = .system,
        assets: AssetPaths = AssetPaths(),
        requestID: String? = nil
    ) {
        self.strings = strings
        self.assets = assets
        self.requestID = requestID
        self.theme = theme == .system ? nil : theme.rawValue
        self.csrfToken = csrfToken
        self.email = email
        self.next = DashboardPath.safe(next)
        self.kept = kept
        self.problem = problem.map { Self.problem($0, strings) }
        self.filling = filling.map { strings.signInFilling(percent: strings.percent(Int64($0), places: 0)) }
        (emailProblem, passwordProblem) = Self.fieldProblems(problem, strings)
    }

    private static func problem(_ problem: SignInProblem, _ strings: Strings) -> Problem {
        switch problem {
        case .missing(let email, let password):
            Problem(
                headline: strings.signInMissingHeadline,
                text: (email ? strings.signInMissingEmail : strings.signInMissingPassword).description,
                fieldHref: email ? "#email" : "#password",
                other: email && password ? strings.signInMissingPassword.description : nil
            )
        case .wrong:
            Problem(headline: strings.signInWrongHeadline, text: strings.signInWrong.description, fieldHref: "#email")
        case .blocked(let seconds):
            Problem(headline: strings.signInBlockedHeadline, text: wait(seconds, strings), fieldHref: nil)
        case .expired:
            Problem(
                headline: strings.signInExpiredHeadline,
                text: strings.signInExpired.description,
                fieldHref: "#password"
            )
        case .ended:
            Problem(headline: strings.signInEndedHeadline, text: strings.signInEnded.description, fieldHref: nil)
        }
    }

    private static func fieldProblems(
        _ problem: SignInProblem?,
        _ strings: Strings
    ) -> (email: StaticString?, password: StaticString?) {
        switch problem {
        case .missing(let email, let password):
            (email ? strings.signInMissingEmail : nil, password ? strings.signInMissingPassword : nil)
        // The same for an unknown address, so that nobody learns who has an account.
        case .wrong: (strings.signInWrong, nil)
        case .blocked, .expired, .ended, nil: (nil, nil)
        }
    }

    private static func wait(_ seconds: Int, _ strings: Strings) -> String {
        seconds <= 60
            ? strings.signInBlockedMinute.description : strings.signInBlockedMinutes(count: (seconds + 59) / 60)
    }
}

/// The reason why somebody is not signed in.
package enum SignInProblem: Sendable, Hashable {
    case missing(email: Bool, password: Bool)
    case wrong
    case blocked(seconds: Int)
    /// The form's token is no longer good.
    case expired
    /// The session was over when a form was sent; it is kept.
    case ended
}
