import APITypes
import Billing
import Foundation
package import HTTP
package import Hummingbird
import Operations
import Storage

/// Verifies purchases, and answers their verifications, for apps' servers.
package struct AdminPurchasesController: Sendable {
    let backOffice: BackOffice

    private var database: Database { backOffice.database }

    package static let verify = APIOperation(
        "verifyPurchase",
        .purchases,
        "Verifies a purchase for a customer",
        """
        What the store has signed holds at once; for the rest the store is asked, for twenty seconds here and then in the background \
        until it answers. Sending the same again changes nothing, so there is no key.
        """,
        body: PurchaseProofRequest.body,
        takesKey: false,
        answer: .ok(PurchaseVerificationItem.self, "What the proof is worth, and what the customer may use.")
    )

    /// `POST /admin/purchases`
    @Sendable package func create(_ call: APIRequest) async throws -> Response {
        let sent = try await call.body(PurchaseProofRequest.self, limit: BodyLimit.notification * 2)
        let verification: PurchaseVerification
        do {
            verification = try await backOffice.verifyPurchase(try sent.value.request(), of: call.app)
        } catch let error as OperationsError {
            throw error.forPrograms()
        }
        return .json(try await item(verification.id, call))
    }

    package static let one = APIOperation(
        "showPurchaseVerification",
        .purchases,
        "What a proof of purchase is worth by now",
        path: .id("id", "The verification's id."),
        answer: .ok(PurchaseVerificationItem.self, "What the proof is worth, and what the customer may use.")
    )

    /// `GET /admin/purchases/{id}`
    @Sendable package func show(_ call: APIRequest) async throws -> Response {
        guard let id = PurchaseVerification.ID(try call.parameter("id")) else { throw Self.missing }
        return .json(try await item(id, call))
    }

    /// Reads from the primary, which has what was just verified.
    private func item(_ id: PurchaseVerification.ID, _ call: APIRequest) async throws -> PurchaseVerificationItem {
        try await database.readPrimary { reader in
            guard let details = try await reader.screens.purchaseVerification(id, app: call.app),
                let held = try await reader.entitlementSources.of(details.verification.customer, app: call.app)
            else { throw Self.missing }
            let actions = try await reader.entitlementSources.actions(of: details.verification.customer, limit: 10)
            let rescindedAt = try await reader.screens.consentRescindedAt(of: details.verification.customer)
            let basePlan = try await reader.entitlementSources.settings(of: call.app)?.basePlan
            let access = CustomerAccess(
                held,
                actions,
                basePlan: basePlan?.plan.code,
                consentRescindedAt: rescindedAt,
                at: reader.now
            )
            return PurchaseVerificationItem(details, access, at: reader.now)
        }
    }

    private static var missing: WebError { WebError(.notFound, "There is no such verification.") }
}

extension PurchaseProofRequest {
    /// - Throws: `OperationsError` with `.invalid` and the fields that are wrong.
    fileprivate func request() throws(OperationsError) -> PurchaseRequest {
        var proofs: [PurchaseProof] = []
        if let signedTransactions { proofs.append(.signedTransactions(signedTransactions)) }
        if let receipt { proofs.append(.receipt(receipt)) }
        if let transactionId { proofs.append(.transactionID(transactionId)) }
        if let purchaseToken { proofs.append(.purchaseToken(purchaseToken)) }
        guard let proof = proofs.first else {
            let nameless = (customerId ?? "").isEmpty ? [FieldProblem("customerId", .missing)] : []
            throw OperationsError(problems: nameless + [FieldProblem("signedTransactions", .missing)])
        }
        guard proofs.count == 1 else {
            throw OperationsError(
                .invalid,
                "Send one of signedTransactions, receipt, transactionId and purchaseToken.",
                field: "signedTransactions"
            )
        }
        return try PurchaseRequest(
            customer: CustomerIdentity(
                externalID: customerId ?? "",
                isAnonymous: isAnonymous ?? false,
                accountToken: appAccountToken
            ),
            proof: proof,
            signedAppTransaction: signedAppTransaction
        )
    }
}

extension PurchaseVerificationItem {
    fileprivate init(_ details: PurchaseVerificationDetails, _ access: CustomerAccess, at now: Date) {
        let verification = details.verification
        self.init(
            id: verification.id.uuid,
            status: verification.state.rawValue.uppercased(),
            message: verification.message,
            problem: verification.problem,
            worthless: verification.worthlessProofs,
            customerId: details.externalID,
            appAccountToken: details.accountToken,
            requestedAt: verification.requestedAt,
            provisionalUntil: verification.state == .provisional ? verification.provisionalUntil : nil,
            isTrialEligible: details.isTrialEligible,
            purchases: details.claims.map { ClaimedPurchase($0, at: now) },
            access: access
        )
    }
}

extension PurchaseVerificationItem.ClaimedPurchase {
    fileprivate init(_ claim: PurchaseVerificationDetails.Claim, at now: Date) {
        self.init(
            subscriptionId: claim.subscription.uuid,
            originalTransactionId: claim.originalTransactionID,
            productId: claim.held.productID,
            status: claim.held.state(at: now).rawValue.uppercased(),
            expiresAt: claim.held.periodEndsAt,
            claim: claim.outcome.rawValue.uppercased()
        )
    }
}

extension PurchaseVerification {
    /// The message for the customer, through the app's server.
    fileprivate var message: String {
        switch state {
        case .pending: "Verification pending. The store has not answered yet and is asked again."
        case .provisional: "Verified for now. The store has not confirmed the purchase yet and is asked again."
        case .verified: "Verified."
        case .rejected: "Not verified."
        }
    }
}
