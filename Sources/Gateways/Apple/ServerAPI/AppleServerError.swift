package import Billing
package import Foundation

/// Why a call to the App Store Server API came to nothing.
package struct AppleServerError: Error, CustomStringConvertible {
    package var endpoint: AppleEndpoint
    /// Who said so last.
    package var environment: StoreEnvironment
    /// nil where no answer came, and where nothing was asked.
    package var httpStatus: Int?
    /// Apple's number, also one that is not known here; nil where the answer was not JSON.
    package var rawCode: Int64?
    /// Apple's own words.
    package var message: String?
    /// When Apple may be asked again, where it says so.
    package var retryAfter: Date?
    /// What went wrong on the way: `.unreachable`, or `.malformed` for an answer that is not Apple's.
    package var cause: GatewayError?

    package init(
        _ endpoint: AppleEndpoint,
        in environment: StoreEnvironment,
        httpStatus: Int? = nil,
        rawCode: Int64? = nil,
        message: String? = nil,
        retryAfter: Date? = nil,
        cause: GatewayError? = nil
    ) {
        self.endpoint = endpoint
        self.environment = environment
        self.httpStatus = httpStatus
        self.rawCode = rawCode
        self.message = message
        self.retryAfter = retryAfter
        self.cause = cause
    }

    /// nil for a code that is not known here.
    package var code: AppleErrorCode? { rawCode.flatMap(AppleErrorCode.init(rawValue:)) }

    /// Whether the same call may go better later.
    package var isRetryable: Bool {
        if cause?.code == .unreachable { return true }
        if code?.isRetryable == true { return true }
        guard let httpStatus else { return false }
        return httpStatus == 429 || httpStatus >= 500
    }

    /// Whether Apple is sure that it did nothing; not where no answer came, or one that cannot be read.
    package var isRefusal: Bool {
        if let cause { return cause.code == .misconfigured }
        return httpStatus.map { (400..<500).contains($0) } ?? true
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
            return
        }
        rawCode = code
        message = json["errorMessage"]?.string
    }
}
