import Crypto
import Foundation
import Testing

@testable import Gateways

@Suite("Signing offers")
struct AppleOfferSignerTests {
    private let key = P256.Signing.PrivateKey()
    private let signer: AppleOfferSigner
    private let now = Date(timeIntervalSince1970: 1_750_000_000.4567)
    private let nonce = UUID(uuidString: "20FBA8A0-2B80-4A7D-A17F-85C1854727F8") ?? UUID()
    private let customer = UUID(uuidString: "7E3FB204-2EB0-4A5E-9A57-5D3C3F0E4F10") ?? UUID()

    init() throws {
        signer = try AppleOfferSigner(bundleID: "com.example", issuerID: "issuer", keyID: "KEY1234567", key: key)
    }

    @Test("a promotional offer of the first form is signed over its parts, in small letters and in Apple's order")
    func first() throws {
        let text = try signer.promotionalOfferV1(
            productID: "com.example.Pro",
            offerID: "Spring",
            appAccountToken: customer,
            nonce: nonce,
            at: now
        )
        let der = try #require(Data(base64Encoded: text))
        let signature = try P256.Signing.ECDSASignature(derRepresentation: der)
        let parts = [
            "com.example", "KEY1234567", "com.example.Pro", "Spring", "7e3fb204-2eb0-4a5e-9a57-5d3c3f0e4f10",
            "20fba8a0-2b80-4a7d-a17f-85c1854727f8", "1750000000456",
        ]
        #expect(key.publicKey.isValidSignature(signature, for: Data(parts.joined(separator: "\u{2063}").utf8)))
        var anonymous = parts
        anonymous[4] = ""
        let other = try signer.promotionalOfferV1(
            productID: "com.example.Pro",
            offerID: "Spring",
            appAccountToken: nil,
            nonce: nonce,
            at: now
        )
        let second = try P256.Signing.ECDSASignature(derRepresentation: try #require(Data(base64Encoded: other)))
        #expect(key.publicKey.isValidSignature(second, for: Data(anonymous.joined(separator: "\u{2063}").utf8)))
    }

    @Test("a promotional offer of the second form is a token without an end")
    func second() throws {
        let token = try signer.promotionalOfferV2(
            productID: "p",
            offerID: "o",
            transactionID: "300000000000001",
            nonce: nonce,
            at: now
        )
        let (header, payload) = try verified(token)
        #expect(header == ["alg": "ES256", "kid": "KEY1234567", "typ": "JWT"])
        #expect(
            payload == [
                "iss": "issuer", "iat": 1_750_000_000, "aud": "promotional-offer", "bid": "com.example",
                "nonce": "20fba8a0-2b80-4a7d-a17f-85c1854727f8", "productId": "p", "offerIdentifier": "o",
                "transactionId": "300000000000001",
            ]
        )
        let first = try signer.promotionalOfferV2(
            productID: "p",
            offerID: "o",
            transactionID: nil,
            nonce: nonce,
            at: now
        )
        #expect(try verified(first).payload["transactionId"] == nil)
    }

    @Test("whether the introductory offer is allowed is a token too", arguments: [true, false])
    func introductory(_ isAllowed: Bool) throws {
        let token = try signer.introductoryOffer(
            productID: "p",
            isAllowed: isAllowed,
            transactionID: "1",
            nonce: nonce,
            at: now
        )
        let payload = try verified(token).payload
        #expect(payload["aud"] == "introductory-offer-eligibility")
        #expect(payload["allowIntroductoryOffer"] == .bool(isAllowed))
        #expect(payload["transactionId"] == "1")
        #expect(payload["exp"] == nil)
    }

    @Test("what is missing is named, and nothing is signed")
    func missing() {
        #expect(
            field {
                _ = try signer.promotionalOfferV1(
                    productID: "",
                    offerID: "o",
                    appAccountToken: nil,
                    nonce: nonce,
                    at: now
                )
            } == "productId"
        )
        #expect(
            field {
                _ = try signer.promotionalOfferV1(
                    productID: "p",
                    offerID: "",
                    appAccountToken: nil,
                    nonce: nonce,
                    at: now
                )
            } == "offerId"
        )
        #expect(
            field {
                _ = try signer.promotionalOfferV1(
                    productID: "p\u{2063}q",
                    offerID: "o",
                    appAccountToken: nil,
                    nonce: nonce,
                    at: now
                )
            } == "productId"
        )
        #expect(
            field {
                _ = try signer.promotionalOfferV2(
                    productID: "",
                    offerID: "o",
                    transactionID: nil,
                    nonce: nonce,
                    at: now
                )
            } == "productId"
        )
        #expect(
            field {
                _ = try signer.promotionalOfferV2(
                    productID: "p",
                    offerID: "",
                    transactionID: nil,
                    nonce: nonce,
                    at: now
                )
            } == "offerId"
        )
        #expect(
            field {
                _ = try signer.promotionalOfferV2(
                    productID: "p",
                    offerID: "o",
                    transactionID: "",
                    nonce: nonce,
                    at: now
                )
            } == "transactionId"
        )
        #expect(
            field {
                _ = try signer.introductoryOffer(
                    productID: "",
                    isAllowed: true,
                    transactionID: "1",
                    nonce: nonce,
                    at: now
                )
            } == "productId"
        )
        #expect(
            field {
                _ = try signer.introductoryOffer(
                    productID: "p",
                    isAllowed: true,
                    transactionID: "",
                    nonce: nonce,
                    at: now
                )
            } == "transactionId"
        )
        #expect(field { _ = try AppleOfferSigner(bundleID: "", issuerID: "i", keyID: "k", key: key) } == "bundleId")
        #expect(field { _ = try AppleOfferSigner(bundleID: "b", issuerID: "", keyID: "k", key: key) } == "issuerId")
        #expect(field { _ = try AppleOfferSigner(bundleID: "b", issuerID: "i", keyID: "", key: key) } == "keyId")
    }

    @Test("dates without bound do not end the program", arguments: [Double.infinity, -.infinity, .nan, 1e300])
    func dates(_ seconds: Double) throws {
        let date = Date(timeIntervalSince1970: seconds)
        _ = try signer.promotionalOfferV1(productID: "p", offerID: "o", appAccountToken: nil, nonce: nonce, at: date)
        _ = try signer.promotionalOfferV2(productID: "p", offerID: "o", transactionID: nil, nonce: nonce, at: date)
    }

    private func verified(_ token: String) throws -> (header: JSON, payload: JSON) {
        let parts = token.split(separator: ".").map(String.init)
        let raw = try #require(Base64.decode(url: parts[2].utf8))
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: raw)
        #expect(key.publicKey.isValidSignature(signature, for: Data("\(parts[0]).\(parts[1])".utf8)))
        return (
            try JSON(parsing: try #require(Base64.decode(url: parts[0].utf8))),
            try JSON(parsing: try #require(Base64.decode(url: parts[1].utf8)))
        )
    }

    private func field(_ work: () throws -> Void) -> String? {
        do {
            try work()
            return nil
        } catch {
            return (error as? GatewayError)?.field
        }
    }
}
