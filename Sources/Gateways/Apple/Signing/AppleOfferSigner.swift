import Billing
package import Crypto
package import Foundation

/// Signs what an app shows to StoreKit when it makes an offer: that we mean it for this customer (stores/apple.md, 6.6).
///
/// Pure: nonce and time are the caller's, who must use each nonce once.
package struct AppleOfferSigner: Sendable {
    private let bundleID: String
    /// `iss` of the signed tokens: the issuer of the keys in App Store Connect.
    private let issuerID: String
    private let keyID: String
    private let key: P256.Signing.PrivateKey

    /// - Throws: `.misconfigured` naming the setting that is empty.
    package init(
        bundleID: String,
        issuerID: String,
        keyID: String,
        key: P256.Signing.PrivateKey
    ) throws(GatewayError) {
        for (field, value) in [("bundleId", bundleID), ("issuerId", issuerID), ("keyId", keyID)] where value.isEmpty {
            throw GatewayError(.misconfigured, "Offers cannot be signed without \(field).", field: field)
        }
        self.bundleID = bundleID
        self.issuerID = issuerID
        self.keyID = keyID
        self.key = key
    }

    /// The signature of a promotional offer for StoreKit 1, and for `Product.PurchaseOption.promotionalOffer` before iOS 17.4:
    /// DER in base64.
    ///
    /// - Parameter appAccountToken: nil where the purchase will have none.
    /// - Throws: `.missing` naming what is empty; `.malformed` for what the separator stands in.
    package func promotionalOfferV1(
        productID: String,
        offerID: String,
        appAccountToken: UUID?,
        nonce: UUID,
        at date: Date
    ) throws(GatewayError) -> String {
        try require(productID, "productId")
        try require(offerID, "offerId")
        // Both as StoreKit writes them: in small letters.
        let parts = [
            bundleID, keyID, productID, offerID, appAccountToken?.uuidString.lowercased() ?? "",
            nonce.uuidString.lowercased(), String(milliseconds(date)),
        ]
        for (field, value) in [("productId", productID), ("offerId", offerID)] where value.contains(Self.separator) {
            throw GatewayError(.malformed, "\(field) contains the separator of an offer's parts.", field: field)
        }
        do {
            let signature = try key.signature(for: Data(parts.joined(separator: Self.separator).utf8))
            return signature.derRepresentation.base64EncodedString()
        } catch {
            throw GatewayError(.misconfigured, "The key cannot sign.", field: "key", underlying: error)
        }
    }

    /// The signed token of a promotional offer; it has no end.
    ///
    /// - Parameter transactionID: any transaction of the customer in this app; nil before their first.
    /// - Throws: `.missing` naming what is empty.
    package func promotionalOfferV2(
        productID: String,
        offerID: String,
        transactionID: String?,
        nonce: UUID,
        at date: Date
    ) throws(GatewayError) -> String {
        try require(productID, "productId")
        try require(offerID, "offerId")
        if let transactionID { try require(transactionID, "transactionId") }
        var payload = claims(for: "promotional-offer", nonce, at: date)
        payload["productId"] = .string(productID)
        payload["offerIdentifier"] = .string(offerID)
        payload["transactionId"] = transactionID.map { .string($0) }
        return try CompactJWS.sign(payload, keyID: keyID, key: key)
    }

    /// The signed token that says whether a customer may have the introductory offer, whatever Apple thinks.
    ///
    /// - Parameter transactionID: any transaction of the customer in this app.
    /// - Throws: `.missing` naming what is empty.
    package func introductoryOffer(
        productID: String,
        isAllowed: Bool,
        transactionID: String,
        nonce: UUID,
        at date: Date
    ) throws(GatewayError) -> String {
        try require(productID, "productId")
        try require(transactionID, "transactionId")
        var payload = claims(for: "introductory-offer-eligibility", nonce, at: date)
        payload["productId"] = .string(productID)
        payload["allowIntroductoryOffer"] = .bool(isAllowed)
        payload["transactionId"] = .string(transactionID)
        return try CompactJWS.sign(payload, keyID: keyID, key: key)
    }

    private func claims(for audience: String, _ nonce: UUID, at date: Date) -> JSON {
        [
            "iss": .string(issuerID), "iat": .integer(milliseconds(date) / 1_000), "aud": .string(audience),
            "bid": .string(bundleID), "nonce": .string(nonce.uuidString.lowercased()),
        ]
    }

    private func milliseconds(_ date: Date) -> Int64 {
        Int64(bounding: (date.timeIntervalSince1970 * 1_000).rounded(.down))
    }

    private func require(_ value: String, _ field: String) throws(GatewayError) {
        guard !value.isEmpty else {
            throw GatewayError(.missing, "An offer cannot be signed without \(field).", field: field)
        }
    }

    /// INVISIBLE SEPARATOR.
    private static let separator = "\u{2063}"
}
