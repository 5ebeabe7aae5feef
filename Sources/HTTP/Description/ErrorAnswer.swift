package import APITypes

/// The errors that operations can answer; an operation's own follow from its route.
package enum ErrorAnswer: Int, CaseIterable {
    case badRequest = 400
    case unauthenticated = 401
    case forbidden = 403
    case notFound = 404
    case conflict = 409
    case tooLarge = 413
    case addressTooLong = 414
    case mediaType = 415
    case invalid = 422
    case tooMany = 429
    case headersTooLarge = 431
    case `internal` = 500
    case unavailable = 503

    package var name: String {
        switch self {
        case .badRequest: "BadRequest"
        case .unauthenticated: "Unauthenticated"
        case .forbidden: "Forbidden"
        case .notFound: "NotFound"
        case .conflict: "Conflict"
        case .tooLarge: "TooLarge"
        case .addressTooLong: "AddressTooLong"
        case .mediaType: "MediaType"
        case .invalid: "Invalid"
        case .tooMany: "TooMany"
        case .headersTooLarge: "HeadersTooLarge"
        case .internal: "Internal"
        case .unavailable: "Unavailable"
        }
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("description", meaning)
            json.content("application/problem+json", Problem.schema)
        }
    }

    package var meaning: String {
        switch self {
        case .badRequest: "The request cannot be read."
        case .unauthenticated: "No token, or one that is unknown, revoked or expired."
        case .forbidden:
            """
            The owner's role, or the key's scopes, do not allow this; or the customer's plan does not give it: then `code` says why.
            """
        case .notFound: "There is no such thing."
        case .conflict: "It has changed meanwhile, or it would contradict what is there."
        case .tooLarge: "More than this address takes."
        case .addressTooLong: "The address has more than \(RequestLimits.longestURL) bytes."
        case .mediaType: "The body is not application/json."
        case .invalid: "A parameter or field breaks a rule; `errors` names it."
        case .tooMany:
            """
            Too often in a short time, or a limit of the customer's plan is reached: then `code` says so. `Retry-After` says when to \
            come back.
            """
        case .headersTooLarge:
            "There are more than \(RequestLimits.mostHeaders) headers, or they have more than \(RequestLimits.largestHeaders) bytes."
        case .internal: "Something went wrong on our side."
        case .unavailable:
            """
            Not available just now; `Retry-After` says when to come back. `type` is `/problems/busy` when somebody is \
            changing the same customer or order at this moment, and `/problems/unavailable` when the database is away or \
            the server is stopping or has too much to do. Nothing was done either way.
            """
        }
    }
}
