import Foundation
import Gateways
import Testing

@Suite("Requests that cannot be sent")
struct UnsendableRequestTests {
    @Test(
        "only addresses of HTTP are asked",
        arguments: [
            "file:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1/", "dict://127.0.0.1/", "scp://127.0.0.1/",
            "javascript:1", "//127.0.0.1/", "127.0.0.1", "http:", "https://", "FILE:///etc/passwd",
        ]
    )
    func schemes(url: String) async {
        #expect(await TransportResult.of(StoreRequest("GET", url)).code == .misconfigured)
    }

    @Test("a line break or a zero in method, address or headers is refused, and nothing is sent")
    func injected() async throws {
        let store = try RawStore { $0.answerAll("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") }
        for bad in ["\r", "\n", "\r\n", "\0", "\r\nX-Other: yes", "\u{B}"] {
            let requests = [
                StoreRequest("GET\(bad)", store.url), StoreRequest("GET", store.url + "/\(bad)"),
                StoreRequest("GET", store.url, headers: ["X-Name\(bad)": "value"]),
                StoreRequest("GET", store.url, headers: ["X-Name": "value\(bad)"]),
                StoreRequest("GET", store.url, headers: ["X-Name": "\(bad)value"]),
            ]
            for request in requests {
                let code = await TransportResult.of(request).code
                #expect(code == .misconfigured, "\(request.method.debugDescription) \(request.headers)")
            }
        }
        for name in ["", "X Name", "X:Name", "X-Näme"] {
            let request = StoreRequest("GET", store.url, headers: [name: "value"])
            #expect(await TransportResult.of(request).code == .misconfigured, "\(name)")
        }
        for method in ["", "GET /other"] {
            #expect(await TransportResult.of(StoreRequest(method, store.url)).code == .misconfigured)
        }
        #expect(await TransportResult.of(StoreRequest("GET", store.url + "/a b")).code == .misconfigured)
        #expect(store.connections == 0)
        store.stop()
    }
}
