import Foundation
import StoreSimulator
import Synchronization
import Testing

@testable import Gateways

@Suite("Apple's keys for sign-in")
struct AppleKeysTests {
    private let store: AppleIDStore

    init() throws {
        store = try AppleIDStore()
    }

    @Test("they are fetched once for many tokens, and anew after a day")
    func cached() async throws {
        for _ in 0..<5 { _ = try await store.verify(token()) }
        #expect(store.apple.keysAsked == 1)
        store.clock.advance(by: 86_401)
        _ = try await store.verify(token())
        #expect(store.apple.keysAsked == 2)
    }

    @Test("a key that is not known makes us ask again: Apple changes them without a word")
    func rotated() async throws {
        _ = try await store.verify(token())
        store.clock.advance(by: 61)
        try store.apple.rotateKeys()
        _ = try await store.verify(token())
        #expect(store.apple.keysAsked == 2)
    }

    @Test("ids that are made up do not make us ask more than once a minute")
    func limited() async throws {
        _ = try await store.verify(token())
        let parts = try token().split(separator: ".")
        for number in 0..<20 {
            let header: JSON = ["alg": "RS256", "kid": .string("MADEUP\(number)")]
            let made = String(decoding: Base64.encode(url: header.bytes), as: UTF8.self)
            #expect(await store.code("\(made).\(parts[1]).\(parts[2])") == .unknownKey)
        }
        #expect(store.apple.keysAsked == 1)
        store.clock.advance(by: 60)
        let header: JSON = ["alg": "RS256", "kid": "MADEUP"]
        let made = String(decoding: Base64.encode(url: header.bytes), as: UTF8.self)
        for _ in 0..<5 { #expect(await store.code("\(made).\(parts[1]).\(parts[2])") == .unknownKey) }
        #expect(store.apple.keysAsked == 2)
        #expect(await store.code(try token()) == nil)
    }

    @Test("a key that Apple withdrew is good no more once the keys were fetched anew")
    func withdrawn() async throws {
        let old = try token()
        _ = try await store.verify(old)
        try store.apple.rotateKeys()
        try store.apple.rotateKeys()
        store.clock.advance(by: 61)
        _ = try await store.verify(token())
        #expect(await store.code(old) == .unknownKey)
    }

    @Test("while Apple does not answer, known keys go on and unknown ones are for later")
    func unreachable() async throws {
        let answers = Mutex<[StoreResponse]>([])
        let request = SimulatedRequest(method: "GET", target: "/auth/keys", headers: [:], body: Data())
        let body = await store.apple.endpoints[0].answer(request).body
        let transport = PreparedTransport { answers.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
        let keys = JWTKeySet.apple(at: EndpointTransport.address, transport: transport)
        let token = try JWT(try token(), longest: AppleIdentityVerifier.longestToken)
        func code(after seconds: TimeInterval) async -> JWTError.Code? {
            do throws(JWTError) {
                _ = try await keys.keys(for: token, at: AppleIDStore.start.addingTimeInterval(seconds))
                return nil
            } catch {
                return error.code
            }
        }
        #expect(await code(after: 0) == .unreachable)
        answers.withLock { $0 = [StoreResponse(status: 200, body: body)] }
        #expect(await code(after: 30) == .unreachable, "not asked again so soon")
        #expect(await code(after: 60) == nil)
        #expect(await code(after: 100_000) == nil, "asked in vain, and the old key is taken")
        let wrong: [StoreResponse] = [
            StoreResponse(status: 503, body: body), StoreResponse(status: 200, body: Data("<html>".utf8)),
            StoreResponse(status: 200, body: Data(#"{"keys":[]}"#.utf8)),
            StoreResponse(status: 200, body: Data(#"{"keys":[{"kty":"RSA","kid":"a","n":"AQAB","e":"!"}]}"#.utf8)),
        ]
        for (index, response) in wrong.enumerated() {
            answers.withLock { $0 = [response] }
            #expect(await code(after: 200_000 + Double(index) * 100) == nil)
        }
    }

    @Test("those who come at once wait for one answer")
    func together() async throws {
        let tokens = try (0..<10).map { _ in try token() }
        await withTaskGroup { group in
            for token in tokens { group.addTask { #expect(await store.code(token) == nil) } }
        }
        #expect(store.apple.keysAsked == 1)
    }

    private func token() throws -> String {
        try store.apple.identityToken(AppleIDStore.anna, for: AppleIDStore.clientID)
    }
}

/// Gives prepared answers, and no answer where none is prepared.
struct PreparedTransport: StoreTransport {
    let next: @Sendable () -> StoreResponse?

    func send(_ request: StoreRequest) async throws(GatewayError) -> StoreResponse {
        guard let response = next() else { throw GatewayError(.unreachable, "Nobody answers.") }
        return response
    }
}
