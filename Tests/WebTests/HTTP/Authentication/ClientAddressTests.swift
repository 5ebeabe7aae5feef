import HTTPTypes
import Hummingbird
import NIOCore
import Operations
import Postgres
import RouterTesting
import Storage
import Testing

@testable import Desk
@testable import HTTP

@Suite("Client addresses") struct ClientAddressTests {
    /// Lines of `X-Forwarded-For` and the client that they name. 10.0.0.0/8 and 2001:db8:f::/48 are our proxies; 10.0.0.1 connects.
    private static let legacy: [(lines: [String], client: String)] = [
        ([], "10.0.0.1"), (["203.0.113.9"], "203.0.113.9"), (["198.51.100.7, 203.0.113.9"], "203.0.113.9"),
        (["198.51.100.7, 10.0.0.2"], "198.51.100.7"), (["1.1.1.1,198.51.100.7,10.0.0.3 , 10.0.0.2"], "198.51.100.7"),
        (["1.1.1.1, 198.51.100.7", "10.0.0.2"], "198.51.100.7"), (["198.51.100.7", "203.0.113.9"], "203.0.113.9"),
        (["10.0.0.9, 10.0.0.2"], "10.0.0.9"),
        // With ports, brackets, and in other spellings.
        (["203.0.113.9:4711"], "203.0.113.9"), (["[2001:db8::1]:4711"], "2001:db8::1"),
        (["[2001:DB8:0::1]"], "2001:db8::1"),
        (["2001:db8::1"], "2001:db8::1"), (["::ffff:203.0.113.9"], "203.0.113.9"),
        (["64:ff9b::203.0.113.9"], "203.0.113.9"), (["[64:FF9B::cb00:7109]:4711"], "203.0.113.9"),
        // An address translator passes on no address of a private network.
        (["198.51.100.7, 64:ff9b::10.0.0.2"], "64:ff9b::a00:2"), (["64:ff9b:1::1"], "64:ff9b:1::1"),
        (["198.51.100.7, 2001:db8:f::1"], "198.51.100.7"), (["198.51.100.7, ::ffff:10.0.0.2"], "198.51.100.7"),
        // An unreadable address ends the chain at the last proxy before it.
        (["unknown"], "10.0.0.1"), (["203.0.113.9, unknown, 10.0.0.2"], "10.0.0.2"), (["<script>"], "10.0.0.1"),
        ([""], "10.0.0.1"), ([","], "10.0.0.1"), (["203.0.113.9,"], "10.0.0.1"), (["203.0.113.9 10.0.0.2"], "10.0.0.1"),
        (["203.0.113.9:port"], "10.0.0.1"), (["203.0.113.9:123456"], "10.0.0.1"), (["[203.0.113.9]"], "10.0.0.1"),
        (["[2001:db8::1"], "10.0.0.1"), (["[2001:db8::1]x"], "10.0.0.1"), (["203.0.113.009"], "10.0.0.1"),
        (["3405803785"], "10.0.0.1"), (["0x7f.1"], "10.0.0.1"), (["fe80::1%eth0"], "10.0.0.1"),
        (["_hidden"], "10.0.0.1"),
        ([String(repeating: "1", count: 100_000)], "10.0.0.1"),
        ([String(repeating: "1.1.1.1, ", count: 10_000) + "203.0.113.9"], "203.0.113.9"),
        ([String(repeating: ",", count: 100_000)], "10.0.0.1"),
    ]

    @Test("X-Forwarded-For is read from the right, through proxies of ours only", arguments: legacy)
    func legacyHeader(_ lines: [String], _ client: String) {
        #expect(Self.client(legacy: lines) == client)
    }

    private static let standard: [(lines: [String], client: String)] = [
        (["for=203.0.113.9"], "203.0.113.9"), (["For=\"203.0.113.9:4711\";proto=https;by=10.0.0.1"], "203.0.113.9"),
        (["proto=http; FOR=203.0.113.9"], "203.0.113.9"), (["for=\"[2001:db8::1]:4711\""], "2001:db8::1"),
        (["for=\"[2001:db8::1]\""], "2001:db8::1"), (["for=198.51.100.7, for=203.0.113.9"], "203.0.113.9"),
        (["for=198.51.100.7, for=10.0.0.2;proto=https"], "198.51.100.7"),
        (["for=1.1.1.1, for=198.51.100.7", "for=10.0.0.2"], "198.51.100.7"),
        // Hidden, or without a client.
        (["for=unknown"], "10.0.0.1"), (["for=_hidden"], "10.0.0.1"), (["for=\"_hidden:_port\""], "10.0.0.1"),
        (["for=203.0.113.9, for=_gateway, for=10.0.0.2"], "10.0.0.2"), (["proto=https"], "10.0.0.1"),
        (["for=203.0.113.9, proto=https"], "10.0.0.1"),
        // Junk.
        ([""], "10.0.0.1"), (["for"], "10.0.0.1"), (["for="], "10.0.0.1"),
        (["for=1.1.1.1;for=203.0.113.9"], "10.0.0.1"),
        (["203.0.113.9"], "10.0.0.1"), (["for=\"203.0.113.9"], "10.0.0.1"),
        (["x=\"unended, for=203.0.113.9"], "10.0.0.1"),
        (["x=\"unended", "for=203.0.113.9"], "203.0.113.9"), (["x=\", for=1.1.1.1, \";for=203.0.113.9"], "203.0.113.9"),
        (["x=\"\\\", for=1.1.1.1\";for=203.0.113.9"], "203.0.113.9"), (["for=\"203.0.113\\.9\""], "10.0.0.1"),
        (["for=" + String(repeating: "1", count: 100_000)], "10.0.0.1"),
        ([String(repeating: "\"", count: 100_001)], "10.0.0.1"),
        ([String(repeating: "for=1.1.1.1,", count: 8_000) + "for=203.0.113.9"], "203.0.113.9"),
    ]

    @Test("Forwarded is read the same way, as RFC 7239 writes it", arguments: standard)
    func standardHeader(_ lines: [String], _ client: String) {
        #expect(Self.client(standard: lines) == client)
    }

    @Test("with both headers a client cannot slip in the one that the proxy does not write")
    func both() {
        #expect(Self.client(legacy: ["203.0.113.9"], standard: ["for=\"203.0.113.9:1\""]) == "203.0.113.9")
        #expect(Self.client(legacy: ["203.0.113.9"], standard: ["for=198.51.100.7"]) == "10.0.0.1")
        #expect(Self.client(legacy: ["198.51.100.7"], standard: ["for=203.0.113.9"]) == "10.0.0.1")
        #expect(Self.client(legacy: ["203.0.113.9"], standard: ["for=unknown"]) == "10.0.0.1")
        #expect(Self.client(legacy: [""], standard: ["for=203.0.113.9"]) == "10.0.0.1")
    }

    @Test("a client that is no proxy of ours is who it is, whatever it says")
    func stranger() {
        for peer in ["203.0.113.50", "2001:db8::50", "127.0.0.1", "11.0.0.1"] {
            let said = Self.client(legacy: ["10.0.0.2", "198.51.100.7"], standard: ["for=198.51.100.7"], peer: peer)
            #expect(said == peer)
        }
        #expect(Self.client(legacy: ["198.51.100.7"], peer: "::ffff:203.0.113.50") == "203.0.113.50")
        #expect(Self.client(legacy: ["198.51.100.7"], peer: nil) == nil)
    }

    @Test("a proxy near us that is not trusted is noticed by what it adds, or by the name that it passes on")
    func unknownProxy() throws {
        let ours = ClientAddress(proxies: try TrustedProxies("10.0.0.0/8"))
        func seen(_ peer: String?, _ headers: HTTPFields = [:], host: String = "127.0.0.1:8080") -> String? {
            ours.unknownProxy(of: Self.request(headers, host: host), peer: peer, publicHost: "office.example.com")
        }
        for peer in ["127.0.0.1", "::1", "192.168.1.5", "172.20.0.2", "fd00::2"] {
            #expect(seen(peer, [.forwardedFor: "203.0.113.9"]) == peer)
            #expect(seen(peer, [.forwarded: "for=203.0.113.9"]) == peer)
            #expect(seen(peer, host: "Office.Example.com") == peer)
            #expect(seen(peer) == nil)
        }
        #expect(seen("10.0.0.1", [.forwardedFor: "203.0.113.9"]) == nil)
        #expect(seen("203.0.113.50", [.forwardedFor: "203.0.113.9"]) == nil)
        #expect(seen(nil, [.forwardedFor: "203.0.113.9"]) == nil)
    }

    @Test("sessions and the audit log name the client behind a proxy of ours, and a stranger's header changes nothing")
    func writtenDown() async throws {
        for (proxies, written) in [("127.0.0.1", "203.0.113.9"), ("10.0.0.0/8", "127.0.0.1")] {
            try await TestSite.run(trustedProxies: TrustedProxies(proxies)) { site in
                try await site.addStaff(.admin)
                try await site.app.test(.live) { client async throws in
                    let header: HTTPFields = [.forwardedFor: "198.51.100.7, 203.0.113.9"]
                    let answer = try await Browser(client).signIn("admin@example.com", headers: header)
                    #expect(answer.status == .seeOther)
                    let rows = try await site.pool.query(
                        """
                        SELECT address FROM staff_sessions
                        UNION ALL SELECT address FROM audit_entries WHERE action = 'session.open'
                        """
                    ).map { try $0.decode(0, as: String.self) }
                    #expect(rows == [written, written])
                    try await site.backOffice.writeProxySightings()
                    #expect(try await site.backOffice.untrustedProxies() == (written == "127.0.0.1" ? [written] : []))
                }
            }
        }
    }

    private static func client(
        legacy: [String] = [],
        standard: [String] = [],
        peer: String? = "10.0.0.1"
    ) -> String? {
        var headers = HTTPFields()
        for value in legacy { headers.append(HTTPField(name: .forwardedFor, value: value)) }
        for value in standard { headers.append(HTTPField(name: .forwarded, value: value)) }
        guard let proxies = try? TrustedProxies("10.0.0.0/8, 2001:db8:f::/48") else { return "the list is not read" }
        return ClientAddress(proxies: proxies).of(request(headers), peer: peer)
    }

    private static func request(_ headers: HTTPFields, host: String? = nil) -> Request {
        Request(
            head: HTTPRequest(method: .get, scheme: nil, authority: host, path: "/", headerFields: headers),
            body: .init(buffer: ByteBuffer())
        )
    }
}
