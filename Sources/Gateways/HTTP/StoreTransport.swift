package import Foundation

/// Carries what we ask a store. One attempt each: who asks decides what is asked again.
package protocol StoreTransport: Sendable {
    /// - Throws: `.unreachable` if no complete answer came: refused, cut off, or later than the request allows.
    func send(_ request: StoreRequest) async throws(GatewayError) -> StoreResponse
}

/// A request to a store, over HTTP.
package struct StoreRequest: Hashable, Sendable {
    /// GET, POST, PUT.
    package var method: String
    /// Absolute, with scheme and host, and its query escaped.
    package var url: String
    package var headers: [String: String]
    package var body: Data?
    /// The time limit for the whole answer.
    package var timeout: Duration
    /// The longest answer that is read, in bytes; a longer one is `.malformed`.
    package var longestAnswer: Int
    /// The account that asks, as the store knows it; those who ask one host take turns. nil counts all as one.
    package var asker: String?

    package init(
        _ method: String,
        _ url: String,
        headers: [String: String] = [:],
        body: Data? = nil,
        timeout: Duration = .seconds(30),
        longestAnswer: Int = 10 << 20,
        asker: String? = nil
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
        self.longestAnswer = longestAnswer
        self.asker = asker
    }
}

/// Without query, headers and body: they carry secrets, codes and tokens (WeChat's app secret stands in the query).
extension StoreRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String {
        "\(method) \(url.prefix { $0 != "?" && $0 != "#" })"
    }

    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
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

extension StoreResponse {
    /// The pause that `Retry-After` asks for: in seconds, as proxies write it, or until a moment in milliseconds since 1970, as Apple does.
    ///
    /// - Returns: at most a day; nil if the header says nothing of the kind.
    func retryAfter(at now: Date) -> Duration? {
        guard let text = headers["retry-after"]?.trimmingCharacters(in: .whitespaces), let number = Double(text),
            (0...Self.latest).contains(number)
        else { return nil }
        let seconds = number < 100_000_000_000 ? number : number / 1_000 - now.timeIntervalSince1970
        return .seconds(min(max(0, seconds), 86_400))
    }

    /// The end of the year 9999, in milliseconds since 1970.
    private static let latest: Double = 253_402_300_799_000
}
