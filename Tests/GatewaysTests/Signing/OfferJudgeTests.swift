import Crypto
import Foundation
import Testing

@testable import Gateways

/// Checks that Apple's own library (PyPI `app-store-server-library`) signs the same offers with the same key.
@Suite("Apple's library and ours sign the same offers", .enabled(if: Judge.isAvailable || Judge.isRequired))
struct OfferJudgeTests {
    private let key = P256.Signing.PrivateKey()
    private let customer = UUID()
    private let nonce = UUID()
    private let now = Date(timeIntervalSince1970: 1_750_000_000.456)

    @Test("promotional offers of both forms, and introductory eligibility")
    func same() throws {
        let judge = try Judge()
        defer { judge.removeFolder() }
        let offers = try offers()
        try judge.write(Array(key.pemRepresentation.utf8), to: "key.pem")
        try judge.write(offers.flatMap { $0.bytes + [0x0A] }, to: "offers.jsonl")
        let verdict = try judge.run("apple_offers.py")
        #expect(verdict.status == 0, "\(verdict.output)")
        #expect(verdict.output.hasSuffix("\(offers.count) passed, 0 failed\n"), "\(verdict.output)")
        // And the other way around: the library's first signature is one over the text that we sign.
        let line = try #require(judge.read("library.jsonl").split(separator: UInt8(ascii: "\n")).first)
        let text = try #require(try JSON(parsing: Array(line)).string)
        let signature = try P256.Signing.ECDSASignature(
            derRepresentation: try #require(Data(base64Encoded: text))
        )
        let parts = [
            "com.example", "KEY1234567", "com.example.Pro", "Spring", customer.uuidString.lowercased(),
            nonce.uuidString.lowercased(), "1750000000456",
        ]
        #expect(key.publicKey.isValidSignature(signature, for: Data(parts.joined(separator: "\u{2063}").utf8)))
    }

    private func offers() throws -> [JSON] {
        let signer = try AppleOfferSigner(
            bundleID: "com.example",
            issuerID: "issuer",
            keyID: "KEY1234567",
            key: key
        )
        var offers: [JSON] = []
        for customer in [customer, nil] {
            let signature = try signer.promotionalOfferV1(
                productID: "com.example.Pro",
                offerID: "Spring",
                appAccountToken: customer,
                nonce: nonce,
                at: now
            )
            var offer = Self.offer("V1")
            offer["offerId"] = "Spring"
            offer["customer"] = .string(customer?.uuidString ?? "")
            offer["nonce"] = .string(nonce.uuidString)
            offer["time"] = 1_750_000_000_456
            offer["signature"] = .string(signature)
            offers.append(offer)
        }
        for transactionID in ["300000000000001", nil] {
            let token = try signer.promotionalOfferV2(
                productID: "com.example.Pro",
                offerID: "Spring",
                transactionID: transactionID,
                nonce: nonce,
                at: now
            )
            var offer = Self.offer("V2")
            offer["offerId"] = "Spring"
            offer["transactionId"] = transactionID.map { .string($0) } ?? .null
            offer["token"] = .string(token)
            offers.append(offer)
        }
        for isAllowed in [true, false] {
            let token = try signer.introductoryOffer(
                productID: "com.example.Pro",
                isAllowed: isAllowed,
                transactionID: "300000000000001",
                nonce: nonce,
                at: now
            )
            var offer = Self.offer("introductory")
            offer["allowed"] = .bool(isAllowed)
            offer["transactionId"] = "300000000000001"
            offer["token"] = .string(token)
            offers.append(offer)
        }
        return offers
    }

    private static func offer(_ form: String) -> JSON {
        [
            "form": .string(form), "bundleId": "com.example", "keyId": "KEY1234567", "issuerId": "issuer",
            "productId": "com.example.Pro",
        ]
    }
}
