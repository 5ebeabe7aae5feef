import Foundation
import Gateways

/// Why the simulated App Store refuses a call: Apple's code, in Apple's words where they are known.
struct SimulatedRefusal: Error {
    let code: AppleErrorCode

    init(_ code: AppleErrorCode) {
        self.code = code
    }

    var response: StoreResponse { Self.response(code: code.rawValue, message: code.words) }

    static func response(code: Int64, message: String) -> StoreResponse {
        let body: JSON = ["errorCode": .integer(code), "errorMessage": .string(message)]
        return .json(body, status: Int(code / 10_000))
    }
}

extension StoreResponse {
    /// Exactly this content type: Apple's own Python client reads no other.
    static func json(_ body: JSON, status: Int = 200) -> StoreResponse {
        StoreResponse(status: status, headers: ["content-type": "application/json"], body: Data(body.bytes))
    }
}

extension AppleErrorCode {
    fileprivate var words: String {
        switch self {
        case .generalBadRequest: "Bad request."
        case .invalidTransactionID: "Invalid transaction id."
        case .transactionIDNotFound: "Transaction id not found."
        case .originalTransactionIDNotFound: "Original transaction id not found."
        case .appTransactionNotFound: "No AppTransaction exists for the customer."
        case .appAccountTokenNotUUID: "Invalid request. The app account token field must be a valid UUID."
        case .familyTransactionNotSupported:
            "Invalid request. Family Sharing transactions aren't supported by this endpoint."
        case .notOriginalTransactionID:
            "Invalid request. The transaction ID provided is not an original transaction ID."
        case .rateLimitExceeded: "Rate limit exceeded."
        case .generalInternal: "An unknown error occurred."
        case .generalInternalRetryable: "An unknown error occurred. Please try again."
        default: spelledOut
        }
    }

    /// "startDateAfterEndDate" as "Start date after end date."
    private var spelledOut: String {
        let words = "\(self)".replacing(/[A-Z]+(?=[A-Z][a-z]|$)|[A-Z]/) { " " + $0.output.lowercased() }
        return words.prefix(1).uppercased() + words.dropFirst() + "."
    }
}
