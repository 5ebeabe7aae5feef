import Foundation
import HTTPTypes
package import Hummingbird

/// Adds the headers that tell browsers how far to trust an answer (ASVS 3.4).
package struct SecurityHeaders: RouterMiddleware {
    package typealias Context = WebRequestContext

    private let fields: [HTTPField]

    package init(isSecure: Bool) {
        var fields = [
            HTTPField(name: .xContentTypeOptions, value: "nosniff"),
            HTTPField(name: .referrerPolicy, value: "same-origin"),
            HTTPField(name: .openerPolicy, value: "same-origin"),
            HTTPField(name: .resourcePolicy, value: "same-origin"),
        ]
        if isSecure {
            fields.append(
                HTTPField(name: .strictTransportSecurity, value: "max-age=31536000; includeSubDomains")
            )
        }
        self.fields = fields
    }

    /// The content security policy of a page.
    ///
    /// - Parameters:
    ///   - target: another site to which a form of it goes. Browsers hold the redirects of a form to the policy as well, and a store leads
    ///     from one of its hosts to the next; so any site with https is allowed then.
    ///   - asks: true if its script asks this server.
    package static func policy(formsTo target: String? = nil, asks: Bool = false) -> String {
        var forms = "form-action 'self'"
        if let target {
            // A simulator has no certificate.
            let host = URL(string: target).flatMap { url in url.host().map { ($0, url.port) } }
            let plain = host.map { " http://\($0)\($1.map { ":\($0)" } ?? "")" } ?? ""
            forms += " https:\(target.hasPrefix("http://") ? plain : "")"
        }
        let sources = [
            "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", forms,
            "frame-ancestors 'none'", "base-uri 'none'",
        ]
        return (sources + (asks ? ["connect-src 'self'"] : [])).joined(separator: "; ")
    }

    package func handle(
        _ request: Request,
        context: WebRequestContext,
        next: @concurrent (Request, WebRequestContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        for field in fields { response.headers.append(field) }
        // A page that has to be trusted with more says so itself.
        if response.headers[.contentSecurityPolicy] == nil {
            response.headers[.contentSecurityPolicy] = Self.policy()
        }
        // An answer that is not meant to be kept says nothing about it: then it must not be.
        if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
        return response
    }
}
