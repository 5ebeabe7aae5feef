public import Foundation

/// A proof of purchase for one customer: `POST /admin/purchases`. One of `signedTransactions`, `receipt`, `transactionId` and
/// `purchaseToken` is sent.
public struct PurchaseProofRequest: Decodable, Sendable, Hashable {
    /// The app's own id of the customer, or of the device.
    public var customerId: String?
    public var isAnonymous: Bool?
    public var appAccountToken: UUID?
    public var signedTransactions: [String]?
    public var receipt: String?
    public var transactionId: String?
    public var purchaseToken: String?
    public var signedAppTransaction: String?

    public static let body = RequestBody(
        of: Self.self,
        required: [
            .init(
                "customerId",
                \.customerId,
                "The app's own id of the customer: of the account, or of the device of somebody who has not signed in.",
                .length(1, 255),
                .example(.string("user-4711"))
            )
        ],
        optional: [
            .init(
                "isAnonymous",
                \.isAnonymous,
                "Whether `customerId` is of a device; without it, it is of an account."
            ),
            .init(
                "appAccountToken",
                \.appAccountToken,
                "The token that the app gave to the store itself; without it, the token is made here."
            ),
            .init(
                "signedTransactions",
                \.signedTransactions,
                "What StoreKit 2 calls `jwsRepresentation`: of a purchase, or of all that is restored.",
                .count(1, 100),
                .length(1, 65_536),
                .signedTransaction
            ),
            .init(
                "receipt",
                \.receipt,
                "The app's receipt in base64, from an app without StoreKit 2.",
                .length(1, 1_048_576)
            ),
            .init(
                "transactionId",
                \.transactionId,
                "A bare id. It proves nothing until the store is asked.",
                .length(1, 255)
            ),
            .init(
                "purchaseToken",
                \.purchaseToken,
                "Google Play's token of a purchase, which the device has.",
                .length(1, 4_096)
            ),
            .init(
                "signedAppTransaction",
                \.signedAppTransaction,
                "StoreKit's `AppTransaction`: tells which devices are of one person, and who had a trial.",
                .length(1, 65_536)
            ),
        ]
    )
}
