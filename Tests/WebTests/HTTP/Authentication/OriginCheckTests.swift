import HTTPTypes
import Hummingbird
import NIOCore
import Testing

@testable import Desk
@testable import HTTP

@Suite("Where a form was sent from") struct OriginCheckTests {
    @Test("with a public URL only that origin counts, whatever host was asked for")
    func publicURL() {
        let check = OriginCheck(publicURL: "https://office.example.com")
        #expect(check.isOwn(Self.request("https://office.example.com", host: "10.0.0.1:8080")))
        #expect(check.isOwn(Self.request("HTTPS://Office.Example.com", host: "x")))
        let foreign = [
            "https://evil.example", "http://office.example.com", "https://office.example.com:8443", "null", "",
            "https://office.example.com.evil.example", "https://office.example.com/",
        ]
        for origin in foreign {
            #expect(!check.isOwn(Self.request(origin, host: "office.example.com")), "\(origin)")
        }
    }

    @Test("on the machine itself the origin is the host asked for, if that is the machine")
    func loopback() {
        let check = OriginCheck(publicURL: nil)
        for host in ["localhost:8080", "127.0.0.1:8080", "[::1]:8080", "LocalHost"] {
            #expect(check.isOwn(Self.request("http://\(host)", host: host)), "\(host)")
        }
        #expect(!check.isOwn(Self.request("http://evil.example:8080", host: "evil.example:8080")))
        #expect(!check.isOwn(Self.request("http://localhost:9999", host: "localhost:8080")))
        #expect(!check.isOwn(Self.request("http://localhost.evil.example", host: "localhost.evil.example")))
    }

    @Test("a demo on a network takes the host it was asked for, and no other")
    func demo() {
        let check = OriginCheck(publicURL: nil, allowsAnyHost: true)
        #expect(check.isOwn(Self.request("http://192.0.2.7:8080", host: "192.0.2.7:8080")))
        #expect(!check.isOwn(Self.request("http://evil.example", host: "192.0.2.7:8080")))
    }

    @Test("what the browser says of the sender decides before the origin")
    func fetchMetadata() {
        let check = OriginCheck(publicURL: nil)
        for (site, isOwn) in [
            ("same-origin", true), ("none", true), ("same-site", false), ("cross-site", false), ("", false),
        ] {
            let request = Self.request("http://localhost", host: "localhost", site: site)
            #expect(check.isOwn(request) == isOwn, "\(site)")
        }
        #expect(check.isOwn(Self.request(nil, host: "localhost")))
    }

    private static func request(_ origin: String?, host: String, site: String? = nil) -> Request {
        var headers = HTTPFields()
        headers[.origin] = origin
        headers[.secFetchSite] = site
        return Request(
            head: HTTPRequest(method: .post, scheme: "http", authority: host, path: "/", headerFields: headers),
            body: .init(buffer: ByteBuffer())
        )
    }
}
