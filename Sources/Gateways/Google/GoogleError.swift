import Foundation

/// An error in the form in which Google's APIs write it: `{"error":{"code","message","status","errors":[{"reason"}]}}`.
struct GoogleError: Hashable, Sendable {
    /// The HTTP status, which the body repeats.
    var code: Int
    /// Google's own words.
    var message: String
    /// `NOT_FOUND`, where it is said.
    var status: String?
    /// `purchaseTokenNoLongerValid`, where it is said.
    var reasons: [String]

    /// - Returns: nil for what Google did not write: a page, half of an error, one of another status.
    init?(_ response: StoreResponse) {
        guard response.status >= 400, let json = try? JSON(parsing: Array(response.body)), let error = json["error"],
            case .integer(let code)? = error["code"], code == Int64(clamping: response.status),
            let message = error["message"]?.string
        else { return nil }
        self.code = response.status
        self.message = message
        status = error["status"]?.string
        if case .array(let errors)? = error["errors"] {
            reasons = errors.compactMap { $0["reason"]?.string }
        } else {
            reasons = []
        }
        guard status != nil || !reasons.isEmpty else { return nil }
    }

    /// Google said no, and would say so again: a token or order that it does not know (404), one that is over (410), and a question
    /// that cannot be granted (400).
    var isFinal: Bool {
        switch code {
        case 400:
            status == "INVALID_ARGUMENT" || status == "FAILED_PRECONDITION"
                || reasons.contains(where: Self.finalReasons.contains)
        case 404: !isAboutApp && (status == "NOT_FOUND" || reasons.contains(where: Self.unknownReasons.contains))
        case 410: reasons.contains("purchaseTokenNoLongerValid") || status == "NOT_FOUND"
        default: false
        }
    }

    /// Too many questions: later.
    var isQuota: Bool {
        guard code == 403 || code == 429 else { return false }
        return code == 429 || status == "RESOURCE_EXHAUSTED" || reasons.contains(where: Self.quotaReasons.contains)
    }

    /// The service account may not ask that of this app, or the app is not there.
    var isAboutAccess: Bool { code == 401 || code == 403 && !isQuota || isAboutApp }

    /// Somebody else changed the subscription meanwhile.
    var isConflict: Bool { code == 409 || code == 412 || status == "ABORTED" }

    /// Google's no to refund an order is that it has been refunded.
    var saysAlreadyRefunded: Bool {
        let words = (reasons + [message]).joined(separator: " ").lowercased()
        return words.contains("already") && words.contains("refunded") || words.contains("alreadyrefunded")
    }

    /// No app of that package is known, or not to this service account.
    var isAboutApp: Bool { reasons.contains("applicationNotFound") || reasons.contains("packageNotFound") }

    private static let finalReasons: Set<String> = [
        "invalid", "badRequest", "invalidValue", "purchaseTokenDoesNotMatchPackageName",
        "purchaseTokenDoesNotMatchProductId", "purchaseTokenDoesNotMatchSubscriptionId", "orderNotRefundable",
    ]
    private static let unknownReasons: Set<String> = [
        "notFound", "purchaseTokenNotFound", "orderNotFound", "orderIdNotFound",
    ]
    private static let quotaReasons: Set<String> = [
        "rateLimitExceeded", "userRateLimitExceeded", "quotaExceeded", "dailyLimitExceeded", "concurrentLimitExceeded",
    ]
}

/// The failure of a call to the Developer API.
struct GoogleCallFailure: Error, Sendable {
    /// nil where no answer came, and where it is not Google's.
    var error: GoogleError?
    /// For the one rule of all stores.
    var failure: StoreFailure

    init(_ failure: StoreFailure, error: GoogleError? = nil) {
        (self.failure, self.error) = (failure, error)
    }

    /// Google does not know the token or the order.
    var isUnknown: Bool { error?.code == 404 && failure.refusal != nil }

    /// The token is of what ended more than 60 days ago.
    var isGone: Bool { error?.code == 410 && failure.refusal != nil }
}

extension GoogleCallFailure {
    /// The rule for the Developer API.
    init(_ response: StoreResponse, to call: GoogleCall) {
        let api = "The Google Play Developer API"
        guard let error = GoogleError(response) else {
            let isAway = response.status == 429 || response.status >= 500
            let words = response.strayWords.map { ": \($0)" } ?? ""
            self.init(
                .unanswered(
                    GatewayError(isAway ? .unreachable : .malformed, "\(api) answered \(response.status)\(words).")
                )
            )
            return
        }
        let words = error.message.split(whereSeparator: \.isWhitespace).joined(separator: " ").prefix(200)
        let said = "\(api) answered with error \(error.code): \(words)"
        if error.isFinal {
            let reason = GatewayError(error.code == 404 ? .missing : .malformed, said, field: call.field)
            self.init(.refused(StoreRefusal(code: Int64(error.code), reason)), error: error)
        } else if error.isAboutAccess {
            // One line says whether it is the package or a right.
            let package =
                error.isAboutApp ? "No app at Google Play has this package name, or none that it may see. " : ""
            self.init(
                .misconfigured(
                    GatewayError(
                        .misconfigured,
                        """
                        \(package)\(said). The Play Console has to invite the service account with the rights to see financial data and to manage \
                        orders; a new right can take a day.
                        """,
                        field: GoogleSetting.serviceAccount
                    )
                ),
                error: error
            )
        } else {
            let isAway = error.isQuota || error.code >= 500
            self.init(.unanswered(GatewayError(isAway ? .unreachable : .malformed, said)), error: error)
        }
    }
}
