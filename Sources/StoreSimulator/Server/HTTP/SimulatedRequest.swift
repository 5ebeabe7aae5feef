package import Foundation

/// A request to the simulated store.
package struct SimulatedRequest: Sendable {
    package let method: String
    /// As it came, with the query.
    package let target: String
    /// As it came, without the query.
    package let path: String
    /// In their order, unescaped; names may repeat.
    package let query: [(name: String, value: String)]
    /// By lower-case name.
    package let headers: [String: String]
    package let body: Data

    package init(method: String, target: String, headers: [String: String], body: Data) {
        self.method = method
        self.target = target
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = String(parts.first ?? "")
        query = (parts.count > 1 ? parts[1] : "").split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (Self.unescaped(parts.first ?? ""), Self.unescaped(parts.count > 1 ? parts[1] : ""))
        }
        self.headers = headers
        self.body = body
    }

    private init(_ whole: SimulatedRequest, path: String) {
        method = whole.method
        target = whole.target
        self.path = path
        query = whole.query
        headers = whole.headers
        body = whole.body
    }

    func first(_ name: String) -> String? { query.first { $0.name == name }?.value }

    func all(_ name: String) -> [String] { query.filter { $0.name == name }.map(\.value) }

    /// The same for a path below another.
    func at(_ path: String) -> SimulatedRequest {
        SimulatedRequest(self, path: path)
    }

    private static func unescaped(_ text: Substring) -> String {
        text.replacing("+", with: " ").removingPercentEncoding ?? String(text)
    }
}
