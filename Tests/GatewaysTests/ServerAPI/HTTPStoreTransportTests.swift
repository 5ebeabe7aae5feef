import Billing
import Foundation
import Gateways
import StoreSimulator
import Testing

@Suite("How stores are reached")
struct HTTPStoreTransportTests {
    @Test("a redirect is an answer, not a way")
    func redirects() async throws {
        let server = try await server { _, _ in
            StoreResponse(status: 302, headers: ["location": "http://localhost:1/elsewhere"])
        }
        let response = try await HTTPStoreTransport().send(StoreRequest("GET", server.url() + "/it"))
        #expect(response.status == 302)
        #expect(response.headers["location"] == "http://localhost:1/elsewhere")
        await server.stop()
    }

    @Test("an answer longer than allowed is malformed, not kept in memory")
    func long() async throws {
        let server = try await server { _, _ in StoreResponse(status: 200, body: Data(count: 1_000_001)) }
        var transport = HTTPStoreTransport()
        transport.longestAnswer = 1_000_000
        #expect(await code { _ = try await transport.send(StoreRequest("GET", server.url() + "/it")) } == .malformed)
        transport.longestAnswer = 1_000_001
        #expect(try await transport.send(StoreRequest("GET", server.url() + "/it")).body.count == 1_000_001)
        await server.stop()
    }

    @Test("who answers too late, hangs up, stops in the middle or is not there was not reached")
    func unreachable() async throws {
        let server = try await server { _, _ in StoreResponse(status: 200, body: Data("hello".utf8)) }
        let request = StoreRequest("GET", server.url() + "/it", timeout: .milliseconds(300))
        for mood: SimulatedFault.Kind in [
            .silence, .silenceAfterEffect, .hangUpAfterEffect, .cutAfterEffect, .late(.seconds(2)),
        ] {
            server.fail(SimulatedFault(mood))
            #expect(await code { _ = try await HTTPStoreTransport().send(request) } == .unreachable, "\(mood)")
        }
        server.fail(SimulatedFault(.silence))
        let late = await #expect(throws: GatewayError.self) { _ = try await HTTPStoreTransport().send(request) }
        #expect(late?.isLate == true)
        await server.stop()
        #expect(await code { _ = try await HTTPStoreTransport().send(request) } == .unreachable)
    }

    @Test("an address that is none is a setting, not the network")
    func addresses() async throws {
        for url in ["", "nowhere", "ftp://example.com/", "http:///x"] {
            #expect(await code { _ = try await HTTPStoreTransport().send(StoreRequest("GET", url)) } == .misconfigured)
        }
    }

    private func server(_ answer: @escaping SimulatedEndpoint.Answer) async throws -> SimulatedAppleServer {
        let endpoint = SimulatedEndpoint("GET", "/it", answer: answer)
        let server = SimulatedAppleServer(authority: try TestAuthority(), endpoints: [endpoint])
        try await server.start()
        return server
    }

    private func code(_ work: () async throws -> Void) async -> GatewayError.Code? {
        do {
            try await work()
            return nil
        } catch {
            return (error as? GatewayError)?.code
        }
    }
}
