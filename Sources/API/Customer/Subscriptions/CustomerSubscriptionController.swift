import APITypes
import Billing
import Foundation
package import HTTP
package import Hummingbird
import Operations
import Storage
package import Words

/// Answers a customer's subscription in the readmigo document's shape, and verifies their purchases.
package struct CustomerSubscriptionController: Sendable {
    let purchases: CustomerPurchases

    package static let status = APIOperation(
        "showSubscriptionStatus",
        .customerSubscriptions,
        "What the customer has now",
        answer: .ok(SubscriptionStatus.self, "The subscription that decides.")
    )

    /// `GET /subscriptions/status`
    @Sendable package func show(_ call: CustomerRequest) async throws -> Response {
        .json(SubscriptionStatus(try await purchases.current(of: call.session)))
    }

    package static let verify = APIOperation(
        "verifyReceipt",
        .customerSubscriptions,
        "Verifies a purchase of the customer",
        """
        What the store has signed holds at once; for the rest the store is asked, for twenty seconds here and then in the background until \
        it answers. Sending the same again changes nothing.
        """,
        body: ReceiptRequest.body,
        takesKey: false,
        asksStore: true,
        findsByBody: true,
        answer: .ok(ReceiptVerification.self, "What the proof is worth, and what the customer has now.")
    )

    /// `POST /subscriptions/verify`
    @Sendable package func verify(_ call: CustomerRequest) async throws -> Response {
        let sent = try await call.request.json(ReceiptRequest.self, limit: BodyLimit.notification * 2).value
        guard let proof = try sent.proof() else {
            throw OperationsError(problems: [FieldProblem("signedTransactions", .missing)])
        }
        return .json(try await verified(proof, sent.signedAppTransaction, call))
    }

    package static let restore = APIOperation(
        "restorePurchases",
        .customerSubscriptions,
        "Restores the customer's purchases",
        """
        With a proof as `POST /subscriptions/verify` takes it. Without one, also without a body, Apple is asked about the latest purchases that \
        the customer has here, as by `POST /api/v1/subscription/sync`.
        """,
        body: ReceiptRequest.body,
        takesKey: false,
        asksStore: true,
        findsByBody: true,
        answer: .ok(ReceiptVerification.self, "What the proof is worth, and what the customer has now.")
    )

    /// `POST /subscriptions/restore`
    @Sendable package func restore(_ call: CustomerRequest) async throws -> Response {
        let sent = try await call.request.json(ReceiptRequest.self, limit: BodyLimit.notification * 2).value
        guard let proof = try sent.proof() else {
            let current = try await purchases.asked(for: call)
            return .json(
                ReceiptVerification(
                    success: true,
                    message: call.strings.customerApiRestored.description,
                    verificationId: nil,
                    verificationStatus: nil,
                    subscription: SubscriptionStatus(current)
                )
            )
        }
        return .json(try await verified(proof, sent.signedAppTransaction, call))
    }

    private func verified(
        _ proof: PurchaseProof,
        _ signedAppTransaction: String?,
        _ call: CustomerRequest
    ) async throws -> ReceiptVerification {
        let verification = try await purchases.verify(proof, signedAppTransaction, for: call)
        let current = try await purchases.changed(of: call.session)
        return ReceiptVerification(
            success: verification.state.givesAccess,
            message: verification.state.message(call.strings).description,
            verificationId: verification.id.uuid,
            verificationStatus: verification.state.rawValue.uppercased(),
            worthless: verification.worthlessProofs,
            subscription: SubscriptionStatus(current)
        )
    }
}

extension PurchaseVerification.State {
    /// Returns the message for the customer.
    package func message(_ strings: Strings) -> StaticString {
        switch self {
        case .pending: strings.customerApiPending
        case .provisional: strings.customerApiProvisional
        case .verified: strings.customerApiVerified
        case .rejected: strings.customerApiRejected
        }
    }
}
