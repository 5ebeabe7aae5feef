package import Billing
import Foundation

/// Where the App Store Server API is, one base URL for each environment.
package struct AppleServerHosts: Hashable, Sendable {
    private let production: String
    private let sandbox: String

    /// Apple's own.
    package static let apple = AppleServerHosts(
        checked: "https://api.storekit.apple.com",
        "https://api.storekit-sandbox.apple.com"
    )

    /// - Parameter isSimulated: whether the app is of a test store; only then may an address be plain http.
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
        guard let url = URLComponents(string: text), let host = url.host, !host.isEmpty, url.user == nil,
            url.query == nil, url.fragment == nil, url.scheme == "https" || url.scheme == "http"
        else {
            throw GatewayError(
                .misconfigured,
                "The address of the App Store Server API is no base URL such as https://api.storekit.apple.com.",
                field: "apple.api"
            )
        }
        guard url.scheme == "https" || isSimulated else {
            throw GatewayError(
                .misconfigured,
                "The App Store Server API of an app of the store is asked over https only.",
                field: "apple.api"
            )
        }
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }
}
