/// The proxy that stores are asked through, as the usual variables of the environment name it.
package struct StoreProxy: Hashable, Sendable {
    /// For addresses that begin with `http:`; nil for none.
    let http: String?
    /// For addresses that begin with `https:`; nil for none.
    let https: String?
    /// Hosts that are asked without it, separated by commas.
    let exceptions: String

    private init(http: String?, https: String?, exceptions: String) {
        self.http = http
        self.https = https
        self.exceptions = exceptions
    }

    /// Stores are asked directly.
    package static let none = StoreProxy(http: nil, https: nil, exceptions: "")

    /// The values of `https_proxy`, `http_proxy`, `all_proxy` and `no_proxy`, in small letters or else in capitals.
    ///
    /// `HTTP_PROXY` is not read: where a web server starts programs, its clients can set it.
    ///
    /// - Throws: `.misconfigured`, with the variable as the field, for what is no proxy that can be used.
    package init(environment: [String: String]) throws(GatewayError) {
        func first(of names: [String]) throws(GatewayError) -> String? {
            for name in names {
                guard let text = environment[name], !text.isEmpty else { continue }
                guard Self.isProxy(text) else {
                    throw GatewayError(
                        .misconfigured,
                        "\(name) is no address of a proxy such as http://proxy.example.com:3128.",
                        field: name
                    )
                }
                return text
            }
            return nil
        }
        http = try first(of: ["http_proxy", "all_proxy", "ALL_PROXY"])
        https = try first(of: ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"])
        exceptions = ["no_proxy", "NO_PROXY"].compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
    }

    /// The proxy for a scheme; nil for none.
    func address(for scheme: String) -> String? {
        scheme == "https" ? https : http
    }

    /// A host, perhaps with a scheme, a name and a password, and a port.
    private static func isProxy(_ text: String) -> Bool {
        guard text.utf8.allSatisfy({ (0x21..<0x7F).contains($0) }) else { return false }
        guard let end = text.firstRange(of: "://") else { return true }
        return schemes.contains(text[..<end.lowerBound].lowercased()) && end.upperBound < text.endIndex
    }

    private static let schemes: Set<String> = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]
}
