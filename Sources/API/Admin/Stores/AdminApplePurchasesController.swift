import APITypes
import Billing
import Foundation
package import HTTP
package import Hummingbird
import Operations
import Storage

/// Asks Apple about orders, and sets account tokens there, for programs.
package struct AdminApplePurchasesController: Sendable {
    let backOffice: BackOffice

    package static let order = APIOperation(
        "lookUpAppleOrder",
        .stores,
        "What was bought under an order id of Apple",
        """
        Customers have it from the receipt that Apple sent by e-mail. Apple is asked in production; the sandbox has no orders. 404 for \
        one that Apple does not know for this app; 409 says why Apple cannot be asked.
        """,
        path: .name("order", "Apple's order id.", example: "MK5TTTVWJH"),
        asksStore: true,
        answer: .ok(AppleOrder.self, "What Apple says, and what is here of it.")
    )

    /// `GET /admin/stores/apple/orders/{order}`
    @Sendable package func show(_ call: APIRequest) async throws -> Response {
        let order = try await backOffice.lookUpOrder(try call.parameter("order"), of: call.app)
        return .json(AppleOrder(order))
    }

    package static let accountToken = APIOperation(
        "setAppleAccountToken",
        .stores,
        "Tells Apple whose a purchase is",
        """
        Its next transactions and notifications carry the token; the subscription is of the customer with that token from then on. \
        409 says why Apple cannot be told, or refuses.
        """,
        body: AccountTokenRequest.body,
        answer: .ok(AccountTokenResult.self, "What Apple was told.")
    )

    /// `POST /admin/stores/apple/account-tokens`
    @Sendable package func setAccountToken(_ call: APIRequest) async throws -> Response {
        let sent = try await call.body(AccountTokenRequest.self)
        let key = try call.key(for: sent.text)
        let reason = try Reason(category: sent.value.category, text: sent.value.reason)
        guard let original = sent.value.appleOriginalTransactionId, !original.isEmpty else {
            throw OperationsError(problems: [FieldProblem("appleOriginalTransactionId", .missing)])
        }
        guard let token = sent.value.appAccountToken else {
            throw OperationsError(problems: [FieldProblem("appAccountToken", .missing)])
        }
        let environment = try sent.value.environment.map { text throws(OperationsError) in
            try StoreEnvironment.named(text)
        }
        let outcome = try await backOffice.setAppAccountToken(
            token,
            of: original,
            in: environment,
            of: call.app,
            reason: reason,
            key: key,
            caller: call.caller
        )
        return .json(
            AccountTokenResult(
                appleOriginalTransactionId: original,
                appAccountToken: token,
                auditEntryId: outcome.auditEntry
            )
        )
    }
}

extension AppleOrder {
    fileprivate init(_ order: Operations.StoreOrder) {
        self.init(
            appleOrderId: order.id,
            transactions: order.transactions.map { transaction in
                Transaction(
                    appleTransactionId: transaction.id,
                    appleOriginalTransactionId: transaction.originalID,
                    productId: transaction.productID,
                    amount: transaction.price.map { Amount($0) },
                    currency: transaction.price?.currency.code,
                    purchasedAt: transaction.purchasedAt,
                    expiresAt: transaction.expiresAt,
                    revokedAt: transaction.revokedAt,
                    orderNumber: transaction.known?.orderNumber,
                    userId: transaction.known?.customer?.uuid,
                    subscriptionId: transaction.known?.subscription?.uuid
                )
            }
        )
    }
}
