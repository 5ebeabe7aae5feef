import APITypes
import Billing
import Hummingbird
import Operations
import Storage

/// A customer's subscription, as the lightgallery document has it.
struct PaymentController: Sendable {
    let purchases: CustomerPurchases

    static let status = APIOperation(
        "showCurrentSubscription",
        .customerSubscriptions,
        "The customer's subscription",
        answer: .ok(CustomerSubscription.self, "What decides now, or what ended last.")
    )

    /// `GET /api/v1/subscription/status`
    @Sendable func show(_ call: CustomerRequest) async throws -> Response {
        .json(try await subscription(try await purchases.current(of: call.session)))
    }

    static let verify = APIOperation(
        "verifyPayment",
        .customerSubscriptions,
        "Verifies a payment of the customer",
        "As `POST /subscriptions/verify`, in another shape.",
        body: PaymentVerificationRequest.body,
        takesKey: false,
        asksStore: true,
        answer: .ok(CustomerSubscription.self, "What the customer has now; `pending` while the store has not answered.")
    )

    /// `POST /api/v1/subscription/verify`
    @Sendable func verify(_ call: CustomerRequest) async throws -> Response {
        let sent = try await call.request.json(
            PaymentVerificationRequest.self,
            limit: BodyLimit.notification * 2
        ).value
        try requireApple(sent.paymentMethod, call.strings)
        guard let proof = try sent.receipt.proof() else {
            throw OperationsError(problems: [FieldProblem("signedTransactions", .missing)])
        }
        let verification = try await purchases.verify(proof, sent.signedAppTransaction, for: call)
        let current = try await purchases.current(of: call.session, after: verification)
        return .json(try await subscription(current))
    }

    static let sync = APIOperation(
        "syncSubscription",
        .customerSubscriptions,
        "Asks the store how the customer's subscription stands",
        """
        Apple is asked about the latest three subscriptions, for twenty seconds at most and once a minute; where it cannot be asked, \
        what is known is answered.
        """,
        takesKey: false,
        asksStore: true,
        answer: .ok(CustomerSubscription.self, "What the customer has now.")
    )

    /// `POST /api/v1/subscription/sync`
    @Sendable func sync(_ call: CustomerRequest) async throws -> Response {
        try await purchases.backOffice.syncPurchases(of: call.customer, app: call.app)
        return .json(try await subscription(try await purchases.current(of: call.session)))
    }

    static let cancel = APIOperation(
        "cancelSubscription",
        .customerSubscriptions,
        "Says where the customer cancels",
        """
        What was bought at the App Store or at Google Play is cancelled there, by the customer. What does not renew is 409: a grant, \
        what ends by itself, nothing.
        """,
        takesKey: false,
        asksStore: true,
        answer: .ok(SubscriptionCancellation.self, "Where to go.")
    )

    /// `POST /api/v1/subscription/cancel`
    @Sendable func cancel(_ call: CustomerRequest) async throws -> Response {
        let current = try await purchases.current(of: call.session)
        guard let store = current.cancellableStore else {
            let strings = call.strings
            let reason = current.grant == nil ? strings.customerApiNothingToCancel : strings.customerApiGrantEnds
            throw WebError(.conflict, reason.description)
        }
        guard let page = store.subscriptionsPage else {
            throw WebError(.conflict, call.strings.customerApiDoesNotRenew.description)
        }
        let message = call.strings.customerApiCancelAtStore(store: StoreText.name(of: store, call.strings))
        return .json(SubscriptionCancellation(cancelled: false, manageUrl: page, message: message))
    }

    private func subscription(_ current: CurrentSubscription) async throws -> CustomerSubscription {
        CustomerSubscription(
            current,
            try await purchases.confirmation(for: current),
            product: try await purchases.product(of: current)
        )
    }

    /// - Throws: `.invalid` for what is no way to pay, `.conflict` for one that apps prove nothing of.
    private func requireApple(_ method: String?, _ strings: Strings) throws {
        guard let method, !method.isEmpty else {
            throw OperationsError(problems: [FieldProblem("paymentMethod", .missing)])
        }
        guard let store = Store.allCases.first(where: { $0.paymentMethod == method }) else {
            throw OperationsError(problems: [FieldProblem("paymentMethod", .unknownChoice)])
        }
        guard store == .apple else {
            throw WebError(.conflict, strings.customerApiMethodNotConnected.description, field: "paymentMethod")
        }
    }
}
