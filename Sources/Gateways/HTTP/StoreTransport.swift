package import Foundation

/// Carries what we ask a store. One attempt each: who asks decides what is asked again.
package protocol StoreTransport: Sendable {
    /// - Throws: `.unreachable` when no whole answer came: refused, cut off, or later than the request allows.
    func send(_ request: StoreRequest) async throws(GatewayError) -> StoreResponse
}

/// A question to a store, over HTTP.
package struct StoreRequest: Hashable, Sendable {
    /// GET, POST, PUT.
    package var method: String
    /// Absolute, with scheme and host, and its query escaped.
    package var url: String
    package var headers: [String: String]
    package var body: Data?
    /// How long the whole of the answer may take.
    package var timeout: Duration

    package init(
        _ method: String,
        _ url: String,
        headers: [String: String] = [:],
        body: Data? = nil,
        timeout: Duration = .seconds(30)
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
    }
}

/// A store's answer, whatever its status.
package struct StoreResponse: Hashable, Sendable {
    package var status: Int
    /// By lower-case name.
    package var headers: [String: String]
    package var body: Data

    package init(status: Int, headers: [String: String] = [:], body: Data = Data()) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
