import Crypto
package import Foundation
package import Gateways
package import SwiftASN1

/// The receipt of an app on one device, before it is signed (stores/apple.md, 3).
package struct SimulatedReceipt: Hashable, Sendable {
    /// Apple's spelling, also of environments that do not exist.
    package var environment: String
    package var bundleID: String
    package var appAppleID: Int64
    package var createdAt: Date
    package var originalPurchasedAt: Date
    package var applicationVersion = "42"
    package var originalApplicationVersion = "1.0"
    package var expiresAt: Date?
    package var deviceID: UUID
    package var purchases: [AppleReceiptPurchase]

    package init(
        environment: String = "Production",
        bundleID: String,
        appAppleID: Int64,
        createdAt: Date,
        originalPurchasedAt: Date? = nil,
        deviceID: UUID = UUID(),
        purchases: [AppleReceiptPurchase] = []
    ) {
        self.environment = environment
        self.bundleID = bundleID
        self.appAppleID = appAppleID
        self.createdAt = createdAt
        self.originalPurchasedAt = originalPurchasedAt ?? createdAt
        self.deviceID = deviceID
        self.purchases = purchases
    }

    /// The set of attributes; like Apple's, not in the order that DER asks for.
    package var payload: [UInt8] {
        let opaque = Array(SHA256.hash(data: Data(deviceID.uuidString.utf8)).prefix(16))
        let bundle = DERValue.text(bundleID)
        var hash = Insecure.SHA1()
        withUnsafeBytes(of: deviceID.uuid) { hash.update(bufferPointer: $0) }
        hash.update(data: opaque + bundle)
        var attributes: [(Int, [UInt8])] = [
            (8, DERValue.date(createdAt)), (20, DERValue.text("")), (1, DERValue.integer(appAppleID)),
            (3, DERValue.text(applicationVersion)), (15, DERValue.integer(58_001_034_530_148)),
            (16, DERValue.integer(863_855_306)), (4, opaque), (0, DERValue.text(environment)),
            (5, Array(hash.finalize())), (12, DERValue.date(createdAt)), (18, DERValue.date(originalPurchasedAt)),
            (19, DERValue.text(originalApplicationVersion)), (2, bundle), (25, DERValue.integer(3)),
        ]
        if let expiresAt { attributes.append((21, DERValue.date(expiresAt))) }
        attributes += purchases.map { (17, DERValue.attributes($0.receiptAttributes)) }
        return DERValue.attributes(attributes)
    }
}

extension AppleReceiptPurchase {
    /// The attributes of the purchase, with empty dates and texts for missing values, as Apple writes them.
    fileprivate var receiptAttributes: [(Int, [UInt8])] {
        let type: Int64? =
            switch productType {
            case .nonConsumable: 0
            case .consumable: 1
            case .nonRenewing: 2
            case .autoRenewable: 3
            case nil: nil
            }
        var attributes: [(Int, [UInt8])] = [
            (1709, DERValue.text("")), (1712, DERValue.date(cancelledAt)), (1714, DERValue.text("")),
            (1701, DERValue.integer(quantity)), (1713, DERValue.integer(isTrial ? 1 : 0)),
            (1719, DERValue.integer(isIntroductoryOffer ? 1 : 0)),
            (1711, DERValue.integer(webOrderLineItemID.flatMap { Int64($0) } ?? 0)),
            (1703, DERValue.text(transactionID)), (1705, DERValue.text(originalTransactionID)),
            (1704, DERValue.date(purchasedAt)), (1706, DERValue.date(originallyPurchasedAt ?? purchasedAt)),
            (1708, DERValue.date(expiresAt)), (1702, DERValue.text(productID)),
        ]
        if let type { attributes.append((1707, DERValue.integer(type))) }
        if let promotionalOfferID { attributes.append((1721, DERValue.text(promotionalOfferID))) }
        return attributes
    }
}

/// Values within a receipt's attributes.
package enum DERValue {
    package static func text(_ text: String) -> [UInt8] {
        value(.utf8String, Array(text.utf8))
    }

    package static func integer(_ integer: Int64) -> [UInt8] {
        var serializer = DER.Serializer()
        // Serializing a number never fails.
        try? serializer.serialize(integer)
        return serializer.serializedBytes
    }

    /// Encodes a date; nil becomes an empty text.
    package static func date(_ date: Date?) -> [UInt8] {
        value(.ia5String, Array((date?.formatted(.iso8601) ?? "").utf8))
    }

    /// Encodes attributes as a SET of SEQUENCE { type, version 1, value }.
    package static func attributes(_ attributes: [(type: Int, value: [UInt8])]) -> [UInt8] {
        var serializer = DER.Serializer()
        serializer.appendConstructedNode(identifier: .set) { set in
            for attribute in attributes {
                set.appendConstructedNode(identifier: .sequence) { sequence in
                    sequence.serializeRawBytes(integer(Int64(attribute.type)))
                    sequence.serializeRawBytes(integer(1))
                    sequence.serializeRawBytes(value(.octetString, attribute.value))
                }
            }
        }
        return serializer.serializedBytes
    }

    package static func value(_ identifier: ASN1Identifier, _ content: [UInt8]) -> [UInt8] {
        var serializer = DER.Serializer()
        serializer.appendPrimitiveNode(identifier: identifier) { $0.append(contentsOf: content) }
        return serializer.serializedBytes
    }
}
