package import APITypes
import Billing
package import HTTPTypes
import NIOCore
package import Operations
import Storage

/// The one table from our errors to HTTP.
package enum ErrorTable {
    /// Returns the answer to an error. Unexpected ones become an internal error; their text stays in the log.
    package static func webError(for error: any Error) -> WebError {
        switch error {
        case let error as WebError: return error
        case let error as OperationsError: return webError(for: error)
        case let error as RateLimitExceeded:
            return WebError(
                .tooManyRequests,
                "Too many calls in a short time. Come back in \(error.retryAfter) seconds.",
                retryAfter: error.retryAfter,
                underlying: error
            )
        case is NIOTooManyBytesError:
            return WebError(.payloadTooLarge, "The body is larger than this address takes.", underlying: error)
        case is CancellationError:
            return WebError(.unavailable, "The server is stopping.", retryAfter: 5, underlying: error)
        default: break
        }
        switch DatabaseFailure(error) {
        case .away:
            return WebError(.unavailable, "The database is away; try again soon.", retryAfter: 5, underlying: error)
        case .busy:
            let message = "Somebody is changing this customer right now. Nothing was done; try again in a moment."
            return WebError(.busy, message, retryAfter: 2, underlying: error)
        case .unusableInput:
            return WebError(
                .badRequest,
                "The request contains a character, a number or a date that cannot be kept.",
                underlying: error
            )
        case nil: return WebError(.internalError, "Something went wrong on our side.", underlying: error)
        }
    }

    private static func webError(for error: OperationsError) -> WebError {
        if let refusal = error.underlying as? UsageRefusal {
            var failure = WebError(
                refusal.code,
                error.message,
                reason: refusal.reason,
                retryAfter: error.retryAfter,
                underlying: error
            )
            failure.usage = refusal
            return failure
        }
        let code: WebError.Code =
            switch error.code {
            case .invalid: .invalid
            case .notAuthentic: .unauthenticated
            case .wrongApp, .forbidden: .forbidden
            case .notFound: .notFound
            case .conflict, .stale: .conflict
            case .blocked: .tooManyRequests
            case .overloaded, .misconfigured: .unavailable
            }
        let message = error.code == .misconfigured ? "The server is not set up for this." : error.message
        let retryAfter = code == .unavailable ? error.retryAfter ?? 5 : error.retryAfter
        var failure = WebError(code, message, reason: error.reason, retryAfter: retryAfter, underlying: error)
        failure.signIn = error.underlying as? SignInRefusal
        failure.owner = error.underlying as? PurchaseOwnedByAnother
        failure.fields = error.problems
        return failure
    }

    package static func status(of code: WebError.Code) -> HTTPResponse.Status {
        switch code {
        case .badRequest: .badRequest
        case .unauthenticated: .unauthorized
        case .forbidden, .forged, .tierRequired, .usedUp: .forbidden
        case .notFound: .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .conflict: .conflict
        case .payloadTooLarge: .contentTooLarge
        case .uriTooLong: .uriTooLong
        case .unsupportedMediaType: .unsupportedMediaType
        case .invalid: .unprocessableContent
        case .tooManyRequests, .limitReached: .tooManyRequests
        case .headersTooLarge: .requestHeaderFieldsTooLarge
        case .internalError, .misconfigured: .internalServerError
        case .unavailable, .busy: .serviceUnavailable
        }
    }

    /// Returns the reason that an app gets for a failure for which nobody gave one.
    package static func reason(of code: WebError.Code) -> ProblemCode {
        switch code {
        case .badRequest: .badRequest
        case .unauthenticated: .unauthenticated
        case .forbidden, .forged: .forbidden
        case .notFound: .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .conflict: .conflict
        case .payloadTooLarge: .payloadTooLarge
        case .uriTooLong: .uriTooLong
        case .unsupportedMediaType: .unsupportedMediaType
        case .invalid: .invalid
        case .tooManyRequests: .tooManyRequests
        case .tierRequired: .tierRequired
        case .limitReached, .usedUp: .limitReached
        case .headersTooLarge: .headersTooLarge
        case .internalError, .misconfigured: .internalError
        case .unavailable: .unavailable
        case .busy: .busy
        }
    }

    /// The problem's title and the end of its `type`.
    package static func kind(of code: WebError.Code) -> (title: String, slug: String) {
        switch code {
        case .badRequest: ("Bad request", "bad-request")
        case .unauthenticated: ("Not authenticated", "unauthenticated")
        case .forbidden: ("Not allowed", "forbidden")
        case .forged: ("Not from our page", "forged")
        case .notFound: ("Not found", "not-found")
        case .methodNotAllowed: ("Method not allowed", "method-not-allowed")
        case .conflict: ("Conflict", "conflict")
        case .payloadTooLarge: ("Body too large", "payload-too-large")
        case .uriTooLong: ("URL too long", "uri-too-long")
        case .unsupportedMediaType: ("Media type not supported", "unsupported-media-type")
        case .invalid: ("Input not valid", "invalid")
        case .tooManyRequests: ("Too many requests", "too-many-requests")
        case .tierRequired: ("Not in the plan", "tier-required")
        case .limitReached, .usedUp: ("Limit reached", "limit-reached")
        case .headersTooLarge: ("Headers too large", "headers-too-large")
        case .internalError, .misconfigured: ("Internal error", "internal-error")
        case .unavailable: ("Not available", "unavailable")
        case .busy: ("Somebody is changing it", "busy")
        }
    }
}

extension UsageRefusal {
    fileprivate var code: WebError.Code {
        switch self {
        case .tierRequired: .tierRequired
        case .limitReached(_, let reached): reached.resetsAt == nil ? .usedUp : .limitReached
        }
    }

    fileprivate var reason: ProblemCode {
        switch self {
        case .tierRequired: .tierRequired
        case .limitReached: .limitReached
        }
    }
}

extension Problem {
    /// The problem of an error, as every answer to a program tells it.
    ///
    /// - Parameters:
    ///   - path: the path that was asked for; empty where the request could not be read.
    ///   - requestID: under which the log has it; empty where the log has nothing.
    package init(_ code: WebError.Code, detail: String, at path: String, requestID: String, errors: [InputError] = []) {
        let kind = ErrorTable.kind(of: code)
        self.init(
            type: "/problems/\(kind.slug)",
            title: kind.title,
            status: ErrorTable.status(of: code).code,
            detail: detail,
            instance: path,
            requestId: requestID,
            errors: errors
        )
    }
}
