import Billing
import Foundation
import Gateways
import StoreSimulator
import Testing

@Suite("How stores are reached")
struct HTTPStoreTransportTests {
    @Test("a redirect is an answer, not a way")
    func redirects() async throws {
        let server = try await server { _ in
            StoreResponse(status: 302, headers: ["location": "http://localhost:1/elsewhere"])
        }
        let response = try await HTTPStoreTransport().send(StoreRequest("GET", server.url() + "/it"))
        #expect(response.status == 302)
        #expect(response.headers["location"] == "http://localhost:1/elsewhere")
        await server.stop()
    }

    @Test("an answer longer than allowed is malformed, not kept in memory")
    func long() async throws {
        let server = try await server { _ in StoreResponse(status: 200, body: Data(count: 1_000_001)) }
        let transport = HTTPStoreTransport()
        let short = StoreRequest("GET", server.url() + "/it", longestAnswer: 1_000_000)
        #expect(await code { _ = try await transport.send(short) } == .malformed)
        let long = StoreRequest("GET", server.url() + "/it", longestAnswer: 1_000_001)
        #expect(try await transport.send(long).body.count == 1_000_001)
        await server.stop()
    }

    @Test("who answers too late, hangs up, stops in the middle or is not there was not reached")
    func unreachable() async throws {
        let server = try await server { _ in StoreResponse(status: 200, body: Data("hello".utf8)) }
        let request = StoreRequest("GET", server.url() + "/it", timeout: .milliseconds(300))
        for mood: SimulatedFault.Kind in [
            .silence, .silenceAfterEffect, .hangUpAfterEffect, .cutAfterEffect, .late(.seconds(2)),
        ] {
            server.fail(SimulatedFault(mood))
            #expect(await code { _ = try await HTTPStoreTransport().send(request) } == .unreachable, "\(mood)")
        }
        server.fail(SimulatedFault(.silence, times: 3))
        #expect(await TransportResult.untilAsked(request).error?.isLate == true)
        await server.stop()
        #expect(await code { _ = try await HTTPStoreTransport().send(request) } == .unreachable)
    }

    @Test("a question is printed without what it carries")
    func printed() {
        let request = StoreRequest(
            "GET",
            "https://api.example.com/token?secret=hush",
            headers: ["Authorization": "Bearer hush"],
            body: Data("code=hush".utf8)
        )
        #expect("\(request)" == "GET https://api.example.com/token")
        #expect(!String(reflecting: request).contains("hush"))
        #expect(Mirror(reflecting: request).children.isEmpty)
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
