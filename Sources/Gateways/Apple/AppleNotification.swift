package import Billing
package import Foundation

/// A verified notification: typed values next to Apple's own words, so that what Apple adds later does not break
/// reading.
package struct AppleNotification: Sendable {
    /// As Apple wrote it; the same on every delivery.
    package let notificationUUID: String
    /// nil for a type that is not known here.
    package let notificationType: AppleNotificationType?
    package let rawType: String
    /// nil for none, and for one that is not known here.
    package let subtype: AppleNotificationSubtype?
    package let rawSubtype: String?
    package let signedDate: Date
    package let version: String?
    package let environment: StoreEnvironment
    /// Empty where an UNCLAIM_SEATS names no app.
    package let bundleID: String
    package let appAppleID: Int64?
    package let bundleVersion: String?
    package let status: AppleStatus?
    package let rawStatus: Int64?
    package let transaction: AppleTransaction?
    package let renewal: AppleRenewalInfo?
    package let consumptionRequestReason: String?
    package let summary: AppleExtensionSummary?
    package let externalPurchaseToken: AppleExternalPurchaseToken?
    package let unclaimed: AppleUnclaimedSeats?
    /// The decoded app transaction of a RESCIND_CONSENT.
    package let appTransaction: JSON?
    /// The reason that a member cannot be read, although the message is authentic and of this app. For a member of an inner token, both
    /// `transaction` and `renewal` are nil.
    package let problem: GatewayError?

    init(
        payload: JSON,
        body: Body,
        transaction: JSON?,
        renewal: JSON?,
        appTransaction: JSON?
    ) throws(GatewayError) {
        let fields = try JSONFields(payload, of: "notification")
        guard let uuid = try fields.string("notificationUUID"), !uuid.isEmpty,
            let type = try fields.string("notificationType"), !type.isEmpty,
            let signedDate = try fields.date("signedDate")
        else {
            throw GatewayError(.missing, "The notification has no type, no id or no signed date.")
        }
        notificationUUID = uuid
        rawType = type
        notificationType = AppleNotificationType(rawValue: type)
        // Apple leaves it out where there is none; an empty one says as little.
        rawSubtype = (try? fields.string("subtype")).flatMap { $0.isEmpty ? nil : $0 }
        subtype = rawSubtype.flatMap(AppleNotificationSubtype.init(rawValue:))
        self.signedDate = signedDate
        version = try? fields.string("version")
        environment = try body.environment
        bundleID = body.bundleID
        appAppleID = body.appAppleID
        bundleVersion = body.bundleVersion
        rawStatus = body.status
        status = rawStatus.flatMap(AppleStatus.init(rawValue:))
        consumptionRequestReason = body.consumptionRequestReason
        summary = body.summary
        externalPurchaseToken = body.externalPurchaseToken
        unclaimed = body.unclaimed
        try body.requireSame(transaction, renewal, appTransaction)
        let inner: GatewayError?
        (self.transaction, self.renewal, inner) = Self.read(transaction, renewal)
        problem = Self.problem(of: fields) ?? body.problem ?? inner
        self.appTransaction = appTransaction
    }

    /// The subtype must be readable, as it decides the kind of message.
    private static func problem(of fields: JSONFields) -> GatewayError? {
        do throws(GatewayError) {
            _ = try fields.string("subtype")
            return nil
        } catch {
            return error
        }
    }

    private static func read(
        _ transaction: JSON?,
        _ renewal: JSON?
    ) -> (AppleTransaction?, AppleRenewalInfo?, GatewayError?) {
        do throws(GatewayError) {
            let transaction = try transaction.map { json throws(GatewayError) in try AppleTransaction(json) }
            let renewal = try renewal.map { json throws(GatewayError) in try AppleRenewalInfo(json) }
            return (transaction, renewal, nil)
        } catch {
            return (nil, nil, error)
        }
    }
}

/// The state of an auto-renewable subscription by Apple's account, as of the signed date (`status`).
package enum AppleStatus: Int64, Hashable, Sendable, CaseIterable {
    case active = 1
    case expired = 2
    case billingRetry = 3
    case gracePeriod = 4
    case revoked = 5
}

/// The outcome of an extension of many subscriptions at once (RENEWAL_EXTENSION, SUMMARY).
package struct AppleExtensionSummary: Hashable, Sendable {
    package let requestIdentifier: String?
    package let productID: String?
    package let storefrontCountryCodes: [String]
    package let succeededCount: Int64?
    package let failedCount: Int64?

    init(_ fields: JSONFields) throws(GatewayError) {
        requestIdentifier = try fields.string("requestIdentifier")
        productID = try fields.string("productId")
        storefrontCountryCodes = try fields.strings("storefrontCountryCodes") ?? []
        succeededCount = try fields.integer("succeededCount")
        failedCount = try fields.integer("failedCount")
    }
}

/// The claims of seats that the App Store ended by itself, in a group whose invitations are the app's (UNCLAIM_SEATS).
package struct AppleUnclaimedSeats: Hashable, Sendable {
    /// `unclaimSeatIds`, lower case.
    package let claimIDs: [String]

    init(_ fields: JSONFields) throws(GatewayError) {
        claimIDs = try fields.strings("unclaimSeatIds").map { $0.map { $0.lowercased() } } ?? []
    }
}

/// A purchase outside of the App Store that must be reported to Apple (EXTERNAL_PURCHASE_TOKEN).
package struct AppleExternalPurchaseToken: Hashable, Sendable {
    package let externalPurchaseID: String?
    package let createdAt: Date?
    package let tokenType: String?
    package let expiresAt: Date?

    init(_ fields: JSONFields) throws(GatewayError) {
        externalPurchaseID = try fields.string("externalPurchaseId")
        createdAt = try fields.date("tokenCreationDate")
        tokenType = try fields.string("tokenType")
        expiresAt = try fields.date("tokenExpirationDate")
    }
}
