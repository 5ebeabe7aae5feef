import Foundation
import HTTPTypes
import NIOCore
import RouterTesting
import Synchronization

@testable import API
@testable import Desk
@testable import HTTP
@testable import Web
@testable import Words

/// A client that keeps cookies and fills in forms, as a browser does.
final class Browser: Sendable {
    let client: TestClient
    private let jar = Mutex<[String: String]>([:])

    init(_ client: TestClient) {
        self.client = client
    }

    var cookies: [String: String] {
        get { jar.withLock { $0 } }
        set { jar.withLock { $0 = newValue } }
    }

    func get(_ path: String, headers: HTTPFields = [:]) async throws -> TestResponse {
        try await send(.get, path, headers: headers)
    }

    /// Posts a form as it is.
    func post(_ path: String, _ fields: [(String, String)], headers: HTTPFields = [:]) async throws -> TestResponse {
        var headers = headers
        if headers[.contentType] == nil { headers[.contentType] = "application/x-www-form-urlencoded" }
        let body = fields.map { "\(DashboardPath.encoded($0))=\(DashboardPath.encoded($1))" }.joined(separator: "&")
        return try await send(.post, path, headers: headers, body: ByteBuffer(string: body))
    }

    /// Posts a form of a page that was just loaded, with that page's token.
    func submit(
        _ path: String,
        _ fields: [(String, String)],
        from page: String = "/dashboard/orders",
        headers: HTTPFields = [:]
    ) async throws -> TestResponse {
        let token = try await get(page).formToken ?? ""
        return try await post(path, [("csrf", token)] + fields, headers: headers)
    }

    /// Loads a page, or sends its form with nothing but the token.
    func ask(_ method: HTTPRequest.Method, _ path: String) async throws -> TestResponse {
        method == .get ? try await get(path) : try await submit(path, [])
    }

    func signIn(
        _ email: String,
        _ password: String = TestSite.password,
        next: String? = nil,
        headers: HTTPFields = [:]
    ) async throws -> TestResponse {
        let fields = [("email", email), ("password", password)] + (next.map { [("next", $0)] } ?? [])
        return try await submit("/dashboard/sign-in", fields, from: "/dashboard/sign-in", headers: headers)
    }

    func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        headers: HTTPFields = [:],
        body: ByteBuffer? = nil
    ) async throws -> TestResponse {
        var headers = headers
        let cookies = cookies.map { "\($0)=\($1)" }.sorted().joined(separator: "; ")
        if !cookies.isEmpty { headers[.cookie] = cookies }
        let response = try await client.executeRequest(uri: path, method: method, headers: headers, body: body)
        for cookie in response.headers[values: .setCookie] { keep(cookie) }
        return response
    }

    private func keep(_ cookie: String) {
        let pair = cookie.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let value = cookie.contains("Max-Age=0") ? nil : String(pair[1])
        jar.withLock { $0[String(pair[0])] = value }
    }
}

extension TestResponse {
    /// The page's text, without the marks where a long word may break.
    var text: String { String(buffer: body).replacing("<wbr>", with: "") }

    var location: String? { headers[.location] }

    /// The form token of the page's first form.
    var formToken: String? {
        guard let start = text.range(of: "name=\"csrf\" value=\"") else { return nil }
        return String(text[start.upperBound...].prefix { $0 != "\"" })
    }

    /// Returns a cookie that the answer sets, with its attributes.
    func cookie(_ name: String) -> String? {
        headers[values: .setCookie].first { $0.hasPrefix("\(name)=") }
    }
}
