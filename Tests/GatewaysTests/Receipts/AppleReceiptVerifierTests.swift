import Billing
import Foundation
import StoreSimulator
import SwiftASN1
import Testing
import X509

@testable import Gateways

@Suite("An app's receipt, by its signature alone")
struct AppleReceiptVerifierTests {
    private let store: ReceiptStore

    init() throws {
        store = try ReceiptStore()
    }

    @Test("an authentic receipt says all that Apple wrote, its purchases in the order of their dates")
    func authentic() throws {
        let receipt = try store.verify(try store.sign(store.receipt()))
        #expect(receipt.environment == .production)
        #expect(receipt.rawEnvironment == "Production")
        #expect(receipt.bundleID == "com.example")
        #expect(receipt.appAppleID == 1_234)
        #expect(receipt.applicationVersion == "42")
        #expect(receipt.originalApplicationVersion == "1.0")
        #expect(receipt.createdAt == ReceiptStore.now)
        #expect(receipt.originalPurchasedAt == ReceiptStore.now.addingTimeInterval(-86_400))
        #expect(receipt.expiresAt == nil)
        #expect(receipt.downloadID == 58_001_034_530_148)
        #expect(receipt.versionExternalIdentifier == 863_855_306)
        #expect(receipt.opaqueValue.count == 16)
        #expect(receipt.deviceHash.count == 20)
        #expect(receipt.purchases == ReceiptStore.purchases.sorted { $0.purchasedAt < $1.purchasedAt })
    }

    @Test(
        "old receipts are signed over SHA-1, newer ones over SHA-256",
        arguments: ReceiptSigner.DigestAlgorithm.allCases
    )
    func digests(_ digest: ReceiptSigner.DigestAlgorithm) throws {
        let signer = ReceiptSigner(authority: store.authority, digest: digest)
        #expect(store.code(try signer.sign(store.receipt())) == nil)
    }

    @Test("certificates that are signed over SHA-1, as those of old receipts are, lead to their root")
    func oldCertificates() throws {
        let old = try ReceiptAuthority(algorithm: .sha1WithRSAEncryption)
        let receipt = try ReceiptSigner(authority: old, digest: .sha1).sign(store.receipt())
        #expect(store.code(receipt, for: try .test(anchors: [old.root])) == nil)
    }

    @Test("the chain is judged at the date on which the receipt was created, not now")
    func expiredSince() throws {
        let brief = try ReceiptAuthority { _, leaf in
            leaf.validity = ReceiptStore.now.addingTimeInterval(-60)...ReceiptStore.now.addingTimeInterval(60)
        }
        let app = try AppleConfiguration.test(anchors: [brief.root])
        let signer = ReceiptSigner(authority: brief)
        let years = ReceiptStore.now.addingTimeInterval(100_000_000)
        #expect(store.code(try signer.sign(store.receipt()), for: app, at: years) == nil)
        for seconds in [-120.0, 120] {
            var other = store.receipt()
            other.createdAt = ReceiptStore.now.addingTimeInterval(seconds)
            #expect(store.code(try signer.sign(other), for: app, at: years) == .invalidChain)
        }
    }

    @Test("signer and issuer need their markers, and the issuer the right to issue")
    func shapes() throws {
        let bends: [(inout TestCertificate, inout TestCertificate) -> Void] = [
            { _, leaf in leaf.marker = nil },
            { _, leaf in leaf.marker = TestCertificate.issuerMarker },
            { _, leaf in leaf.marker = [1, 2, 840, 113_635, 100, 6, 11, 2] },
            { issuer, _ in issuer.marker = nil },
            { issuer, _ in issuer.marker = [1, 2, 840, 113_635, 100, 6, 2, 2] },
            { issuer, _ in issuer.role = .signer },
        ]
        for bend in bends {
            let wrong = try ReceiptAuthority(bend: bend)
            let receipt = try ReceiptSigner(authority: wrong).sign(store.receipt())
            #expect(store.code(receipt, for: try .test(anchors: [wrong.root])) == .invalidChain)
        }
    }

    @Test("a receipt of somebody else's root, without its certificates, or of a key that they do not name is refused")
    func foreign() throws {
        let thief = try ReceiptAuthority()
        #expect(store.code(try ReceiptSigner(authority: thief).sign(store.receipt())) == .invalidChain)
        var signer = ReceiptSigner(authority: thief)
        signer.certificates = [thief.leaf, thief.intermediate, store.authority.root]
        #expect(store.code(try signer.sign(store.receipt())) == .invalidChain)
        signer = store.signer
        signer.authority = ReceiptAuthority(
            root: store.authority.root,
            intermediate: store.authority.intermediate,
            leaf: store.authority.leaf,
            key: thief.key
        )
        #expect(store.code(try signer.sign(store.receipt())) == .invalidSignature)
        signer = store.signer
        for left in [[], [store.authority.leaf], [store.authority.intermediate, store.authority.root]] {
            signer.certificates = left
            #expect(store.code(try signer.sign(store.receipt())) == .invalidChain)
        }
        signer.certificates = [store.authority.leaf, store.authority.intermediate]
        #expect(store.code(try signer.sign(store.receipt())) == nil, "the root comes from the setting")
        signer.certificates = Array(repeating: store.authority.root, count: 20) + signer.certificates
        #expect(store.code(try signer.sign(store.receipt())) == .invalidChain)
    }

    @Test("an app of the App Store trusts Apple's own root by its fingerprint, and no simulator's")
    func pinned() throws {
        let receipt = try store.sign(store.receipt())
        #expect(
            store.code(receipt, for: try AppleConfiguration(bundleID: "com.example", appAppleID: 1_234))
                == .invalidChain
        )
        // The anchor of signed messages, whose key is not RSA, is no anchor for receipts.
        let messages = try TestChain().root
        #expect(store.code(receipt, for: try .test(anchors: [messages])) == .invalidChain)
        #expect(store.code(receipt, for: try .test(anchors: [messages, store.authority.root])) == nil)
        let trusting = try AppleConfiguration(
            bundleID: "com.example",
            appAppleID: 1_234,
            extraAnchors: [store.authority.root]
        )
        #expect(store.code(receipt, for: trusting) == nil)
    }

    @Test("a message that is not plain data with one signature over it is no receipt")
    func otherMessages() throws {
        var signer = store.signer
        signer.contentType = [1, 2, 840, 113_549, 1, 7, 3]
        #expect(store.code(try signer.sign(store.receipt())) == .malformed)
        #expect(try store.code(over: []) == .malformed)
        #expect(try store.code(over: Array("no set".utf8)) == .malformed)
        #expect(try store.code(over: [0x30, 0x00]) == .malformed)
        #expect(try store.code(over: [0x31, 0x00]) == .missing)
        let message = try store.signer.message(over: store.receipt().payload)
        #expect(store.code(Data(message + [0]).base64EncodedString()) == .malformed)
        #expect(store.code(Data(message.dropLast()).base64EncodedString()) == .malformed)
    }

    @Test("what is not base64, or too long, is malformed", arguments: ["", "=", "abc", "!!!!", "MIIB", "e30=", "ü"])
    func malformed(_ text: String) {
        #expect(store.code(text) == .malformed)
        #expect(store.code(String(repeating: "A", count: (3 << 20) + 4)) == .malformed)
    }

    @Test("line breaks, which some encoders add, do not matter")
    func lineBreaks() throws {
        let message = try store.signer.message(over: store.receipt().payload)
        let text = Data(message).base64EncodedString(options: [.lineLength64Characters, .endLineWithCarriageReturn])
        #expect(store.code(text) == nil)
    }

    @Test("another app's receipt is refused, by its bundle id and by its number")
    func otherApp() throws {
        var other = store.receipt()
        other.bundleID = "com.example.x"
        #expect(store.code(try store.sign(other)) == .wrongApp)
        other = store.receipt()
        other.appAppleID = 1_235
        #expect(store.code(try store.sign(other)) == .wrongApp)
        other.appAppleID = 0
        #expect(store.code(try store.sign(other)) == nil)
    }

    @Test("the sandbox is told from production; Xcode's receipts and unknown ones are refused")
    func environments() throws {
        for name in ["ProductionSandbox", "Sandbox", "ProductionVPPSandbox"] {
            #expect(try store.verify(try store.sign(store.receipt(environment: name))).environment == .sandbox)
        }
        #expect(
            try store.verify(try store.sign(store.receipt(environment: "ProductionVPP"))).environment == .production
        )
        for name in ["Xcode", "LocalTesting", "production", "Moon"] {
            #expect(store.code(try store.sign(store.receipt(environment: name))) == .wrongEnvironment)
        }
        let strict = try AppleConfiguration.test(anchors: [store.authority.root], acceptsSandbox: false)
        #expect(store.code(try store.sign(store.receipt(environment: "Sandbox")), for: strict) == .wrongEnvironment)
    }

    @Test("a receipt from the future is refused; five minutes are the difference of two clocks")
    func future() throws {
        var early = store.receipt()
        early.createdAt = ReceiptStore.now.addingTimeInterval(300)
        #expect(store.code(try store.sign(early)) == nil)
        early.createdAt = ReceiptStore.now.addingTimeInterval(301)
        #expect(store.code(try store.sign(early)) == .signedInFuture)
    }

    @Test("attributes that Apple adds later are passed over; those of another type than documented are malformed")
    func attributes() throws {
        let needed: [(Int, [UInt8])] = [
            (0, DERValue.text("Production")), (2, DERValue.text("com.example")), (12, DERValue.date(ReceiptStore.now)),
        ]
        func code(_ more: (Int, [UInt8])...) throws -> GatewayError.Code? {
            try store.code(over: DERValue.attributes(needed + more))
        }
        #expect(try code() == nil)
        #expect(try code((4_711, [1, 2, 3]), (.max, []), (-1, [])) == nil)
        #expect(try code((3, DERValue.integer(5))) == .malformed)
        #expect(try code((1, DERValue.text("5"))) == .malformed)
        #expect(try code((1, [0x02, 0x09, 1, 0, 0, 0, 0, 0, 0, 0, 0])) == .malformed)
        #expect(try code((18, DERValue.text("yesterday"))) == .malformed)
        #expect(try code((18, DERValue.text(""))) == nil)
        #expect(try code((18, [])) == nil)
        #expect(try code((3, DERValue.text("1\u{0}"))) == .malformed)
        #expect(try code((17, [1])) == .malformed)
        #expect(try code((17, DERValue.attributes([(1_703, DERValue.text("1"))]))) == .missing)
        let purchase: [(Int, [UInt8])] = [
            (1_702, DERValue.text("p")), (1_703, DERValue.text("1")), (1_704, DERValue.date(ReceiptStore.now)),
            (1_707, DERValue.integer(9)), (1_701, DERValue.integer(.max)), (9_999, [0xFF]),
        ]
        let content = DERValue.attributes(needed + [(17, DERValue.attributes(purchase))])
        let read = try store.verify(Data(try store.signer.message(over: content)).base64EncodedString())
        #expect(read.purchases.first?.productType == nil)
        #expect(read.purchases.first?.originalTransactionID == "1")
        #expect(read.purchases.first?.storeTransaction.quantity == .max)
    }

    @Test("cut anywhere, a receipt is refused and nothing ends")
    func truncations() throws {
        let message = try store.signer.message(over: store.receipt().payload)
        for length in stride(from: 0, to: message.count, by: 7) {
            let cut = Data(message.prefix(length)).base64EncodedString()
            #expect(store.code(cut) != nil)
            _ = try? AppleReceiptEnvelope(cut)
        }
    }

    @Test("with bytes changed by chance, a receipt is refused or says what it said before, and nothing ends")
    func flips() throws {
        let honest = try store.verify(try store.sign(store.receipt()))
        let message = try store.signer.message(over: store.receipt().payload)
        let same = try store.verify(Data(message).base64EncodedString())
        #expect(same.purchases == honest.purchases)
        var random = SeededRandom(seed: 19)
        for _ in 0..<3_000 {
            var changed = message
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                changed[Int.random(in: changed.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let text = Data(changed).base64EncodedString()
            _ = try? AppleReceiptEnvelope(text)
            if let read = try? store.verify(text) { #expect(read == same) }
        }
    }

    @Test("content with bytes changed by chance is read or refused, and nothing ends")
    func contents() throws {
        let content = store.receipt().payload
        var random = SeededRandom(seed: 23)
        for _ in 0..<5_000 {
            var changed = content
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                changed[Int.random(in: changed.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if Bool.random(using: &random) { changed.removeLast(Int.random(in: 0..<changed.count, using: &random)) }
            do throws(GatewayError) {
                _ = try AppleReceipt(payload: changed)
            } catch {
                #expect([.malformed, .missing, .wrongEnvironment].contains(error.code))
            }
        }
    }
}
