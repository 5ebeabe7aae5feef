package import Billing
import Crypto
import Foundation
import Storage

/// A customer's request for an order to pay at a store.
package struct CheckoutRequest: Sendable, Hashable {
    /// The store's identifier.
    package var productID: String
    package var method: CheckoutMethod
    /// The customer's id at the store, where the method needs one (an openid).
    package var payer: Secret?
    /// The address of the customer's device, where the method needs one.
    package var clientAddress: String?
    /// Takes the store's messages about it: public, with https, and without a query.
    package var notificationURL: String
    /// The page that the customer sees after the payment, where the method has one.
    package var returnURL: String?
    /// The language of the product's name.
    package var language: String

    package init(
        productID: String,
        method: CheckoutMethod,
        payer: Secret? = nil,
        clientAddress: String? = nil,
        notificationURL: String,
        returnURL: String? = nil,
        language: String = "en"
    ) {
        (self.productID, self.method, self.payer) = (productID, method, payer)
        (self.clientAddress, self.notificationURL) = (clientAddress, notificationURL)
        (self.returnURL, self.language) = (returnURL, language)
    }

    /// - Throws: `OperationsError` with `.invalid` and the field that is missing or too long; `.misconfigured` where no store could send
    ///   its messages: an order keeps the address that its store was told, so none begins with a wrong one.
    func check() throws(OperationsError) {
        var problems = FieldProblems()
        if productID.isEmpty { problems.add(FieldProblem("product", .missing)) }
        if method.needsPayer, payer?.revealed.isEmpty != false { problems.add(FieldProblem("openid", .missing)) }
        if method.needsClientAddress, clientAddress?.isEmpty != false {
            problems.add(FieldProblem("clientAddress", .missing))
        }
        let texts = [("product", productID), ("openid", payer?.revealed), ("clientAddress", clientAddress)]
        for case (let field, let text?) in texts {
            if text.utf8.count > Self.longest { problems.add(FieldProblem(field, .tooLong(Self.longest))) }
            if text.utf8.contains(0) { problems.add(FieldProblem(field, .nul)) }
        }
        if let returnURL {
            if returnURL.utf8.count > Self.longestURL {
                problems.add(FieldProblem("returnUrl", .tooLong(Self.longestURL)))
            } else if !Self.isPage(returnURL) {
                problems.add(FieldProblem("returnUrl", .unfit))
            }
        }
        try problems.check()
        guard Self.takesMessages(notificationURL) else {
            throw OperationsError(
                .misconfigured,
                "The stores cannot send messages to \(notificationURL): it is no address of at most 255 characters without a query."
            )
        }
    }

    /// True for an address that both stores send messages to.
    private static func takesMessages(_ text: String) -> Bool {
        text.utf8.count <= longestURL && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x3F && $0 != 0x23 }
            && (text.hasPrefix("https://") || text.hasPrefix("http://")) && URL(string: text)?.host()?.isEmpty == false
    }

    /// True for an address of a web page that both stores take, and that a page of ours may lead to.
    private static func isPage(_ text: String) -> Bool {
        text.hasPrefix("https://") && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
            && URL(string: text)?.host()?.isEmpty == false
    }

    private static let longest = 128
    private static let longestURL = 255

    /// SHA-256 of what is agreed on: an order with the same is the same order, and the store gets the same question.
    ///
    /// The credit falls with each second, and what was quoted stands until the order expires; so of what is held only the periods count.
    func basis(_ offer: PeriodPurchase.Offer, holding held: [HeldPurchase]) -> [UInt8] {
        let terms = [
            productID, method.rawValue, payer?.revealed ?? "", clientAddress ?? "", returnURL ?? "",
            "\(offer.price.minorUnits) \(offer.price.currency.code)", offer.plan.code,
            "\(offer.period.count) \(offer.period.unit.rawValue)",
        ]
        let periods = held.map { held in
            let value = held.period.value.map { "\($0.minorUnits) \($0.currency.code)" } ?? "-"
            return "\(held.store.rawValue) \(held.transactionID) \(held.period.endsAt.milliseconds) \(value)"
        }
        var hash = SHA256()
        for part in terms + periods { hash.update(data: Data("\(part.utf8.count):\(part)".utf8)) }
        return Array(hash.finalize())
    }
}

extension CheckoutMethod {
    /// The store opens the order for one account of its own (WeChat: JSAPI).
    package var needsPayer: Bool { self == .wechatJSAPI }

    /// The store compares the address of whoever pays (WeChat: H5).
    package var needsClientAddress: Bool { self == .wechatH5 }
}
