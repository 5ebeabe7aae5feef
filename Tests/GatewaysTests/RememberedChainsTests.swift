import Crypto
import Foundation
import Testing

@testable import Gateways

@Suite("Remembered chains")
struct RememberedChainsTests {
    private let chain = AppleChain(
        key: P256.Signing.PrivateKey().publicKey,
        validity: Date.distantPast...Date.distantFuture
    )

    @Test("the one unused for longest makes room")
    func bounded() {
        let chains = RememberedChains(limit: 2)
        chains.remember(chain, as: key(1))
        chains.remember(chain, as: key(2))
        #expect(chains[key(1)] != nil)
        chains.remember(chain, as: key(3))
        #expect(chains[key(1)] != nil)
        #expect(chains[key(2)] == nil)
        #expect(chains[key(3)] != nil)
    }

    @Test("leaf, intermediate, anchors and pin each make another entry")
    func keyed() {
        let chains = RememberedChains(limit: 9)
        let known = RememberedChains.Key(leaf: "1", intermediate: "2", trustID: [3], isPinned: false)
        chains.remember(chain, as: known)
        #expect(chains[known] != nil)
        #expect(chains[.init(leaf: "9", intermediate: "2", trustID: [3], isPinned: false)] == nil)
        #expect(chains[.init(leaf: "1", intermediate: "9", trustID: [3], isPinned: false)] == nil)
        #expect(chains[.init(leaf: "1", intermediate: "2", trustID: [9], isPinned: false)] == nil)
        #expect(chains[.init(leaf: "1", intermediate: "2", trustID: [3], isPinned: true)] == nil)
    }

    private func key(_ number: UInt8) -> RememberedChains.Key {
        RememberedChains.Key(leaf: "\(number)", intermediate: "", trustID: [], isPinned: false)
    }
}
