import Foundation
package import Gateways
package import Storage

/// An order, and what a client needs to pay it.
package struct OpenedCheckout: Sendable {
    package var checkout: Checkout
    /// nil while the store has not answered.
    package var invocation: CheckoutInvocation? { payment?.invocation }
    /// The same by its parts, as the database keeps it.
    package var payment: CheckoutPayment?

    init(_ found: (checkout: Checkout, invocation: String?)) throws {
        checkout = found.checkout
        payment = try found.invocation.map { try JSONDecoder().decode(CheckoutPayment.self, from: Data($0.utf8)) }
    }
}

/// The parts of what a client needs to pay an order; which there are says what it is.
package struct CheckoutPayment: Sendable, Hashable, Codable {
    /// A text to show as a QR code.
    package var qr: String?
    /// An address that the customer's browser goes to.
    package var redirect: String?
    /// The address of a form that the customer's browser posts.
    package var url: String?
    /// Pairs of a name and its value.
    package var fields: [[String]]?
    package var orderText: String?

    init(_ invocation: CheckoutInvocation) {
        switch invocation {
        case .qr(let text): qr = text
        case .redirect(let address): redirect = address
        case .form(let address, let parts):
            url = address
            fields = parts.map { [$0.name, $0.value] }
        case .parameters(let parts): fields = parts.map { [$0.name, $0.value] }
        case .orderText(let text): orderText = text
        }
    }

    /// The JSON that the database keeps.
    var json: String {
        get throws { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }
    }

    var invocation: CheckoutInvocation {
        if let qr { return .qr(qr) }
        if let redirect { return .redirect(redirect) }
        if let orderText { return .orderText(orderText) }
        let parts = (fields ?? []).map { CheckoutInvocation.Field($0.first ?? "", $0.dropFirst().first ?? "") }
        return url.map { .form(url: $0, fields: parts) } ?? .parameters(parts)
    }
}
