import CoreMetrics
import Foundation
import HTTPTypes
import RouterTesting
import TestSupport
import Testing

@testable import API
@testable import Desk
@testable import HTTP
@testable import Web
@testable import Words

@Suite("Metrics") struct MetricsTests {
    @Test("the text names each family once, with its kind, and escapes labels")
    func text() {
        let registry = PrometheusRegistry()
        registry.makeCounter(label: "jobs.done", dimensions: [("kind", "a\"b\\c\nd")]).increment(by: 2)
        registry.makeCounter(label: "jobs.done", dimensions: [("kind", "other")]).increment(by: 1)
        registry.makeMeter(label: "pool-size", dimensions: []).set(2.5)
        registry.makeTimer(label: "wait", dimensions: []).recordNanoseconds(3_000_000)
        let text = registry.text()
        #expect(text.contains("# TYPE jobs_done_total counter\njobs_done_total{kind=\"a\\\"b\\\\c\\nd\"} 2\n"))
        #expect(text.contains("jobs_done_total{kind=\"other\"} 1\n"))
        #expect(text.contains("# TYPE pool_size gauge\npool_size 2.5\n"))
        #expect(text.contains("wait_seconds_bucket{le=\"0.0025\"} 0\nwait_seconds_bucket{le=\"0.005\"} 1\n"))
        #expect(text.contains("wait_seconds_bucket{le=\"+Inf\"} 1\nwait_seconds_sum 0.003\nwait_seconds_count 1\n"))
        #expect(text.components(separatedBy: "# TYPE jobs_done_total").count == 2)
        #expect(Self.malformedLines(of: text).isEmpty)
    }

    @Test("one name and one set of labels is one instrument, in whatever order the labels come")
    func sameInstrument() {
        let registry = PrometheusRegistry()
        for labels in [[("a", "1"), ("b", "2")], [("b", "2"), ("a", "1")]] {
            registry.makeCounter(label: "n", dimensions: labels).increment(by: 1)
        }
        #expect(registry.text() == "# TYPE n_total counter\nn_total{a=\"1\",b=\"2\"} 2\n")
    }

    @Test("a second kind under one name does not spoil the text")
    func twoKinds() {
        let registry = PrometheusRegistry()
        registry.makeMeter(label: "x_total", dimensions: []).set(1.0)
        registry.makeCounter(label: "x", dimensions: [("a", "b")]).increment(by: 1)
        #expect(registry.text().components(separatedBy: "# TYPE").count == 2)
    }

    @Test("requests are counted by route and status, and the text parses")
    func requests() async throws {
        try await TestSite.run(metricsToken: "operator's token") { site in
            try await site.app.test(.router) { client async throws in
                for path in ["/healthz", "/healthz", "/nowhere", "/admin/orders/1", "/admin/orders/2"] {
                    _ = try await client.executeRequest(uri: path, method: .get, headers: [:], body: nil)
                }
                let answer = try await client.executeRequest(
                    uri: "/metrics",
                    method: .get,
                    headers: [.authorization: "Bearer operator's token"],
                    body: nil
                )
                #expect(answer.status == .ok)
                #expect(answer.headers[.contentType] == "text/plain; version=0.0.4; charset=utf-8")
                let name = "perennial_http_requests_total"
                #expect(answer.text.contains("\(name){method=\"GET\",route=\"/healthz\",status=\"200\"} 2\n"))
                #expect(answer.text.contains("\(name){method=\"GET\",route=\"NotFound\",status=\"404\"} 1\n"))
                #expect(answer.text.contains("\(name){method=\"GET\",route=\"/admin/orders/{id}\",status=\"401\"} 2\n"))
                #expect(Self.malformedLines(of: answer.text).isEmpty)
            }
        }
    }

    @Test("metrics are for the token, wherever somebody comes from, also from this machine")
    func access() async throws {
        try await TestSite.run(metricsToken: "operator") { site in
            try await site.app.test(.live) { client async throws in
                func status(_ headers: HTTPFields) async throws -> Int {
                    try await client.executeRequest(uri: "/metrics", method: .get, headers: headers, body: nil).status
                        .code
                }
                #expect(try await status([:]) == 401)
                #expect(try await status([.forwardedFor: "127.0.0.1"]) == 401)
                #expect(try await status([.authorization: "Bearer wrong"]) == 401)
                #expect(try await status([.authorization: "Bearer operator"]) == 200)
                #expect(try await status([.authorization: "Bearer operator", .forwardedFor: "203.0.113.9"]) == 200)
            }
        }
    }

    @Test(
        "without a token nobody reads metrics where pages are served: a proxy on this machine may say nothing of the world"
    )
    func noToken() async throws {
        try await TestSite.run { site in
            try await site.app.test(.live) { client async throws in
                for headers in [[:], [.authorization: "Bearer x"], [.authorization: "Bearer "]] as [HTTPFields] {
                    let answer = try await client.executeRequest(
                        uri: "/metrics",
                        method: .get,
                        headers: headers,
                        body: nil
                    )
                    #expect(answer.status == .notFound)
                }
            }
        }
    }

    @Test("the address for metrics answers them and nothing else")
    func ownListener() async throws {
        let registry = PrometheusRegistry()
        registry.makeCounter(label: "n", dimensions: []).increment(by: 1)
        let address = try #require(ListenAddress("127.0.0.1:9464"))
        let app = metricsApplication(at: address, metrics: registry, logger: .quiet)
        try await app.test(.router) { client async throws in
            let answer = try await client.executeRequest(uri: "/metrics", method: .get, headers: [:], body: nil)
            #expect(answer.status == .ok)
            #expect(answer.text.contains("n_total 1"))
            for path in ["/", "/dashboard", "/healthz", "/admin/orders"] {
                let other = try await client.executeRequest(uri: path, method: .get, headers: [:], body: nil)
                #expect(other.status == .notFound)
            }
        }
    }

    @Test("metrics without a token are for addresses that only this machine reaches")
    func loopbackOnly() {
        for text in ["127.0.0.1:9464", "[::1]:9464", "localhost:1", "127.9.9.9:65535"] {
            #expect(ListenAddress(text)?.description == text)
        }
        for text in [
            "", "9464", ":9464", "0.0.0.0:9464", "10.0.0.1:9464", "[::]:9464", "::1:9464", "127.0.0.1", "127.0.0.1:0",
            "127.0.0.1:65536", "127.0.0.1:http", "127.evil.example:80", "localhost.example:80", "127.0.0.1:+1",
        ] {
            #expect(ListenAddress(text) == nil, "\(text)")
        }
    }

    /// Returns the lines that are neither a comment nor `name{labels} number`.
    private static func malformedLines(of text: String) -> [Substring] {
        text.split(separator: "\n").filter { line in
            if line.hasPrefix("# TYPE ") { return line.split(separator: " ").count != 4 }
            guard let space = line.lastIndex(of: " ") else { return true }
            let name = line[..<space].prefix { $0 != "{" }
            let isNamed = !name.isEmpty && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
            let isNumber = Double(line[line.index(after: space)...]) != nil
            let isClosed = line[..<space].contains("{") == line[..<space].hasSuffix("}")
            return !(isNamed && isNumber && isClosed)
        }
    }
}
