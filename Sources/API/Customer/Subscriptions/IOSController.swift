import APITypes
import Billing
package import HTTP
package import Hummingbird
import Operations
import Storage
import Words

/// Answers a customer's subscription in the llm-proxy document's shape. Errors have `success` and `message` beside the members of
/// every problem.
package struct IOSController: Sendable {
    let purchases: CustomerPurchases

    package static let validate = APIOperation(
        "validateIOSReceipt",
        .customerSubscriptions,
        "Validates a receipt of the customer",
        """
        As `POST /subscriptions/verify`, in another shape. A receipt that proves nothing is 400, and so is what is no receipt; `message` \
        says so to the customer.
        """,
        body: ReceiptRequest.body,
        takesKey: false,
        asksStore: true,
        findsByBody: true,
        answer: .ok(IOSReceiptValidation.self, "What the receipt is worth, and what the customer has now.")
    )

    /// `POST /ios/validate-receipt`
    @Sendable package func validate(_ call: CustomerRequest) async throws -> Response {
        let (sent, proof) = try await Self.receipt(in: call)
        guard let proof else {
            throw Self.invalidReceipt(OperationsError(problems: [FieldProblem("receiptData", .missing)]))
        }
        return .json(try await validated(proof, sent, call, success: call.strings.customerApiReceiptValidated))
    }

    package static let restore = APIOperation(
        "restoreIOSPurchases",
        .customerSubscriptions,
        "Restores the customer's purchases from their receipt",
        """
        With a receipt as `POST /ios/validate-receipt` takes it. Without one, also without a body, Apple is asked about the latest purchases that \
        the customer has here, as by `POST /api/v1/subscription/sync`.
        """,
        body: ReceiptRequest.body,
        takesKey: false,
        asksStore: true,
        findsByBody: true,
        answer: .ok(IOSReceiptValidation.self, "What the receipt is worth, and what the customer has now.")
    )

    /// `POST /ios/restore`
    @Sendable package func restore(_ call: CustomerRequest) async throws -> Response {
        let (sent, proof) = try await Self.receipt(in: call)
        let restored = call.strings.customerApiRestored
        guard let proof else {
            let current = try await purchases.asked(for: call)
            let confirmation = try await purchases.confirmation(for: current)
            return .json(IOSReceiptValidation(current, confirmation, success: true, restored.description))
        }
        return .json(try await validated(proof, sent, call, success: restored))
    }

    package static let status = APIOperation(
        "showIOSStatus",
        .customerSubscriptions,
        "What the customer has now, and whether the App Store has confirmed it",
        answer: .ok(IOSStatus.self, "The subscription that decides, and the latest one at the App Store.")
    )

    /// `GET /ios/status`
    @Sendable package func show(_ call: CustomerRequest) async throws -> Response {
        let current = try await purchases.current(of: call.session)
        let usage = try await purchases.backOffice.usage(for: call.session)
        return .json(IOSStatus(current, try await purchases.confirmation(for: current), usage))
    }

    private func validated(
        _ proof: PurchaseProof,
        _ sent: ReceiptRequest,
        _ call: CustomerRequest,
        success: StaticString
    ) async throws -> IOSReceiptValidation {
        let verification: PurchaseVerification
        do {
            verification = try await purchases.verify(proof, sent.signedAppTransaction, for: call)
        } catch let error as OperationsError where error.code == .invalid {
            throw Self.invalidReceipt(error)
        }
        let state = verification.state
        let current = try await purchases.changed(of: call.session)
        return IOSReceiptValidation(
            current,
            try await purchases.confirmation(for: current),
            success: state.givesAccess,
            (state == .verified ? success : state.message(call.strings)).description
        )
    }

    /// - Throws: `WebError` with `.badRequest` for a value that is no receipt, by its field; the errors of `Request.json`.
    private static func receipt(in call: CustomerRequest) async throws -> (ReceiptRequest, PurchaseProof?) {
        do {
            let sent = try await call.request.json(ReceiptRequest.self, limit: BodyLimit.notification * 2).value
            return (sent, try sent.proof())
        } catch let error as OperationsError {
            throw invalidReceipt(error)
        } catch var error as WebError where error.code == .invalid {
            (error.code, error.reason) = (.badRequest, .receiptValidationFailed)
            throw error
        }
    }

    /// Returns status 400, as the document has it ("Invalid Receipt"); also for a value that is no receipt at all.
    private static func invalidReceipt(_ error: OperationsError) -> WebError {
        var failure = WebError(.badRequest, error.message, reason: .receiptValidationFailed, underlying: error)
        failure.fields = error.problems
        return failure
    }
}
