import Foundation
import Gateways
import StoreSimulator
import SwiftASN1
import Testing

/// Checks `openssl cms`, and Apple's own ReceiptUtility, against the simulator's receipts and our verifier.
@Suite("OpenSSL and ours agree on receipts", .enabled(if: Judge.isAvailable || Judge.isRequired))
struct ReceiptJudgeTests {
    @Test("OpenSSL accepts every receipt of the simulator, and refuses each that ours refuses for its signature")
    func openssl() throws {
        let judge = try Judge()
        defer { judge.removeFolder() }
        let store = try ReceiptStore()
        // The authority's directory has the anchor that a receiving app, or a judge, is configured with.
        let kept = try ReceiptAuthority.kept(in: judge.folder.path)
        #expect(try ReceiptAuthority.kept(in: judge.folder.path).root == kept.root)
        let app = try AppleConfiguration(
            bundleID: "com.example",
            appAppleID: 1_234,
            mode: .simulator(anchors: [judge.read("receipt-root.der")])
        )
        let content = store.receipt().payload
        for digest in ReceiptSigner.DigestAlgorithm.allCases {
            let message = try ReceiptSigner(authority: kept, digest: digest).message(over: content)
            #expect(try accepts(judge, message))
            #expect(try judge.read("content.out") == content)
            #expect(ours(message, app))
            var tampered = message
            let place = try #require(message.firstRange(of: Array("com.example.pro".utf8)))
            tampered[place.lowerBound] = UInt8(ascii: "k")
            #expect(try !accepts(judge, tampered))
            #expect(!ours(tampered, app))
            #expect(try !accepts(judge, Array(message.dropLast(1))))
            #expect(!ours(Array(message.dropLast(1)), app))
        }
        let foreign = try store.signer.message(over: content)
        #expect(try !accepts(judge, foreign))
        #expect(!ours(foreign, app))
        var stolen = ReceiptSigner(authority: kept)
        stolen.authority = ReceiptAuthority(
            root: kept.root,
            intermediate: kept.intermediate,
            leaf: kept.leaf,
            key: store.authority.key
        )
        #expect(try !accepts(judge, try stolen.message(over: content)))
        #expect(!ours(try stolen.message(over: content), app))
        var bare = ReceiptSigner(authority: kept)
        bare.certificates = [kept.root]
        #expect(try !accepts(judge, try bare.message(over: content)))
        #expect(!ours(try bare.message(over: content), app))
    }

    @Test("Apple's ReceiptUtility finds the same transaction in both kinds of receipt")
    func receiptUtility() throws {
        let judge = try Judge()
        defer { judge.removeFolder() }
        let store = try ReceiptStore()
        let info = Data(#"{ "bid" = "com.example"; "transaction-id" = "33993399"; }"#.utf8).base64EncodedString()
        let list = Data("{ \"purchase-info\" = \"\(info)\"; }".utf8).base64EncodedString()
        let receipts = [
            try store.sign(store.receipt()), try store.sign(store.receipt(purchases: [])),
            try store.sign(store.receipt(environment: "Xcode")), list,
        ]
        let lines = try receipts.map { receipt -> JSON in
            let envelope = try AppleReceiptEnvelope(receipt)
            return [
                "receipt": .string(receipt), "kind": envelope.kind == .app ? "app" : "transaction",
                "transactionId": envelope.unverifiedTransactionID.map { .string($0) } ?? .null,
            ]
        }
        try judge.write(lines.flatMap { $0.bytes + [0x0A] }, to: "receipts.jsonl")
        let verdict = try judge.run("apple_receipts.py")
        #expect(verdict.status == 0, "\(verdict.output)")
        #expect(verdict.output.hasSuffix("\(receipts.count) passed, 0 failed\n"), "\(verdict.output)")
    }

    private func accepts(_ judge: Judge, _ message: [UInt8]) throws -> Bool {
        try judge.write(message, to: "receipt.der")
        let verdict = try judge.openssl(
            "cms",
            "-verify",
            "-inform",
            "DER",
            "-in",
            "receipt.der",
            "-CAfile",
            "receipt-root.pem",
            "-purpose",
            "any",
            "-no_check_time",
            "-binary",
            "-out",
            "content.out"
        )
        return verdict.status == 0
    }

    private func ours(_ message: [UInt8], _ app: AppleConfiguration) -> Bool {
        let text = Data(message).base64EncodedString()
        return (try? AppleReceiptVerifier().verify(text, for: app, at: ReceiptStore.now)) != nil
    }
}
