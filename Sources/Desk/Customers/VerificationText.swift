import Billing
import HTTP
import Storage
import Words

/// A proof of purchase in words.
enum VerificationText {
    static func title(of state: PurchaseVerification.State, _ strings: Strings) -> StaticString {
        switch state {
        case .pending: strings.timelineVerificationPending
        case .provisional: strings.timelineVerificationProvisional
        case .verified: strings.timelineVerificationVerified
        case .rejected: strings.timelineVerificationRejected
        }
    }

    static func name(of form: PurchaseProof.Form, _ strings: Strings) -> StaticString {
        switch form {
        case .signedTransactions: strings.timelineProofSigned
        case .receipt: strings.timelineProofReceipt
        case .transactionID: strings.timelineProofId
        case .purchaseToken: strings.timelineProofToken
        }
    }
}
