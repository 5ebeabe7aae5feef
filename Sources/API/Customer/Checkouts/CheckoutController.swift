import APITypes
import Billing
import Foundation
package import HTTP
import HTTPTypes
package import Hummingbird
import Operations
import Storage
import Words

/// Opens orders for customers to pay at a store, and tells how they stand.
package struct CheckoutController: Sendable {
    let backOffice: BackOffice
    let addresses: ClientAddress
    /// The address under which stores reach this server; nil where nobody said.
    let publicURL: String?

    package static let open = APIOperation(
        "openPaymentOrder",
        .customerSubscriptions,
        "Opens an order to pay at WeChat Pay or Alipay",
        """
        The customer has one open order of a product and a method: a second call gets the same one, unless its price, or what they hold, \
        has changed. It can be paid until `expiresAt`. While the store does not answer it is 503: the same call asks again, under the same \
        number. What is not sold now is 409; `code` says why.
        """,
        body: PaymentOrderRequest.body,
        mayTakeKey: true,
        asksStore: true,
        findsByBody: true,
        answer: .created(PaymentOrder.self, "It can be paid.")
    )

    /// `POST /api/v1/subscription/orders`
    @Sendable package func open(_ call: CustomerRequest) async throws -> Response {
        let sent = try await call.request.json(PaymentOrderRequest.self).value
        let (product, method) = (sent.product ?? "", CheckoutMethod(rawValue: sent.method ?? ""))
        guard let method else { throw WebError(FieldProblem("method", sent.method == nil ? .missing : .unknownChoice)) }
        if let named = sent.clientAddress, IPAddress(named) == nil {
            throw WebError(FieldProblem("clientAddress", .unfit))
        }
        let address = sent.clientAddress ?? addresses.of(call.request, peer: call.context.peer)
        let origin = origin(call)
        do {
            let opened = try await backOffice.openCheckout(
                CheckoutRequest(
                    productID: product,
                    method: method,
                    payer: sent.openid.map { Secret($0) },
                    clientAddress: method == .wechatH5 ? address : nil,
                    notificationURL:
                        "\(origin)\(Paths.notifications(of: method.store.rawValue))/\(call.session.appSlug)",
                    returnURL: sent.returnUrl,
                    language: "\(call.strings.tag)"
                ),
                key: try call.key(for: [
                    "payment order", product, method.rawValue, sent.openid ?? "", sent.clientAddress ?? "",
                    sent.returnUrl ?? "",
                ]),
                for: call.customer,
                of: call.app
            )
            return .json(PaymentOrder(opened, at: origin), status: .created)
        } catch let error as OperationsError {
            throw try await refusal(error, call)
        }
    }

    package static let show = APIOperation(
        "showPaymentOrder",
        .customerSubscriptions,
        "How an order of the customer stands",
        path: .name("number", "The order's number.", example: "7K3MQ9ZD2XVA7K3MQ9ZD2XVA7K"),
        query: [wait],
        answer: .ok(PaymentOrder.self, "The order.")
    )

    private static let wait = QueryParameter.number(
        "wait",
        0...LongPoll.longest,
        "How many seconds to wait at most until it is paid or cannot be paid any more."
    )

    /// `GET /api/v1/subscription/orders/{number}`
    @Sendable package func show(_ call: CustomerRequest) async throws -> Response {
        let number = try call.parameter("number")
        let opened = try await LongPoll.value(
            within: try ListParameters(call.query).value(Self.wait) ?? 0,
            of: call.context,
            isAnswer: { [.paid, .closed].contains($0.checkout.state) },
            look: { try await backOffice.checkout(number, of: call.app, for: call.customer) }
        )
        return .json(PaymentOrder(try await backOffice.payable(opened), at: origin(call)))
    }

    private func origin(_ call: CustomerRequest) -> String { publicURL ?? call.context.listening }

    /// The same for the customer: with the day or the amount, in their language.
    private func refusal(_ error: OperationsError, _ call: CustomerRequest) async throws -> any Error {
        guard let refused = error.underlying as? PurchaseRefused else { return error.forPrograms() }
        let zone = try await backOffice.apps.entry(for: call.app)?.timeZone ?? .gmt
        var failure = WebError(.conflict, error.message, reason: error.reason, underlying: error)
        failure.customerMessage = refused.text(in: call.strings, zone)
        return failure
    }
}
