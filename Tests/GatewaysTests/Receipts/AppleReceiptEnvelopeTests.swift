import Billing
import Foundation
import StoreSimulator
import SwiftASN1
import Testing

@testable import Gateways

@Suite("A receipt that is looked into before Apple is asked")
struct AppleReceiptEnvelopeTests {
    private let store: ReceiptStore

    init() throws {
        store = try ReceiptStore()
    }

    @Test(
        "a receipt without purchases has no transaction to ask about (test_xcode_app_receipt_extraction_with_no_transactions)"
    )
    func empty() throws {
        let envelope = try AppleReceiptEnvelope(try store.sign(store.receipt(environment: "Xcode", purchases: [])))
        #expect(envelope.kind == .app)
        #expect(envelope.unverifiedBundleID == "com.example")
        #expect(envelope.unverifiedTransactionID == nil)
    }

    @Test(
        "the first transaction of a receipt is found, Xcode's \"0\" too (test_xcode_app_receipt_extraction_with_transactions)"
    )
    func transactions() throws {
        #expect(try AppleReceiptEnvelope(try store.sign(store.receipt())).unverifiedTransactionID == "300000000000002")
        let zero = AppleReceiptPurchase(
            transactionID: "0",
            originalTransactionID: "0",
            productID: "pass.premium",
            purchasedAt: ReceiptStore.now
        )
        let xcode = try store.sign(store.receipt(environment: "Xcode", purchases: [zero]))
        #expect(try AppleReceiptEnvelope(xcode).unverifiedTransactionID == "0")
        #expect(try AppleReceiptEnvelope(xcode).isMadeByXcode)
        #expect(try !AppleReceiptEnvelope(store.sign(store.receipt())).isMadeByXcode)
    }

    @Test("Xcode wraps the content once more, and says no lengths")
    func indefiniteLengths() throws {
        let content = DERValue.attributes([
            (2, DERValue.text("com.example")), (17, DERValue.attributes([(1_703, DERValue.text("0"))])),
        ])
        let message = try Self.inXcodesForm(try store.signer.message(over: content), content)
        let envelope = try AppleReceiptEnvelope(Data(message).base64EncodedString())
        #expect(envelope.unverifiedTransactionID == "0")
        #expect(envelope.unverifiedBundleID == "com.example")
    }

    @Test(
        "the receipt of one transaction, a property list within a property list, names it (test_transaction_receipt_extraction)"
    )
    func transactionReceipt() throws {
        let info = Data(#"{ "transaction-id" = "33993399"; "bid" = "com.example"; }"#.utf8).base64EncodedString()
        let list = "{\n\t\"signature\" = \"AAAA\";\n\t\"purchase-info\" = \"\(info)\";\n\t\"pod\" = \"100\";\n}"
        let envelope = try AppleReceiptEnvelope(Data(list.utf8).base64EncodedString())
        #expect(envelope.kind == .transaction)
        #expect(envelope.unverifiedTransactionID == "33993399")
        #expect(envelope.unverifiedBundleID == "com.example")
    }

    @Test(
        "a property list without a purchase that can be read is malformed",
        arguments: [
            "{", "{}", #"{ "purchase-info" = "?"; }"#, #"{ "purchase-info" "e30="; }"#, #"{ "purchase-info" = "e30="#,
            #"{ "purchase-info" = ""; }"#, #"{"purchase-info"="#,
        ]
    )
    func brokenLists(_ list: String) {
        let text = Data(list.utf8).base64EncodedString()
        #expect(error(.malformed) { _ = try AppleReceiptEnvelope(text) })
    }

    /// Returns the message with indefinite lengths around its content, and the content in two octet strings.
    private static func inXcodesForm(_ message: [UInt8], _ content: [UInt8]) throws -> [UInt8] {
        func open(_ tag: UInt8) -> [UInt8] { [tag, 0x80] }
        let end: [UInt8] = [0, 0]
        let half = content.count / 2
        let octets =
            open(0x24) + DERValue.value(.octetString, Array(content[..<half]))
            + DERValue.value(.octetString, Array(content[half...])) + end
        let data = DERValue.value(.objectIdentifier, [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01])
        let whole = DERValue.value(.octetString, content)
        guard let place = message.firstRange(of: whole) else { throw GatewayError(.malformed, "no content") }
        let after = Array(message[place.upperBound...])
        let signedData = DERValue.value(.objectIdentifier, [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02])
        let algorithms: [UInt8] =
            [0x31, 0x0F, 0x30, 0x0D, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x05, 0x00]
        return open(0x30) + signedData + open(0xA0) + open(0x30) + [0x02, 0x01, 0x01] + algorithms
            + open(0x30) + data + open(0xA0) + octets + end + end + after + end + end + end
    }
}
