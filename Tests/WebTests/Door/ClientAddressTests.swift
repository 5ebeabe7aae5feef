import HTTPTypes
import Hummingbird
import NIOCore
import Testing

@testable import Web

@Suite("Client addresses") struct ClientAddressTests {
    private static let cases: [(proxies: Int, forwarded: [String], address: String?)] = [
        (0, ["203.0.113.9"], "10.0.0.1"), (1, [], "10.0.0.1"), (1, ["203.0.113.9"], "203.0.113.9"),
        (1, ["198.51.100.7, 203.0.113.9"], "203.0.113.9"), (2, ["198.51.100.7, 203.0.113.9"], "198.51.100.7"),
        (2, ["1.1.1.1, 198.51.100.7", "203.0.113.9"], "198.51.100.7"), (2, ["203.0.113.9"], "10.0.0.1"),
        (1, ["203.0.113.9:4711"], "203.0.113.9"), (1, ["[2001:db8::1]:4711"], "2001:db8::1"),
        (1, ["2001:db8::1"], "2001:db8::1"), (1, ["unknown"], "10.0.0.1"), (1, ["<script>"], "10.0.0.1"),
        (1, [","], "10.0.0.1"), (1, [String(repeating: "1", count: 100)], "10.0.0.1"),
    ]

    @Test("only as many entries are believed as we have proxies, without ports", arguments: cases)
    func address(_ proxies: Int, _ forwarded: [String], _ address: String?) {
        let request = Self.request(forwarded)
        #expect(ClientAddress(trustedProxies: proxies).of(request, peer: "10.0.0.1") == address)
    }

    @Test("local is who connects from this machine without having passed a proxy")
    func local() {
        let direct = ClientAddress(trustedProxies: 0)
        for peer in ["127.0.0.1", "::1", "127.9.9.9"] {
            #expect(direct.isLocal(Self.request([]), peer: peer))
            #expect(!direct.isLocal(Self.request(["127.0.0.1"]), peer: peer))
            #expect(!ClientAddress(trustedProxies: 1).isLocal(Self.request([]), peer: peer))
        }
        #expect(!direct.isLocal(Self.request([]), peer: "10.0.0.1"))
        #expect(!direct.isLocal(Self.request([]), peer: nil))
    }

    private static func request(_ forwarded: [String]) -> Request {
        var headers = HTTPFields()
        for value in forwarded { headers.append(HTTPField(name: .forwardedFor, value: value)) }
        return Request(
            head: HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/", headerFields: headers),
            body: .init(buffer: ByteBuffer())
        )
    }
}
