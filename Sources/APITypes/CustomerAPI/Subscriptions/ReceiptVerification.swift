public import Foundation

/// An app's proof of its customer's purchases: `POST /subscriptions/verify`, `POST /subscriptions/restore` (readmigo, "双重验证机制").
public struct ReceiptRequest: Decodable, Sendable, Hashable {
    public var receiptData: String?
    public var signedTransactions: [String]?
    public var transactionId: String?
    public var purchaseToken: String?
    public var productId: String?
    public var signedAppTransaction: String?

    public static let body = RequestBody(
        of: Self.self,
        required: [],
        optional: [
            .init(
                "signedTransactions",
                \.signedTransactions,
                "What StoreKit 2 calls `jwsRepresentation`: of a purchase, or of all that is restored.",
                .count(1, 100),
                .length(1, 65_536),
                .signedTransaction
            ),
            .init(
                "receiptData",
                \.receiptData,
                "The app's receipt in base64, from an app without StoreKit 2.",
                .length(1, 1_048_576)
            ),
            .init(
                "transactionId",
                \.transactionId,
                "The store's id. Alone it proves nothing until the store is asked; beside a receipt it is not needed.",
                .length(1, 255)
            ),
            .init(
                "purchaseToken",
                \.purchaseToken,
                "Google Play's token of a purchase, which the device has: Google is asked what it is.",
                .length(1, 4_096)
            ), .init("productId", \.productId, "Not needed: the proof says it.", .length(1, 255)),
            .init(
                "signedAppTransaction",
                \.signedAppTransaction,
                "StoreKit's `AppTransaction`: tells which devices are of one person, and who had a trial.",
                .length(1, 65_536)
            ),
        ]
    )
}

/// The result of the verification.
public struct ReceiptVerification: Resource {
    public var success: Bool
    public var message: String
    public var verificationId: UUID?
    public var verificationStatus: String?
    public var worthless: [WorthlessProof]
    public var subscription: SubscriptionStatus

    public static let fields = Fields<Self> {
        Field("success", \.success, "Whether the customer has what was proven, be it until the store confirms it.")
        Field("message", \.message, "The same in a sentence, in the language that `Accept-Language` asks for.")
        Field("verificationId", \.verificationId, "null where nothing was sent to be verified.")
        Field(
            "verificationStatus",
            \.verificationStatus,
            "`PENDING` and `PROVISIONAL` are asked for again until the store answers. Values may be added.",
            .oneOf(Vocabulary.verificationStatuses)
        )
        Field("worthless", \.worthless, "Items of the proof that prove nothing; the others are taken all the same.")
        Field("subscription", \.subscription)
    }

    public init(
        success: Bool,
        message: String,
        verificationId: UUID?,
        verificationStatus: String?,
        worthless: [WorthlessProof] = [],
        subscription: SubscriptionStatus
    ) {
        self.success = success
        self.message = message
        self.verificationId = verificationId
        self.verificationStatus = verificationStatus
        self.worthless = worthless
        self.subscription = subscription
    }
}
