import Foundation

/// One question to the App Store Server API, the same for both environments.
struct AppleServerCall: Sendable {
    let endpoint: AppleEndpoint
    /// With the query, all of it escaped.
    private let target: String
    private let body: JSON?

    /// - Parameter path: begins with a slash; what came from outside is escaped by `segment`.
    /// - Parameter query: in their order; a name may repeat.
    init(_ endpoint: AppleEndpoint, _ path: String, query: [(name: String, value: String)] = [], body: JSON? = nil) {
        self.endpoint = endpoint
        let pairs = query.map { "\(Self.escaped($0.name))=\(Self.escaped($0.value))" }
        target = pairs.isEmpty ? path : "\(path)?\(pairs.joined(separator: "&"))"
        self.body = body
    }

    /// An id as a part of a path; nil for one that would lead to another path.
    static func segment(_ id: String) -> String? {
        guard !id.isEmpty, id.utf8.count <= 256, !id.allSatisfy({ $0 == "." }) else { return nil }
        return escaped(id)
    }

    func request(to base: String, bearer token: String, timeout: Duration) -> StoreRequest {
        var headers = [
            "Authorization": "Bearer \(token)", "Accept": "application/json", "User-Agent": "Perennial",
        ]
        if body != nil { headers["Content-Type"] = "application/json" }
        return StoreRequest(
            endpoint.method,
            base + target,
            headers: headers,
            body: body.map { Data($0.bytes) },
            timeout: timeout
        )
    }

    private static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    /// RFC 3986, 2.3.
    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    )
}
