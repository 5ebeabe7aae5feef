import Foundation
package import Gateways
package import Storage

/// An order, and what a client needs to pay it.
package struct OpenedCheckout: Sendable {
    package var checkout: Checkout
    /// nil while the store has not answered.
    package var invocation: CheckoutInvocation?

    init(_ found: (checkout: Checkout, invocation: String?)) throws {
        checkout = found.checkout
        invocation = try found.invocation.map { try CheckoutInvocation(json: $0) }
    }
}

extension CheckoutInvocation {
    /// The JSON that the database keeps.
    var json: String {
        get throws { String(decoding: try JSONEncoder().encode(Stored(self)), as: UTF8.self) }
    }

    init(json: String) throws {
        self = try JSONDecoder().decode(Stored.self, from: Data(json.utf8)).invocation
    }

    /// One member says which it is.
    private struct Stored: Codable {
        var qr: String?
        var redirect: String?
        var url: String?
        var fields: [[String]]?
        var orderText: String?

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

        var invocation: CheckoutInvocation {
            if let qr { return .qr(qr) }
            if let redirect { return .redirect(redirect) }
            if let orderText { return .orderText(orderText) }
            let parts = (fields ?? []).map { Field($0.first ?? "", $0.dropFirst().first ?? "") }
            return url.map { .form(url: $0, fields: parts) } ?? .parameters(parts)
        }
    }
}
