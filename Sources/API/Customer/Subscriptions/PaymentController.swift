import APITypes
import Billing
package import HTTP
package import Hummingbird
import Operations
import Storage
import Words

/// Answers a customer's subscription in the lightgallery document's shape, and verifies and cancels purchases.
package struct PaymentController: Sendable {
    let purchases: CustomerPurchases

    package static let status = APIOperation(
        "showCurrentSubscription",
        .customerSubscriptions,
        "The customer's subscription",
        answer: .okOrNull(
            CustomerSubscription.self,
            "What decides now, or what ended last; null for who never had anything."
        )
    )

    /// `GET /api/v1/subscription/status`
    @Sendable package func show(_ call: CustomerRequest) async throws -> Response {
        .json(try await subscription(try await purchases.current(of: call.session)))
    }

    package static let verify = APIOperation(
        "verifyPayment",
        .customerSubscriptions,
        "Verifies a payment of the customer",
        "As `POST /subscriptions/verify`, in another shape.",
        body: PaymentVerificationRequest.body,
        takesKey: false,
        asksStore: true,
        findsByBody: true,
        answer: .okOrNull(
            CustomerSubscription.self,
            "What the customer has now; `pending` while the store has not answered, 409 where it is somebody else's."
        )
    )

    /// `POST /api/v1/subscription/verify`
    @Sendable package func verify(_ call: CustomerRequest) async throws -> Response {
        let sent = try await call.request.json(
            PaymentVerificationRequest.self,
            limit: BodyLimit.notification * 2
        ).value
        let store = try provableStore(sent.paymentMethod)
        // A proof of another store says nothing of this payment.
        guard let proof = try sent.receipt.proof(), proof.form.store == store else {
            let field = store == PurchaseProof.Form.purchaseToken.store ? "purchaseToken" : "signedTransactions"
            throw OperationsError(problems: [FieldProblem(field, .missing)])
        }
        _ = try await purchases.verify(proof, sent.signedAppTransaction, for: call)
        let current = try await purchases.changed(of: call.session)
        return .json(try await subscription(current))
    }

    package static let sync = APIOperation(
        "syncSubscription",
        .customerSubscriptions,
        "Asks the store how the customer's subscription stands",
        """
        Apple is asked about the latest three subscriptions, for twenty seconds at most and once a minute; where it cannot be asked, \
        what is known is answered.
        """,
        takesKey: false,
        asksStore: true,
        answer: .okOrNull(CustomerSubscription.self, "What the customer has now; null for who never had anything.")
    )

    /// `POST /api/v1/subscription/sync`
    @Sendable package func sync(_ call: CustomerRequest) async throws -> Response {
        .json(try await subscription(try await purchases.asked(for: call)))
    }

    package static let cancel = APIOperation(
        "cancelSubscription",
        .customerSubscriptions,
        "Cancels the customer's subscription, or says where",
        """
        By the store that it was bought at. What was bought at the App Store or at Google Play is cancelled there, by the customer: \
        `cancelled` is false and `manageUrl` leads there. Where the agreement to pay again is with us, it is ended here. What is paid for \
        stays until its end. What does not renew is 409: a grant, a trial, what ends by itself, nothing; so is a store that is not \
        connected.
        """,
        takesKey: false,
        asksStore: true,
        answer: .ok(SubscriptionCancellation.self, "That it is done, or where to go.")
    )

    /// `POST /api/v1/subscription/cancel`
    @Sendable package func cancel(_ call: CustomerRequest) async throws -> Response {
        let current = try await purchases.current(of: call.session)
        let strings = call.strings
        guard let store = current.cancellableStore else {
            throw WebError(.conflict, "There is nothing to cancel.", reason: current.ending)
        }
        let name = StoreText.name(of: store, strings)
        guard let held = current.cancellable,
            held.subscription.renewsAutomatically || held.subscription.cancelledAt != nil
        else { throw WebError(.conflict, "What was bought ends by itself.", reason: .doesNotRenew) }
        if let page = store.rules.subscriptionsPage {
            let message = strings.customerApiCancelAtStore(store: name)
            return .json(SubscriptionCancellation(cancelled: false, manageUrl: page, message: message))
        }
        if held.subscription.cancelledAt == nil {
            guard try await purchases.backOffice.cancelRenewal(of: held, app: call.app) else {
                var failure = WebError(
                    .conflict,
                    "Renewals at \(store.rawValue) cannot be turned off yet.",
                    reason: .cancellationNotConnected
                )
                failure.customerMessage = strings.problemsCancellationNotConnectedAt(store: name)
                throw failure
            }
        }
        let message = strings.customerApiCancelled.description
        return .json(SubscriptionCancellation(cancelled: true, manageUrl: nil, message: message))
    }

    /// Returns the subscription; nil where there is none: the document's client takes `Subscription?`, of which no member is
    /// optional.
    private func subscription(_ current: CurrentSubscription) async throws -> CustomerSubscription? {
        let confirmation = try await purchases.confirmation(for: current)
        guard !current.isBasePlan || confirmation.isAwaited else { return nil }
        return CustomerSubscription(current, confirmation, product: try await purchases.product(of: current))
    }

    /// - Throws: `.invalid` for an unknown payment method, `.conflict` for one whose purchases apps cannot prove.
    private func provableStore(_ method: String?) throws -> Store {
        guard let method, !method.isEmpty else {
            throw OperationsError(problems: [FieldProblem("paymentMethod", .missing)])
        }
        guard let store = Store.allCases.first(where: { $0.paymentMethod == method }) else {
            throw OperationsError(problems: [FieldProblem("paymentMethod", .unknownChoice)])
        }
        guard PurchaseProof.Form.allCases.contains(where: { $0.store == store }) else {
            throw WebError(
                .conflict,
                "What is paid there is not proven by apps.",
                field: "paymentMethod",
                reason: .paymentMethodNotConnected
            )
        }
        return store
    }
}

extension CurrentSubscription {
    /// The reason why there is nothing to cancel.
    fileprivate var ending: ProblemCode {
        switch grant?.kind {
        case nil: .nothingToCancel
        case .trial: .trialNotCancellable
        case .complimentary, .extension, .upgrade, .provisional: .grantNotCancellable
        }
    }
}
