import Billing
import CryptoExtras
import Foundation
import Testing

@testable import Gateways

/// Checks signatures against vectors that were made and checked elsewhere (payments.md, 2).
@Suite("What is signed for Alipay, and as Alipay") struct AlipaySigningTests {
    private let vectors: JSON

    init() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        vectors = try JSON(parsing: Array(try Data(contentsOf: folder.appending(path: "Interop/alipay_vectors.json"))))
    }

    private func text(_ name: String) throws -> String { try #require(vectors[name]?.string) }

    private func app() throws -> AlipayConfiguration {
        try #require(
            try AlipayConfiguration(
                StoreAccount(
                    store: .alipay,
                    identifier: "2021000000000001",
                    isSimulated: false,
                    secrets: [
                        AlipaySetting.privateKey: Secret(try text("app_private_key_pem")),
                        AlipaySetting.alipayPublicKey: Secret(try text("alipay_public_key_pem")),
                    ]
                )
            )
        )
    }

    @Test("requests are signed as the vectors are, to the letter")
    func requests() throws {
        guard case .array(let requests)? = vectors["requests"] else {
            Issue.record("there are no requests")
            return
        }
        var signed = 0
        for request in requests {
            guard case .object(let members)? = request["params"] else { continue }
            let parameters = members.compactMap { member in member.value.string.map { (member.name, $0) } }
            #expect(AlipayRequest.signedText(parameters) == request["message"]?.string)
            let common: Set = ["app_id", "charset", "format", "method", "sign_type", "timestamp", "version"]
            let made = try AlipayRequest(
                try #require(request["params"]?["method"]?.string),
                parameters.filter { !common.contains($0.0) },
                for: try app(),
                at: Date(timeIntervalSince1970: 1_700_000_000)
            )
            #expect(made.common.last?.1 == request["sign"]?.string)
            signed += 1
        }
        #expect(signed == 3)
    }

    @Test("an answer is believed over its bytes, escaped slashes and all, and with nothing changed")
    func answers() throws {
        let body = try #require(vectors["sync_response"]?["http_body"]?.string)
        let (signers, now) = (try app().keys.signers, Date(timeIntervalSince1970: 1_700_000_000))
        let answer = try AlipayResponse(Array(body.utf8), to: "alipay.trade.precreate", from: signers, at: now)
        #expect(answer.content["qr_code"] == "https://qr.alipay.com/bax0001")
        #expect(!answer.isRefusal)
        let spaced = body.replacing("_response\":{", with: "_response\" :\n {").replacing(
            "},\"sign\"",
            with: "} , \"sign\""
        )
        _ = try AlipayResponse(Array(spaced.utf8), to: "alipay.trade.precreate", from: signers, at: now)
        for changed in [
            body.replacing("\\/", with: "/"), body.replacing("SUB-1", with: "SUB-2"),
            body.replacing("{\"code\"", with: "{ \"code\""), body.replacing("\"sign\":\"c", with: "\"sign\":\"d"),
            body.replacing("\"sign\":\"", with: "\"sign\":\"="),
            body.replacing(#","sign":"#, with: #","sign":[],"s":"#),
        ] {
            let error = #expect(throws: GatewayError.self) {
                try AlipayResponse(Array(changed.utf8), to: "alipay.trade.precreate", from: signers, at: now)
            }
            #expect(error?.code == .invalidSignature)
        }
        let other = #expect(throws: GatewayError.self) {
            try AlipayResponse(Array(body.utf8), to: "alipay.trade.query", from: signers, at: now)
        }
        #expect(other?.code == .missing)
    }

    @Test("the time is that of Shanghai, in summer and winter")
    func timestamps() {
        #expect(AlipayTime.text(Date(timeIntervalSince1970: 1_700_000_000)) == "2023-11-15 06:13:20")
        #expect(AlipayTime.text(Date(timeIntervalSince1970: 1_719_763_199)) == "2024-06-30 23:59:59")
        #expect(AlipayTime.text(Date(timeIntervalSince1970: 1_735_660_800)) == "2025-01-01 00:00:00")
        for text in ["2023-11-15 06:13:20", "2024-02-29 00:00:00", "2024-06-30 23:59:59.999"] {
            #expect(AlipayTime.date(text).map { AlipayTime.text($0) } == String(text.prefix(19)))
        }
        for text in [
            nil, "", "2023-02-29 00:00:00", "2023-11-15T06:13:20", "2023-11-15 24:00:00", "1969-01-01 00:00:00",
        ] {
            #expect(AlipayTime.date(text) == nil)
        }
    }

    @Test("keys are read as Alipay's tools write them; what is none is refused by its field")
    func keys() throws {
        let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let alipays = try _RSA.Signing.PrivateKey(keySize: .bits2048).publicKey
        func bare(_ pem: String) -> String {
            pem.split(separator: "\n").filter { !$0.hasPrefix("-") }.joined()
        }
        let gateway = AlipayGateway()
        func check(_ privateKey: String, _ publicKey: String) throws {
            try gateway.check(
                StoreKey(
                    kind: .api,
                    secrets: [
                        AlipaySetting.privateKey: Secret(privateKey), AlipaySetting.alipayPublicKey: Secret(publicKey),
                    ]
                )
            )
        }
        for text in [
            key.pemRepresentation, key.pkcs8PEMRepresentation, bare(key.pemRepresentation),
            bare(key.pkcs8PEMRepresentation), key.pkcs8PEMRepresentation.replacing("\n", with: "\r\n"),
            key.pkcs8PEMRepresentation.replacing("\n", with: " "),
        ] {
            try check(text, alipays.pemRepresentation)
            try check(text, bare(alipays.pemRepresentation))
        }
        func field(_ privateKey: String, _ publicKey: String) -> String? {
            #expect(throws: GatewayError.self) { try check(privateKey, publicKey) }?.field
        }
        let small = try _RSA.Signing.PrivateKey(unsafeKeySize: .init(bitCount: 1_024))
        for text in [
            "", "1.5", "\0", "9223372036854775808", String(repeating: "a", count: 100_000),
            small.pkcs8PEMRepresentation, alipays.pemRepresentation,
        ] {
            #expect(field(text, alipays.pemRepresentation) == "appPrivateKey")
        }
        for text in [
            "", "1.5", "\0", "9223372036854775808", String(repeating: "a", count: 100_000),
            small.publicKey.pemRepresentation, key.publicKey.pemRepresentation,
        ] {
            #expect(field(key.pemRepresentation, text) == "alipayPublicKey")
        }
    }
}
