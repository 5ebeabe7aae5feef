package import Billing

/// The hosts of the App Store Server API, one base URL for each environment.
package struct AppleServerHosts: Hashable, Sendable {
    private let production: String
    private let sandbox: String

    /// Apple's own.
    package static let apple = AppleServerHosts(
        checked: "https://api.storekit.apple.com",
        "https://api.storekit-sandbox.apple.com"
    )

    /// - Parameter isSimulated: true for an app of a test store; only then may an address be plain http.
    /// - Throws: `.misconfigured`.
    package init(production: String, sandbox: String, isSimulated: Bool) throws(GatewayError) {
        self.production = try Self.base(production, isSimulated)
        self.sandbox = try Self.base(sandbox, isSimulated)
    }

    private init(checked production: String, _ sandbox: String) {
        self.production = production
        self.sandbox = sandbox
    }

    package subscript(environment: StoreEnvironment) -> String {
        switch environment {
        case .production: production
        case .sandbox: sandbox
        }
    }

    private static func base(_ text: String, _ isSimulated: Bool) throws(GatewayError) -> String {
        try StoreAddress.base(
            text,
            isSimulated: isSimulated,
            of: "the App Store Server API",
            field: "api"
        )
    }
}
