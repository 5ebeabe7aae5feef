import Foundation
import Testing

@testable import Gateways

@Suite("Stores over TLS", .enabled(if: Judge.isAvailable || Judge.isRequired))
struct StoreTLSTests {
    @Test("many questions share one connection over HTTP/2, one after the other and side by side")
    func two() async throws {
        let store = try await TLSStore(speaking: "h2")
        let transport = Self.transport(trusting: store)
        let request = StoreRequest("POST", store.url, body: Data("question".utf8))
        #expect(await TransportResult.of(request, over: transport).body == "h2 1")
        let bodies = await withTaskGroup(of: String?.self) { group in
            for _ in 0..<50 { group.addTask { await TransportResult.of(request, over: transport).body } }
            return await group.reduce(into: [:]) { counts, body in counts[body ?? "", default: 0] += 1 }
        }
        #expect(bodies == ["h2 1": 50])
        #expect(try store.stop().count == 51)
    }

    @Test("a store that knows HTTP/1.1 alone is asked in that, over one connection")
    func one() async throws {
        let store = try await TLSStore(speaking: "http/1.1")
        let transport = Self.transport(trusting: store)
        for _ in 0..<5 {
            #expect(await TransportResult.of(StoreRequest("GET", store.url), over: transport).body == "http/1.1 1")
        }
        #expect(try store.stop() == Array(repeating: "GET /it HTTP/1.1", count: 5))
    }

    @Test("a certificate that the system does not trust is of no store, and is told nothing")
    func untrusted() async throws {
        let store = try await TLSStore(speaking: "http/1.1")
        let result = await TransportResult.of(StoreRequest("GET", store.url))
        #expect(result.code == .unreachable)
        #expect(result.reason == .tls)
        #expect(result.error?.isLate == false)
        #expect(try store.stop() == [])
    }

    @Test("a trusted certificate of another host is of another store, and is told nothing")
    func otherHost() async throws {
        let store = try await TLSStore(speaking: "http/1.1", names: "DNS:localhost")
        let transport = Self.transport(trusting: store)
        #expect(await TransportResult.of(StoreRequest("GET", store.url), over: transport).reason == .tls)
        let named = StoreRequest("GET", "https://localhost:\(store.port)/it")
        #expect(await TransportResult.of(named, over: transport).code == nil)
        #expect(try store.stop().count == 1)
    }

    @Test("what speaks nothing newer than TLS 1.1 is told nothing")
    func oldTLS() async throws {
        let store = try await TLSStore(speaking: "tls1.1")
        let transport = Self.transport(trusting: store)
        #expect(await TransportResult.of(StoreRequest("GET", store.url), over: transport).reason == .tls)
        #expect(try store.stop() == [])
    }

    private static func transport(trusting store: TLSStore) -> HTTPStoreTransport {
        var options = TransferOptions()
        options.roots = store.certificate
        return HTTPStoreTransport(options: options)
    }
}
