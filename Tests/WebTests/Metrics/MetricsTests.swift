import CoreMetrics
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import Web

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

    @Test("metrics are for the token, not for a wrong one or for who comes through a proxy")
    func access() async throws {
        try await TestSite.run(metricsToken: "operator") { site in
            try await site.app.test(.live) { client async throws in
                func status(_ headers: HTTPFields) async throws -> Int {
                    try await client.executeRequest(uri: "/metrics", method: .get, headers: headers, body: nil).status
                        .code
                }
                #expect(try await status([:]) == 200)
                #expect(try await status([.forwardedFor: "203.0.113.9"]) == 401)
                #expect(try await status([.forwardedFor: "127.0.0.1"]) == 401)
                #expect(try await status([.authorization: "Bearer wrong"]) == 401)
                #expect(try await status([.authorization: "Bearer operator", .forwardedFor: "203.0.113.9"]) == 200)
            }
        }
    }

    /// Lines that are neither a comment nor `name{labels} number`.
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
