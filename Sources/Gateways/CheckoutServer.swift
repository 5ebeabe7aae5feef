package import Billing
package import Foundation

/// A store at which our server opens the order that a customer then pays (payments.md, 1B and 1D).
package protocol CheckoutServer: Sendable {
    /// Opens an order. The same number with the same content again opens nothing more, and answers the like.
    func open(
        _ order: CheckoutOrder,
        by method: CheckoutMethod
    ) async throws(StoreFailure) -> CheckoutInvocation

    /// The order as it stands at the store: the truth, of which notifications are hints.
    func standing(of number: String) async throws(StoreFailure) -> CheckoutStanding

    /// Closes an order, so that it cannot be paid any more. Closing it again does no harm.
    ///
    /// - Returns: the order as it stands then: closed, or paid where the payment was quicker.
    func close(_ number: String) async throws(StoreFailure) -> CheckoutStanding
}

/// An order to open at a store.
package struct CheckoutOrder: Hashable, Sendable {
    /// Names it at the store: 6 to 32 of `[0-9A-Za-z_]`, which both stores take (Alipay no hyphen), unique for the merchant.
    package var number: String
    /// For the customer, in the store's app; what the store cannot take (emoji at WeChat) is left out by the gateway.
    package var description: String
    package var amount: Money
    package var expiresAt: Date
    /// Public, with https, and without a query.
    package var notificationURL: String
    /// The page that the customer sees after the payment, where the method has one.
    package var returnURL: String?
    /// The payer's id at the store, where the method needs one.
    package var payer: Secret?
    /// The address of the customer's device, where the method needs one.
    package var clientAddress: String?

    package init(
        number: String,
        description: String,
        amount: Money,
        expiresAt: Date,
        notificationURL: String,
        returnURL: String? = nil,
        payer: Secret? = nil,
        clientAddress: String? = nil
    ) {
        (self.number, self.description, self.amount, self.expiresAt) = (number, description, amount, expiresAt)
        (self.notificationURL, self.returnURL) = (notificationURL, returnURL)
        (self.payer, self.clientAddress) = (payer, clientAddress)
    }
}

/// Whatever a client needs to pay an order that was opened.
package enum CheckoutInvocation: Hashable, Sendable {
    /// A text to show as a QR code.
    case qr(String)
    /// An address that the customer's browser goes to.
    case redirect(String)
    /// A form that the customer's browser posts.
    case form(url: String, fields: [Field])
    /// Signed parameters that the app, or the page inside WeChat, hands to the store's SDK.
    case parameters([Field])
    /// One signed text that the app hands to the store's SDK (Alipay).
    case orderText(String)

    package struct Field: Hashable, Sendable {
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) {
            (self.name, self.value) = (name, value)
        }
    }
}
