package import Billing

/// The step that follows from a status of verifyReceipt (stores/apple.md, 4).
package enum VerifyReceiptStep: Hashable, Sendable {
    /// The receipt is genuine; its purchases may have expired.
    case accept
    /// The receipt is of the other environment: ask that one, once.
    case ask(StoreEnvironment)
    /// Apple could not say. It is asked again a few times; then `lastly` holds.
    case retry(lastly: Refusal)
    case refuse(Refusal)

    /// - Parameters:
    ///   - isRetryable: Apple's flag for its own errors (21100 to 21199); nil without one.
    ///   - environment: the environment that was asked.
    ///   - hasSwitched: true if the other environment was asked before.
    package static func after(
        status: Int64,
        isRetryable: Bool?,
        askedIn environment: StoreEnvironment,
        hasSwitched: Bool
    ) -> VerifyReceiptStep {
        switch status {
        // 21006 is sent for transactions of iOS 6 that have expired, with all that is known of them.
        case 0, 21_006: .accept
        case 21_007: other(than: environment, is: .sandbox, hasSwitched)
        case 21_008: other(than: environment, is: .production, hasSwitched)
        // Damaged, or a fault at Apple: only asking again tells.
        case 21_002: .retry(lastly: .malformed)
        case 21_001, 21_005, 21_009: .retry(lastly: .unavailable)
        case 21_100...21_199: isRetryable == false ? .refuse(.internalError) : .retry(lastly: .unavailable)
        case 21_000: .refuse(.badRequest)
        case 21_003: .refuse(.notAuthentic)
        case 21_004: .refuse(.wrongSecret)
        case 21_010: .refuse(.neverPurchased)
        // A status that Apple does not document is no refusal.
        default: .retry(lastly: .unknown)
        }
    }

    private static func other(
        than environment: StoreEnvironment,
        is wanted: StoreEnvironment,
        _ hasSwitched: Bool
    ) -> VerifyReceiptStep {
        environment == wanted || hasSwitched ? .refuse(.noEnvironment) : .ask(wanted)
    }

    /// The reason that Apple does not accept a receipt.
    package enum Refusal: Hashable, Sendable, CaseIterable {
        /// 21002, even after it was asked again.
        case malformed
        case unavailable
        /// 21100 to 21199, marked as not retryable.
        case internalError
        /// 21000: our own mistake.
        case badRequest
        /// 21003
        case notAuthentic
        /// 21004, after the receipt's bundle id was found to be the app's.
        case wrongSecret
        /// 21010: the account is gone, or never was.
        case neverPurchased
        /// Each environment names the other.
        case noEnvironment
        /// A status that Apple does not document.
        case unknown

        /// The rule for verifyReceipt: a documented status that persists is Apple's refusal.
        func failure(_ status: Int64) -> StoreFailure {
            let reason = error(status)
            switch self {
            case .unavailable, .unknown, .badRequest, .wrongSecret: return StoreFailure(refusal: nil, else: reason)
            case .malformed, .internalError, .notAuthentic, .neverPurchased, .noEnvironment:
                return StoreFailure(refusal: StoreRefusal(code: status, reason), else: reason)
            }
        }

        func error(_ status: Int64) -> GatewayError {
            switch self {
            case .malformed:
                GatewayError(.malformed, "Apple cannot read the receipt (21002).", field: "receipt")
            case .unavailable:
                GatewayError(.unreachable, "Apple cannot verify receipts at the moment (\(status)).")
            case .internalError:
                GatewayError(.malformed, "Apple cannot verify this receipt (\(status)).", field: "receipt")
            case .badRequest:
                GatewayError(.misconfigured, "Apple does not take the way it is asked (21000).")
            case .notAuthentic:
                GatewayError(.invalidSignature, "Apple did not sign the receipt (21003).", field: "receipt")
            case .wrongSecret:
                GatewayError(.misconfigured, "The shared secret is not the app's (21004).", field: "sharedSecret")
            case .neverPurchased:
                GatewayError(.missing, "Apple does not know the receipt's account (21010).", field: "receipt")
            case .noEnvironment:
                GatewayError(
                    .wrongEnvironment,
                    "Neither production nor the sandbox takes the receipt (\(status)).",
                    field: "receipt"
                )
            case .unknown:
                GatewayError(.unreachable, "Apple answers with a status that it does not document (\(status)).")
            }
        }
    }
}
