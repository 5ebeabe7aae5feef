import Foundation
import Testing

@testable import Gateways

@Suite("Stores behind a proxy")
struct StoreProxyTests {
    @Test("without the setting stores are asked directly; with it, through the proxy of their scheme")
    func asked() async throws {
        let questions = Questions()
        let proxy = try RawStore { connection in
            while let question = connection.request() {
                questions.append(String(question.prefix { $0 != "\r\n" }))
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nproxied")
            }
        }
        let store = try RawStore { $0.answerAll("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\ndirect") }
        let environment = ["http_proxy": proxy.url, "https_proxy": "127.0.0.1:\(proxy.port)"]
        let proxied = HTTPStoreTransport(proxy: try StoreProxy(environment: environment))
        let request = StoreRequest("GET", store.url + "/it")
        #expect(await TransportResult.of(request, over: proxied).body == "proxied")
        #expect(await TransportResult.of(request).body == "direct")
        let excepted = try StoreProxy(environment: environment.merging(["no_proxy": "127.0.0.1"]) { $1 })
        #expect(await TransportResult.of(request, over: HTTPStoreTransport(proxy: excepted)).body == "direct")
        #expect(questions.all == ["GET \(store.url)/it HTTP/1.1"])
        // A request with a secret goes through a tunnel or not at all.
        let secret = StoreRequest("GET", "https://store.example.com/token?secret=hush")
        #expect(await TransportResult.of(secret, over: proxied).code == .unreachable)
        #expect(questions.all.last == "CONNECT store.example.com:443 HTTP/1.1")
        proxy.stop()
        store.stop()
    }

    @Test("a proxy that refuses a tunnel was not the store: nothing was asked")
    func refused() async throws {
        let proxy = try RawStore {
            $0.answerAll("HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
        }
        let proxied = HTTPStoreTransport(proxy: try StoreProxy(environment: ["https_proxy": proxy.url]))
        let result = await TransportResult.of(StoreRequest("GET", "https://store.example.com/"), over: proxied)
        #expect(result.code == .unreachable)
        #expect(result.reason == .refused)
        proxy.stop()
    }

    @Test(
        "small letters go before capitals, a scheme's own variable before the one for all, and HTTP_PROXY is not read"
    )
    func variables() throws {
        let proxy = try StoreProxy(environment: [
            "https_proxy": "http://small:1", "HTTPS_PROXY": "http://capital:1", "HTTP_PROXY": "http://never:1",
            "all_proxy": "socks5h://all:1", "NO_PROXY": "localhost,10.0.0.0/8",
        ])
        #expect(proxy.address(for: "https") == "http://small:1")
        #expect(proxy.address(for: "http") == "socks5h://all:1")
        #expect(proxy.exceptions == "localhost,10.0.0.0/8")
        #expect(try StoreProxy(environment: ["HTTP_PROXY": "http://never:1", "https_proxy": ""]) == .none)
    }

    @Test(
        "what is no proxy is named",
        arguments: ["ftp://proxy:21", "file:///etc/passwd", "http://", "a proxy", "\u{1}"]
    )
    func unusable(address: String) {
        let error = #expect(throws: GatewayError.self) { try StoreProxy(environment: ["HTTPS_PROXY": address]) }
        #expect(error?.code == .misconfigured)
        #expect(error?.field == "HTTPS_PROXY")
    }
}
