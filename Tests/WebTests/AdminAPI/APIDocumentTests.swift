import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import Web

@Suite("The admin API's description")
struct APIDocumentTests {
    @Test("every route of the admin API is described, and every route described exists")
    func routes() async throws {
        try await TestSite.run { site in
            let described = try Self.operations().map { "\($0.method.uppercased()) \($0.path)" }
            let existing = site.map.entries.filter { $0.path.hasPrefix("/admin") }.map { "\($0.method) \($0.path)" }
            #expect(Set(described) == Set(existing))
            #expect(described.count == existing.count)
        }
    }

    @Test("every operation has an id of its own, a summary, and says what 401 and 403 mean")
    func operations() throws {
        let operations = try Self.operations()
        let ids = operations.compactMap { $0.body["operationId"] as? String }
        #expect(Set(ids).count == operations.count)
        for operation in operations {
            #expect(operation.body["summary"] is String, "\(operation.path)")
            let responses = try #require(operation.body["responses"] as? [String: Any])
            #expect(responses.keys.contains("401") && responses.keys.contains("403"), "\(operation.path)")
        }
    }

    @Test("what changes something takes an Idempotency-Key, but for a DELETE, which has one effect by itself")
    func keys() throws {
        for operation in try Self.operations() where !["get", "delete"].contains(operation.method) {
            let parameters = operation.body["parameters"] as? [[String: Any]] ?? []
            let takesKey = parameters.contains { ($0["$ref"] as? String)?.hasSuffix("/IdempotencyKey") ?? false }
            #expect(takesKey, "\(operation.method) \(operation.path)")
        }
    }

    @Test("anybody may read it, and it is not sent twice")
    func served() async throws {
        try await TestSite.run { site in
            try await site.app.test(.router) { client async throws in
                let browser = Browser(client)
                let answer = try await browser.get("/openapi.json")
                #expect(answer.status == .ok)
                #expect(answer.headers[.contentType] == "application/json")
                #expect(try Self.document()["openapi"] as? String == "3.1.0")
                let tag = try #require(answer.headers[.eTag])
                #expect(try await browser.get("/openapi.json", headers: [.ifNoneMatch: tag]).status == .notModified)
            }
        }
    }

    private struct Operation {
        let method: String
        let path: String
        let body: [String: Any]
    }

    private static func document() throws -> [String: Any] {
        let file = try #require(EmbeddedFiles.api.first { $0.name == "openapi.json" })
        return try #require(try JSONSerialization.jsonObject(with: Data(file.bytes)) as? [String: Any])
    }

    private static func operations() throws -> [Operation] {
        let methods = ["get", "put", "post", "patch", "delete"]
        let paths = try #require(try document()["paths"] as? [String: [String: Any]])
        return paths.flatMap { path, item in
            methods.compactMap { method in
                (item[method] as? [String: Any]).map { Operation(method: method, path: path, body: $0) }
            }
        }
    }
}
