package import Billing
package import Foundation

/// The reason that a call to the App Store Server API failed.
package struct AppleServerError: Error, CustomStringConvertible {
    package var endpoint: AppleEndpoint
    /// The environment that was asked last.
    package var environment: StoreEnvironment
    /// nil if no answer came, or nothing was asked.
    package var httpStatus: Int?
    /// Apple's number, also an unknown one; nil if the answer is not one of Apple's errors.
    package var rawCode: Int64?
    /// Apple's own message.
    package var message: String?
    /// An answer that is not Apple's, truncated.
    package var stray: String?
    /// The earliest time to ask Apple again, if it names one.
    package var retryAfter: Date?
    /// The failure of the request or the answer: `.unreachable`, or `.malformed` for an answer that is not Apple's.
    package var cause: GatewayError?

    package init(
        _ endpoint: AppleEndpoint,
        in environment: StoreEnvironment,
        httpStatus: Int? = nil,
        rawCode: Int64? = nil,
        message: String? = nil,
        stray: String? = nil,
        retryAfter: Date? = nil,
        cause: GatewayError? = nil
    ) {
        self.endpoint = endpoint
        self.environment = environment
        self.httpStatus = httpStatus
        self.rawCode = rawCode
        self.message = message
        self.stray = stray
        self.retryAfter = retryAfter
        self.cause = cause
    }

    /// nil for a code that is not known here, and for one that does not fit the status it came with.
    package var code: AppleErrorCode? {
        guard let rawCode, httpStatus.map({ Int64(clamping: $0) == rawCode / 10_000 }) ?? true else { return nil }
        return AppleErrorCode(rawValue: rawCode)
    }

    /// Nothing came, or a word that there is no time.
    fileprivate var isAway: Bool {
        guard let httpStatus else { return cause?.code != .malformed }
        return httpStatus == 429 || httpStatus >= 500
    }

    /// Apple said no to this call: its own error, which it documents for the call as one that stays.
    package var isSaidNo: Bool { code.map(endpoint.refusals.contains) ?? false }

    /// True where the same call may go better in a moment.
    package var isRetryable: Bool {
        if let cause { return cause.code != .misconfigured }
        if code?.isRetryable == true { return true }
        guard let httpStatus else { return false }
        return httpStatus == 429 || httpStatus >= 500 || (rawCode == nil && !isUnauthorized)
    }

    /// True if Apple certainly did nothing; false if no answer came, or one that cannot be read.
    package var isRefusal: Bool {
        if let cause { return cause.code == .misconfigured }
        guard let httpStatus else { return true }
        return (400..<500).contains(httpStatus) && (rawCode != nil || isUnauthorized || httpStatus == 429)
    }

    /// The transaction is not of this environment, or Apple does not know it yet.
    package var isNotFound: Bool { code != nil && code == endpoint.notFound }

    /// Apple did not take the token. Production says so, too, of an app that was never released.
    package var isUnauthorized: Bool { httpStatus == 401 && rawCode == nil }

    package var description: String {
        var parts = ["\(endpoint) in \(environment.rawValue)"]
        if let httpStatus { parts.append("status \(httpStatus)") }
        if let rawCode { parts.append("code \(rawCode)") }
        if let message { parts.append(message) }
        if let stray { parts.append("\"\(stray)\"") }
        if let cause { parts.append("\(cause)") }
        return parts.joined(separator: ", ")
    }
}

extension AppleServerError {
    /// Reads an answer that is no success.
    init(_ response: StoreResponse, to endpoint: AppleEndpoint, in environment: StoreEnvironment, at now: Date) {
        self.init(endpoint, in: environment, httpStatus: response.status)
        retryAfter = response.retryAfter(at: now).map { now.addingTimeInterval($0 / .seconds(1)) }
        guard let json = try? JSON(parsing: Array(response.body)), case .integer(let code) = json["errorCode"] else {
            stray = response.strayWords
            return
        }
        rawCode = code
        message = json["errorMessage"]?.string
    }
}

extension StoreResponse {
    /// The beginning of what is no answer of the store, for people: a page's words without its tags; nil for what has none, and for
    /// the half of an answer, which may carry what a customer bought.
    var strayWords: String? {
        guard body.first != UInt8(ascii: "{"), body.first != UInt8(ascii: "[") else { return nil }
        let text = String(decoding: body.prefix(600), as: UTF8.self)
        let words = text.replacing(/<[^>]*>?/, with: " ").storeWords(atMost: 100)
        return words.isEmpty ? nil : words
    }
}

extension String {
    /// A store's words, on one line and without what no page shows.
    func storeWords(atMost length: Int) -> String {
        let plain = filter { character in
            character.isWhitespace
                || character.asciiValue.map { (0x20..<0x7F).contains($0) }
                    ?? (character.isLetter || character.isPunctuation)
        }
        return String(plain.split(whereSeparator: \.isWhitespace).joined(separator: " ").prefix(length))
    }
}

extension StoreFailure {
    /// The rule for the App Store Server API: what Apple says is documented, and names no secret.
    package init(_ error: AppleServerError) {
        let api = "The App Store Server API\(error.environment == .production ? "" : " (Sandbox)")"
        let words = (error.message ?? error.stray).map { ": " + $0.storeWords(atMost: 200).droppingLastStop } ?? ""
        if error.isSaidNo, let code = error.rawCode {
            let reason = GatewayError(.malformed, "\(api) answered with error \(code)\(words).", underlying: error)
            self = .refused(StoreRefusal(code: code, reason))
        } else if error.isUnauthorized {
            self = .misconfigured(
                GatewayError(
                    .misconfigured,
                    """
                    \(api) does not accept the key: key id, issuer id and private key have to be of one key, and production knows no app \
                    that was never released.
                    """,
                    field: "privateKey",
                    underlying: error
                )
            )
        } else if let cause = error.cause, cause.code == .misconfigured {
            self = .misconfigured(cause)
        } else {
            let what =
                switch (error.rawCode, error.httpStatus) {
                case (let code?, _): "answered with error \(code)"
                case (nil, let status?) where (200..<300).contains(status):
                    "answered \(status) with what cannot be read"
                case (nil, let status?): "answered \(status)"
                case (nil, nil): "did not answer"
                }
            let cause = error.httpStatus == nil ? "" : error.cause.map { " (\($0.message.droppingLastStop))" } ?? ""
            self.init(
                refusal: nil,
                else: GatewayError(
                    error.isAway ? .unreachable : .malformed,
                    "\(api) \(what)\(words)\(cause).",
                    underlying: error
                )
            )
        }
    }
}

extension String {
    var droppingLastStop: Substring { dropLast(hasSuffix(".") ? 1 : 0) }
}
