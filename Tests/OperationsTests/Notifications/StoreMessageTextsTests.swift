import Billing
import Foundation
import Gateways
import Testing

@testable import Operations

@Suite("What a store calls its messages") struct StoreMessageTextsTests {
    @Test("a name of any length can be kept, the same for the same message")
    func keys() {
        let usual = message(id: "002e14d5-51f5-4503-b5a8-c3a1af68eb20", type: "DID_RENEW")
        #expect((usual.key, usual.typeLabel) == (usual.id, usual.type))
        for id in [String(repeating: "9", count: 100_000), "1\0"] {
            let odd = message(id: id, type: id)
            #expect(odd.key.hasPrefix("sha256:") && odd.key.utf8.count == 71)
            #expect(odd.key == message(id: id, type: "TEST").key)
            #expect(odd.key != message(id: id + "9", type: "TEST").key)
            #expect(odd.typeLabel.utf8.count <= StoreEvent.longestIdentifier && !odd.typeLabel.utf8.contains(0))
        }
    }

    private func message(id: String, type: String) -> StoreMessage {
        StoreMessage(
            id: id,
            type: type,
            environment: .production,
            signedAt: Date(timeIntervalSince1970: 1_750_000_000),
            content: .ignored
        )
    }
}
