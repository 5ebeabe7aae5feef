import APITypes
import Billing
import HTTP
import Operations
import Storage

extension PaymentOrder {
    /// - Parameter origin: the address under which customers reach this server.
    init(_ opened: OpenedCheckout, at origin: String) {
        let checkout = opened.checkout
        self.init(
            number: checkout.number,
            state: checkout.state.rawValue,
            product: checkout.productID,
            method: checkout.method.rawValue,
            price: Amount(checkout.offer.price),
            credit: Amount(checkout.credit),
            amount: Amount(checkout.amount),
            currency: checkout.amount.currency.code,
            startsAt: checkout.startsAt,
            endsAt: checkout.endsAt,
            expiresAt: checkout.expiresAt,
            paidAt: checkout.paidAt,
            page: "\(origin)\(SitePath.pay)/\(checkout.number)",
            payment: checkout.state == .open ? opened.payment.map { PaymentCall($0) } : nil
        )
    }
}

extension PaymentOrder.PaymentCall {
    fileprivate init(_ payment: CheckoutPayment) {
        self.init(
            qrText: payment.qr,
            qrImage: payment.qr.flatMap(QRImage.dataURL(of:)),
            url: payment.redirect ?? payment.url,
            parameters: payment.fields?.map {
                PaymentOrder.PaymentField(name: $0.first ?? "", value: $0.dropFirst().first ?? "")
            },
            orderText: payment.orderText
        )
    }
}
