package import Foundation

/// The return from Alipay's page, as the customer's browser carries it. It grants nothing: it only says which order to ask about now.
package struct AlipayReturnPage: Hashable, Sendable {
    /// Our number of the order.
    package let number: String

    /// - Parameter query: of the address that was opened, as it came.
    /// - Throws: what failed first: form, signature, app, seller.
    package init(
        _ query: some Collection<UInt8>,
        for app: AlipayConfiguration,
        at now: Date
    ) throws(GatewayError) {
        let form = try AlipaySignedForm(query)
        // Some of Alipay's servers sign sign_type on this page; the notification's never do (payments.md, 7).
        try form.requireSigned(by: app.keys.signers, mayNameType: true, at: now)
        guard try form.required("app_id") == app.appID else {
            throw GatewayError(.wrongApp, "The page is about another app.", field: "app_id")
        }
        guard form.text("seller_id") ?? app.sellerID == app.sellerID else {
            throw GatewayError(.wrongApp, "The page is about another seller.", field: "seller_id")
        }
        number = try AlipayText.id(try form.required("out_trade_no"), "out_trade_no")
    }
}
