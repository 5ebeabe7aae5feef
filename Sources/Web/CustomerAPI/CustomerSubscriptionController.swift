import APITypes
import Billing
import Foundation
import Hummingbird
import Operations
import Storage

/// A customer's subscription, as the readmigo document has it.
struct CustomerSubscriptionController: Sendable {
    let backOffice: BackOffice

    static let status = APIOperation(
        "showSubscriptionStatus",
        .customerSubscriptions,
        "What the customer has now",
        answer: .ok(SubscriptionStatus.self, "The subscription that decides.")
    )

    /// `GET /subscriptions/status`
    @Sendable func show(_ call: CustomerRequest) async throws -> Response {
        .json(try await status(call))
    }

    static let verify = APIOperation(
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
        answer: .ok(ReceiptVerification.self, "What the proof is worth, and what the customer has now.")
    )

    /// `POST /subscriptions/verify`
    @Sendable func verify(_ call: CustomerRequest) async throws -> Response {
        let sent = try await call.request.json(ReceiptRequest.self, limit: BodyLimit.notification * 2).value
        guard let proof = sent.proof else {
            throw OperationsError(problems: [FieldProblem("signedTransactions", .missing)])
        }
        return .json(try await verified(proof, sent.signedAppTransaction, call))
    }

    static let restore = APIOperation(
        "restorePurchases",
        .customerSubscriptions,
        "Restores the customer's purchases",
        "With a proof as `POST /subscriptions/verify` takes it; without one, it answers what the customer has.",
        body: ReceiptRequest.body,
        takesKey: false,
        asksStore: true,
        answer: .ok(ReceiptVerification.self, "What the proof is worth, and what the customer has now.")
    )

    /// `POST /subscriptions/restore`
    @Sendable func restore(_ call: CustomerRequest) async throws -> Response {
        let sent = try await call.request.json(ReceiptRequest.self, limit: BodyLimit.notification * 2).value
        guard let proof = sent.proof else {
            let status = try await status(call)
            return .json(
                ReceiptVerification(
                    success: true,
                    message: call.strings.customerApiRestored.description,
                    verificationId: nil,
                    verificationStatus: nil,
                    subscription: status
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
        let verification: PurchaseVerification
        do {
            verification = try await backOffice.verifyPurchase(
                PurchaseRequest(
                    claimant: .known(call.customer),
                    proof: proof,
                    signedAppTransaction: signedAppTransaction
                ),
                of: call.app
            )
        } catch let error as OperationsError {
            throw error.renaming("receipt", to: "receiptData").forPrograms()
        }
        let state = verification.state
        return ReceiptVerification(
            success: state != .rejected && state != .pending,
            message: state.message(call.strings).description,
            verificationId: verification.id.uuid,
            verificationStatus: state.rawValue.uppercased(),
            subscription: try await status(call)
        )
    }

    /// From the primary: what was just verified is there.
    private func status(_ call: CustomerRequest) async throws -> SubscriptionStatus {
        try await backOffice.database.readPrimary { reader in
            let held = try await reader.entitlementSources.current(of: call.customer, app: call.app)
            return SubscriptionStatus(held.sources, of: call.session, basePlan: held.basePlan, at: reader.now)
        }
    }
}

extension ReceiptRequest {
    /// The one that proves most; nil without any.
    fileprivate var proof: PurchaseProof? {
        if let signedTransactions { return .signedTransactions(signedTransactions) }
        if let receiptData { return .receipt(receiptData) }
        return transactionId.map { .transactionID($0) }
    }
}

extension PurchaseVerification.State {
    /// For whoever bought.
    fileprivate func message(_ strings: Strings) -> StaticString {
        switch self {
        case .pending: strings.customerApiPending
        case .provisional: strings.customerApiProvisional
        case .verified: strings.customerApiVerified
        case .rejected: strings.customerApiRejected
        }
    }
}
