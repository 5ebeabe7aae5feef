import HTTPTypes
package import Hummingbird

/// Adds the headers that tell browsers how far to trust an answer (ASVS 3.4).
package struct SecurityHeaders: RouterMiddleware {
    package typealias Context = WebRequestContext

    private let fields: [HTTPField]

    package init(isSecure: Bool) {
        let policy = [
            "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "form-action 'self'",
            "frame-ancestors 'none'", "base-uri 'none'",
        ]
        var fields = [
            HTTPField(name: .contentSecurityPolicy, value: policy.joined(separator: "; ")),
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

    package func handle(
        _ request: Request,
        context: WebRequestContext,
        next: @concurrent (Request, WebRequestContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        for field in fields { response.headers.append(field) }
        // An answer that is not meant to be kept says nothing about it: then it must not be.
        if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
        return response
    }
}
