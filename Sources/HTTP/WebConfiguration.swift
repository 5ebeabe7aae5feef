package import Storage

/// The settings of the server's addresses, limits and access.
package struct WebConfiguration: Sendable {
    package var host: String
    /// 0 lets the system choose.
    package var port: Int
    /// `https://office.example.com`: what people's browsers see. Without it the server is for its own machine only.
    package let publicURL: String?
    /// The token that opens `/metrics`; without it nobody may read them where pages are served.
    package var metricsToken: String?
    /// The proxies that are believed when they say whom a request comes from.
    package var trustedProxies: TrustedProxies
    package var maximumConnections: Int
    /// From one IPv4 address or one IPv6 network of 64 bits; not from this machine, nor from proxies of ours.
    package var connectionsPerAddress: Int
    package var deadlines: ConnectionDeadlines
    /// The roles that can do nothing in the dashboard before they have set up a second factor.
    package var requiredTwoFactor: Set<StaffRole>
    /// Passwords may cross the network in clear: a demo.
    package let allowsPlainHTTP: Bool

    /// - Throws: `WebError` with `.misconfigured` for a public URL that is none, or that is plain HTTP on a network;
    ///   also for a host that is not this machine without a public URL: passwords would cross the network in clear.
    ///   `allowsPlainHTTP` lets that pass, for data that is nobody's.
    package init(
        host: String = "127.0.0.1",
        port: Int = 8080,
        publicURL: String? = nil,
        metricsToken: String? = nil,
        trustedProxies: TrustedProxies = .none,
        maximumConnections: Int = 4_096,
        connectionsPerAddress: Int = 256,
        deadlines: ConnectionDeadlines = ConnectionDeadlines(),
        requiredTwoFactor: Set<StaffRole> = [],
        allowsPlainHTTP: Bool = false
    ) throws(WebError) {
        self.host = host
        self.port = port
        self.metricsToken = metricsToken.flatMap { $0.isEmpty ? nil : $0 }
        self.trustedProxies = trustedProxies
        self.maximumConnections = maximumConnections
        self.connectionsPerAddress = connectionsPerAddress
        self.deadlines = deadlines
        self.requiredTwoFactor = requiredTwoFactor
        self.allowsPlainHTTP = allowsPlainHTTP
        guard let publicURL else {
            guard allowsPlainHTTP || Loopback.isLoopback(host: host) else {
                throw WebError(
                    .misconfigured,
                    "Listening on \(host) needs a public URL, https://… as browsers see it."
                )
            }
            self.publicURL = nil
            return
        }
        self.publicURL = try Self.origin(of: publicURL)
    }

    /// True if browsers come over TLS; then cookies are `Secure` and carry the `__Host-` prefix.
    package var isSecure: Bool { publicURL?.hasPrefix("https://") ?? false }

    /// The host and port that browsers ask for; nil where that is this machine itself.
    package var publicHost: String? {
        guard let publicURL else { return nil }
        let authority = publicURL.dropFirst(isSecure ? 8 : 7)
        return Loopback.isLoopback(authority: authority) ? nil : String(authority)
    }

    /// The scheme and host of a public URL, as they are compared and written.
    ///
    /// - Throws: `WebError` with `.misconfigured`.
    static func origin(of url: String) throws(WebError) -> String {
        let origin = url.hasSuffix("/") ? String(url.dropLast()) : url
        let isSecure = origin.hasPrefix("https://")
        guard isSecure || origin.hasPrefix("http://") else {
            throw WebError(.misconfigured, "The public URL must begin with https://.")
        }
        let authority = origin.dropFirst(isSecure ? 8 : 7)
        let isPlain = authority.utf8.allSatisfy { byte in
            (0x21...0x7E).contains(byte) && !"/?#@\\".utf8.contains(byte)
        }
        guard !authority.isEmpty, isPlain else {
            throw WebError(
                .misconfigured,
                "The public URL must be a scheme and a host, like https://office.example.com."
            )
        }
        guard isSecure || Loopback.isLoopback(authority: authority) else {
            throw WebError(.misconfigured, "The public URL must be https://: passwords do not travel in clear.")
        }
        return origin.lowercased()
    }
}
