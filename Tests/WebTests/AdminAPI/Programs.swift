import APITypes
import Foundation
import HTTPTypes
import NIOCore
import Operations
import RouterTesting
import Storage
import Testing

@testable import API
@testable import Desk
@testable import HTTP
@testable import Web
@testable import Words

/// Calls as programs with the tokens of an admin, of support and of an analyst.
struct Programs: Sendable {
    let tokens: [StaffRole: String]
    let client: TestClient

    /// - Parameters:
    ///   - lockTimeout: the longest that the site waits for a lock; nil is without end.
    ///   - prepare: makes the rows that exist before they call.
    static func run(
        lockTimeout: Duration? = nil,
        _ prepare: @escaping @Sendable (TestSite) async throws -> Void,
        _ body: @escaping @Sendable (TestSite, Programs) async throws -> Void
    ) async throws {
        try await TestSite.run(lockTimeout: lockTimeout) { site in
            try await site.addStaff(.admin, .support, .analyst)
            try await prepare(site)
            var tokens: [StaffRole: String] = [:]
            for role in StaffRole.allCases { tokens[role] = try await site.token(of: role).text }
            let known = tokens
            try await site.app.test(.router) { client async throws in
                try await body(site, Programs(tokens: known, client: client))
            }
        }
    }

    func get(_ path: String, as role: StaffRole = .admin, of app: String = "readmigo") async throws -> TestResponse {
        try await send(tokens[role] ?? "", .get, path, nil, nil, of: app)
    }

    func post(
        _ path: String,
        _ body: String?,
        _ key: String?,
        as role: StaffRole = .admin,
        of app: String = "readmigo"
    ) async throws -> TestResponse {
        try await send(tokens[role] ?? "", .post, path, body, key, of: app)
    }

    func delete(_ path: String, as role: StaffRole = .admin, of app: String = "readmigo") async throws -> TestResponse {
        try await send(tokens[role] ?? "", .delete, path, nil, nil, of: app)
    }

    func send(
        _ token: String,
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: String?,
        _ key: String?,
        of app: String = "readmigo"
    ) async throws -> TestResponse {
        var headers: HTTPFields = [.authorization: "Bearer \(token)", .app: app]
        headers[.idempotencyKey] = key
        if body != nil { headers[.contentType] = "application/json" }
        return try await client.executeRequest(
            uri: path,
            method: method,
            headers: headers,
            body: body.map { ByteBuffer(string: $0) }
        )
    }

    /// Reads a list to its last page.
    func pages<Page: Decodable>(_ path: String, _ type: Page.Type, next: (Page) -> String?) async throws -> [Page] {
        var (pages, after): ([Page], String) = ([], "")
        for _ in 0..<10 {
            let answer = try await get(path + after)
            let page = try Self.decode(Page.self, answer)
            pages.append(page)
            guard let cursor = next(page) else { break }
            after = (path.contains("?") ? "&" : "?") + "after=\(cursor)"
        }
        return pages
    }

    static func decode<Value: Decodable>(_ type: Value.Type, _ answer: TestResponse) throws -> Value {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let text = try decoder.singleValueContainer().decode(String.self)
            return try #require(TimeText.date(rfc3339: text))
        }
        return try decoder.decode(type, from: Data(answer.text.utf8))
    }
}

extension TestResponse {
    /// Returns the fields that a problem names.
    func fields() throws -> [String] {
        let problem = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        return (problem["errors"] as? [[String: Any]] ?? []).compactMap { $0["field"] as? String }
    }
}
