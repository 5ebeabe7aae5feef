public import Foundation

/// A customer's request for an order to pay: `POST /api/v1/subscription/orders`.
public struct PaymentOrderRequest: Decodable, Sendable, Hashable {
    public var product: String?
    public var method: String?
    public var openid: String?
    public var clientAddress: String?
    public var returnUrl: String?

    public static let body = RequestBody(
        of: Self.self,
        required: [
            .init(
                "product",
                \.product,
                "The store's identifier, as `GET /api/v1/subscription/products` has it.",
                .length(1, 128),
                .example(.string("pro.monthly"))
            ),
            .init("method", \.method, "How the customer pays.", .oneOf(Vocabulary.checkoutMethods)),
        ],
        optional: [
            .init("openid", \.openid, "The payer's id at WeChat; needed for `wechat_jsapi`.", .length(1, 128)),
            .init(
                "clientAddress",
                \.clientAddress,
                "The address of the customer's device, for `wechat_h5`; without it, that of the call.",
                .length(1, 64)
            ),
            .init(
                "returnUrl",
                \.returnUrl,
                "The https page that the customer sees after the payment, where the method has one.",
                .length(1, 255)
            ),
        ]
    )
}

/// An order that a customer pays at a store.
public struct PaymentOrder: Resource {
    public var number: String
    public var state: String
    public var product: String
    public var method: String
    public var price: Amount
    public var credit: Amount
    public var amount: Amount
    public var currency: String
    public var startsAt: Date
    public var endsAt: Date
    public var expiresAt: Date
    public var paidAt: Date?
    public var page: String
    public var payment: PaymentCall?

    public static let fields = Fields<Self> {
        Field("number", \.number, "Names the order here and at the store; nobody can guess another's.")
        Field("state", \.state, "Values may be added.", .oneOf(Vocabulary.checkoutStates))
        Field("product", \.product, "The store's identifier.")
        Field("method", \.method, .oneOf(Vocabulary.checkoutMethods))
        Field("price", \.price, "Of the whole period.")
        Field(
            "credit",
            \.credit,
            "The unused part of lower periods, which is taken off the price; they end with the payment."
        )
        Field("amount", \.amount, "What is to be paid: the price less the credit.")
        Field("currency", \.currency, .currencyCode)
        Field(
            "startsAt",
            \.startsAt,
            "As planned when the order was opened: now, or where what is held of the plan ends."
        )
        Field("endsAt", \.endsAt, "Exclusive.")
        Field("expiresAt", \.expiresAt, "Until when it can be paid. What is paid later all the same counts.")
        Field("paidAt", \.paidAt, "null until it is paid.")
        Field("page", \.page, "A page of ours on which it can be paid, for a web shop that has none of its own.")
        Field(
            "payment",
            \.payment,
            "What the client needs to pay it; null once it cannot be paid any more, and before the store answered."
        )
    }

    public init(
        number: String,
        state: String,
        product: String,
        method: String,
        price: Amount,
        credit: Amount,
        amount: Amount,
        currency: String,
        startsAt: Date,
        endsAt: Date,
        expiresAt: Date,
        paidAt: Date?,
        page: String,
        payment: PaymentCall?
    ) {
        (self.number, self.state, self.product, self.method) = (number, state, product, method)
        (self.price, self.credit, self.amount, self.currency) = (price, credit, amount, currency)
        (self.startsAt, self.endsAt, self.expiresAt) = (startsAt, endsAt, expiresAt)
        (self.paidAt, self.page, self.payment) = (paidAt, page, payment)
    }

    /// The members that a client needs to pay an order; the method decides which there are.
    public struct PaymentCall: Resource {
        public var qrText: String?
        public var qrImage: String?
        public var url: String?
        public var parameters: [PaymentField]?
        public var orderText: String?

        public static let fields = Fields<Self> {
            Field("qrText", \.qrText, "The text of a QR code; null for a method without one.")
            Field("qrImage", \.qrImage, "The same as a PNG, as a `data:` URL.")
            Field("url", \.url, "Where the customer's browser goes, or posts `parameters`.")
            Field(
                "parameters",
                \.parameters,
                "Signed parameters: of the form at `url`, or without it for the store's SDK."
            )
            Field("orderText", \.orderText, "One signed text for the store's SDK.")
        }

        public init(
            qrText: String? = nil,
            qrImage: String? = nil,
            url: String? = nil,
            parameters: [PaymentField]? = nil,
            orderText: String? = nil
        ) {
            (self.qrText, self.qrImage, self.url) = (qrText, qrImage, url)
            (self.parameters, self.orderText) = (parameters, orderText)
        }
    }

    /// A signed parameter.
    public struct PaymentField: Resource {
        public var name: String
        public var value: String

        public static let fields = Fields<Self> {
            Field("name", \.name)
            Field("value", \.value)
        }

        public init(name: String, value: String) {
            (self.name, self.value) = (name, value)
        }
    }
}
