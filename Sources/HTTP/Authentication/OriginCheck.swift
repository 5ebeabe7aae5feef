package import HTTPTypes
package import Hummingbird

/// Checks that a page of ours sent a form, by what the browser says of it (ASVS 3.5).
///
/// Old clients say nothing; the form token stands alone then.
package struct OriginCheck: Sendable {
    /// `https://office.example.com`; nil on the machine itself, where the host that was asked for counts.
    package let publicURL: String?
    /// Without a public URL, whether the host may be any (a demo on a network) or must be the machine itself: a foreign
    /// name that leads here is then a trick (DNS rebinding).
    package var allowsAnyHost = false

    package init(publicURL: String?, allowsAnyHost: Bool = false) {
        self.publicURL = publicURL
        self.allowsAnyHost = allowsAnyHost
    }

    package func isOwn(_ request: Request) -> Bool {
        if let site = request.headers[.secFetchSite], site != "same-origin", site != "none" { return false }
        guard let origin = request.headers[.origin] else { return true }
        return origin.lowercased() == expected(for: request)
    }

    /// Returns true if the browser says that a page of ours sent it: for forms that no form token speaks for any more.
    package func isKnownToBeOwn(_ request: Request) -> Bool {
        isOwn(request) && (request.headers[.origin] != nil || request.headers[.secFetchSite] == "same-origin")
    }

    private func expected(for request: Request) -> String? {
        if let publicURL { return publicURL }
        guard let authority = request.head.authority, allowsAnyHost || Loopback.isLoopback(authority: authority)
        else { return nil }
        return "http://\(authority.lowercased())"
    }
}

extension HTTPField.Name {
    package static let secFetchSite = knownToBeValid("Sec-Fetch-Site")
    package static let requestID = knownToBeValid("X-Request-ID")
    package static let forwarded = knownToBeValid("Forwarded")
    package static let forwardedFor = knownToBeValid("X-Forwarded-For")
    package static let app = knownToBeValid("X-App")
    package static let rateLimit = knownToBeValid("RateLimit")
    package static let rateLimitPolicy = knownToBeValid("RateLimit-Policy")
    package static let referrerPolicy = knownToBeValid("Referrer-Policy")
    package static let openerPolicy = knownToBeValid("Cross-Origin-Opener-Policy")
    package static let resourcePolicy = knownToBeValid("Cross-Origin-Resource-Policy")

    private static func knownToBeValid(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else {
            preconditionFailure("\(name) is no header name")  // safe: constants
        }
        return name
    }
}
