import Billing
import Foundation
import Testing

@testable import Gateways

@Suite("Apple's chain of certificates")
struct AppleChainTests {
    private let store: TestStore

    init() throws {
        store = try TestStore()
    }

    @Test("a remembered chain is worth nothing to an app with other anchors, or outside its dates")
    func rememberedForWhom() async throws {
        _ = try await store.verify(TestNotification().signed(by: store.chain))
        let stranger = try AppleConfiguration.test(anchors: [TestChain().root])
        #expect(await store.code(try TestNotification().signed(by: store.chain), for: stranger) == .invalidChain)
        let apple = try AppleConfiguration(bundleID: "com.example", appAppleID: 1_234)
        #expect(await store.code(try TestNotification().signed(by: store.chain), for: apple) == .invalidChain)
        let trusting = try AppleConfiguration(
            bundleID: "com.example",
            appAppleID: 1_234,
            extraAnchors: [store.chain.root]
        )
        #expect(await store.code(try TestNotification().signed(by: store.chain), for: trusting) == nil)
        let early = try store.dated(TestChain.start.addingTimeInterval(-1))
        #expect(await store.code(early) == .invalidChain)
        let late = try store.dated(TestChain.end.addingTimeInterval(1))
        #expect(await store.code(late, at: TestChain.end.addingTimeInterval(60)) == .invalidChain)
    }

    @Test("certificates that expired since the signature are fine: the date of signing counts")
    func expiredSince() async throws {
        let payload = try TestNotification().signed(by: store.chain)
        #expect(await store.code(payload, at: TestChain.end.addingTimeInterval(1_000_000)) == nil)
    }

    @Test("a chain is three certificates, the first two in strict standard base64")
    func chains() async throws {
        guard case .array(let honest) = store.chain.honestX5C, let leaf = honest[0].string else { return }
        let wrong: [JSON] = [
            [], .array([honest[0]]), .array(Array(honest.prefix(2))), .array(honest + [honest[2]]),
            .array([.string("abc"), honest[1], honest[2]]), .array([.string("YWJj"), honest[1], honest[2]]),
            .array([.string(leaf + "\n"), honest[1], honest[2]]), .array([honest[1], honest[0], honest[2]]),
            .array([honest[0], honest[2], honest[2]]), .array([honest[0], honest[0], honest[2]]),
            .array([
                .string(String(decoding: Base64.encode(url: store.chain.leaf), as: UTF8.self)), honest[1], honest[2],
            ]),
        ]
        for x5c in wrong { #expect(await store.code(try store.signed(x5c: x5c)) == .invalidChain) }
        #expect(await store.code(try store.signed(x5c: "not a list")) == .malformed)
        #expect(await store.code(try store.signed(x5c: [1, 2, 3])) == .malformed)
        #expect(await store.code(try store.chain.sign(Array("{}".utf8), header: ["alg": "ES256"])) == .invalidChain)
    }

    @Test("the third certificate is never looked at where anchors are configured")
    func thirdIsIgnored() async throws {
        guard case .array(let honest) = store.chain.honestX5C else { return }
        #expect(await store.code(try store.signed(x5c: .array([honest[0], honest[1], .string("garbage!")]))) == nil)
    }

    @Test("leaf and intermediate need their markers, the intermediate the right to issue")
    func shapes() async throws {
        typealias Shape = TestChain.Shape
        let intermediate = Shape(marker: TestChain.intermediateMarker, maxPathLength: 0)
        let wrong = [
            try TestChain(leaf: Shape(marker: nil, isAuthority: false, mayCertify: false)),
            try TestChain(leaf: Shape(marker: TestChain.intermediateMarker, isAuthority: false, mayCertify: false)),
            try TestChain(intermediate: Shape(marker: nil, maxPathLength: 0)),
            try TestChain(intermediate: Shape(marker: TestChain.leafMarker, maxPathLength: 0)),
            try TestChain(intermediate: Shape(marker: TestChain.intermediateMarker, isAuthority: false)),
            try TestChain(
                intermediate: Shape(marker: TestChain.intermediateMarker, maxPathLength: 0, mayCertify: false)
            ),
            try TestChain(
                intermediate: intermediate,
                leaf: Shape(
                    marker: TestChain.leafMarker,
                    isAuthority: false,
                    mayCertify: false,
                    validity: TestChain.start...TestNotification.now.addingTimeInterval(-1)
                )
            ),
            try TestChain(
                intermediate: Shape(
                    marker: TestChain.intermediateMarker,
                    maxPathLength: 0,
                    validity: TestNotification.now.addingTimeInterval(1)...TestChain.end
                )
            ),
        ]
        for wrong in wrong {
            let app = try AppleConfiguration.test(anchors: [wrong.root])
            #expect(await store.code(try TestNotification().signed(by: wrong), for: app) == .invalidChain)
        }
    }

    @Test("a chain of somebody else's root, and somebody else's key under our chain, are refused")
    func foreign() async throws {
        var thief = try TestChain()
        #expect(await store.code(try TestNotification().signed(by: thief)) == .invalidChain)
        thief.leaf = store.chain.leaf
        thief.intermediate = store.chain.intermediate
        #expect(await store.code(try TestNotification().signed(by: thief)) == .invalidSignature)
    }

    @Test("a remembered chain is not found by text that Unicode calls equivalent")
    func equivalents() async throws {
        guard case .array(let honest) = store.chain.honestX5C, let leaf = honest[0].string else { return }
        // The Kelvin sign is canonically a K, which all but one chain in ten thousand has.
        guard leaf.contains("K") else { return }
        let lookalike = leaf.replacing("K", with: "\u{212A}")
        try #require(lookalike == leaf && !lookalike.utf8.elementsEqual(leaf.utf8))
        #expect(await store.code(try store.signed(x5c: store.chain.honestX5C)) == nil)
        let x5c: JSON = .array([.string(lookalike), honest[1], honest[2]])
        #expect(await store.code(try store.signed(x5c: x5c)) == .invalidChain)
    }
}
