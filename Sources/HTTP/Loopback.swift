/// The names of this machine to itself.
package enum Loopback {
    private static let names: Set<String> = ["127.0.0.1", "::1", "[::1]", "localhost"]

    /// - Parameter host: without a port: `localhost`, `127.0.0.1`, `[::1]`.
    package static func isLoopback(host: some StringProtocol) -> Bool {
        names.contains(host.lowercased())
    }

    /// - Parameter authority: `localhost:8080`, `127.0.0.1`, `[::1]:80`
    package static func isLoopback(authority: some StringProtocol) -> Bool {
        isLoopback(host: host(of: authority))
    }

    private static func host(of authority: some StringProtocol) -> String {
        let text = String(authority)
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") { return String(text[...end]) }
        return String(text.prefix { $0 != ":" })
    }
}
