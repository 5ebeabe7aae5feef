package import Billing

/// What follows from a status of verifyReceipt (stores/apple.md, 4).
package enum VerifyReceiptStep: Hashable, Sendable {
    /// The receipt is genuine; what is in it may have expired.
    case accept
    /// The receipt is of the other environment: ask there, once.
    case ask(StoreEnvironment)
    /// Apple could not say. Asked again a few times; then `lastly` holds.
    case retry(lastly: Refusal)
    case refuse(Refusal)

    /// - Parameters:
    ///   - isRetryable: what Apple says of its own errors (21100 to 21199); nil where it does not say.
    ///   - environment: where it was asked.
    ///   - hasSwitched: whether it was asked in the other environment before.
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
        // Damaged, or Apple's trouble: only asking again tells.
        case 21_002: .retry(lastly: .malformed)
        case 21_001, 21_005, 21_009: .retry(lastly: .unavailable)
        case 21_100...21_199: isRetryable == false ? .refuse(.internalError) : .retry(lastly: .unavailable)
        case 21_000: .refuse(.badRequest)
        case 21_003: .refuse(.notAuthentic)
        case 21_004: .refuse(.wrongSecret)
        case 21_010: .refuse(.neverPurchased)
        // No status that Apple documents says no.
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

    /// Why Apple does not take a receipt.
    package enum Refusal: Hashable, Sendable, CaseIterable {
        /// 21002, also after it was asked again.
        case malformed
        case unavailable
        /// 21100 to 21199 with the word that asking again is no use.
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

        /// The rule for verifyReceipt: a documented status that stays is Apple's no.
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
