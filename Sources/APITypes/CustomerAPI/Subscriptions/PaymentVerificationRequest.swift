/// The proof of a payment: `POST /api/v1/subscription/verify` (lightgallery, "Verify payment and update subscription").
public struct PaymentVerificationRequest: Decodable, Sendable, Hashable {
    public var paymentMethod: String?
    public var receiptData: String?
    public var signedTransactions: [String]?
    public var transactionId: String?
    public var purchaseToken: String?
    public var productId: String?
    public var signedAppTransaction: String?

    public static let body = RequestBody(
        of: Self.self,
        required: [
            .init(
                "paymentMethod",
                \.paymentMethod,
                "Where it was paid. Apps prove what was paid at the App Store and at Google Play; the others are 409.",
                .oneOf(Vocabulary.paymentMethods)
            )
        ],
        optional: [
            .init(
                "signedTransactions",
                \.signedTransactions,
                "What StoreKit 2 calls `jwsRepresentation`.",
                .count(1, 100),
                .length(1, 65_536)
            ), .init("receiptData", \.receiptData, "Or the app's receipt in base64.", .length(1, 1_048_576)),
            .init(
                "transactionId",
                \.transactionId,
                "Or the store's id, for which the store is asked.",
                .length(1, 255)
            ),
            .init(
                "purchaseToken",
                \.purchaseToken,
                "Or Google Play's token of the purchase, which the device has.",
                .length(1, 4_096)
            ),
            .init("productId", \.productId, "Not needed: the proof says it.", .length(1, 255)),
            .init(
                "signedAppTransaction",
                \.signedAppTransaction,
                "StoreKit's `AppTransaction`: tells which devices are of one person, and who had a trial.",
                .length(1, 65_536)
            ),
        ]
    )

    /// The same without where it was paid.
    public var receipt: ReceiptRequest {
        ReceiptRequest(
            receiptData: receiptData,
            signedTransactions: signedTransactions,
            transactionId: transactionId,
            purchaseToken: purchaseToken,
            productId: productId,
            signedAppTransaction: signedAppTransaction
        )
    }
}
