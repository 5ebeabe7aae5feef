import HTTPTypes
package import Hummingbird
package import Operations

/// Lets web pages of apps call the customer API from browsers (Fetch, "HTTP-CORS protocol"). Only pages of origins that an app's
/// catalogue lists may; the dashboard, the admin API, apps' own servers and webhooks are for no other site's page.
///
/// Credentials in the sense of the protocol are cookies: the customer API has none, and none are allowed.
package struct CrossOrigin: RouterMiddleware {
    package typealias Context = WebRequestContext

    package let apps: AppDirectory
    package let routes: RouteMap

    package init(apps: AppDirectory, routes: RouteMap) {
        self.apps = apps
        self.routes = routes
    }

    package func handle(
        _ request: Request,
        context: WebRequestContext,
        next: @concurrent (Request, WebRequestContext) async throws -> Response
    ) async throws -> Response {
        if request.method == .options, request.headers[.accessControlRequestMethod] != nil {
            let methods = routes.crossOriginMethods(at: request.uri.path)
            if !methods.isEmpty { return try await preflight(request, methods) }
        }
        var response = try await next(request, context)
        guard context.endpointPath.map(routes.isForPages) ?? false else { return response }
        // Also where it is not allowed: a cache must not give the answer to a page that is.
        response.headers[.vary] = (response.headers[.vary].map { "\($0), " } ?? "") + "Origin"
        guard let origin = try? await allowedOrigin(of: request, for: context.notes.app) else { return response }
        response.headers[.accessControlAllowOrigin] = origin
        response.headers[.accessControlExposeHeaders] = Self.responseHeaders
        return response
    }

    /// Asks for permission before a call. It has neither token nor `X-App`: without `app=` it is enough that some app lists the origin,
    /// as the call that follows is judged anew.
    private func preflight(_ request: Request, _ methods: [String]) async throws -> Response {
        var response = Response(status: .noContent)
        response.headers[.vary] = "Origin, Access-Control-Request-Method, Access-Control-Request-Headers"
        guard let origin = try? await allowedOrigin(of: request, for: nil) else { return response }
        response.headers[.accessControlAllowOrigin] = origin
        response.headers[.accessControlAllowMethods] = methods.joined(separator: ", ")
        response.headers[.accessControlAllowHeaders] = Self.requestHeaders
        response.headers[.accessControlMaxAge] = String(Self.maxAge)
        return response
    }

    /// The request's origin, where the app that the call is for lists it.
    ///
    /// - Parameter app: the app whose token the call has; nil where that is not known, or there is none.
    private func allowedOrigin(of request: Request, for app: String?) async throws -> String? {
        guard let origin = request.headers[.origin], origin.utf8.count <= Self.longestOrigin else { return nil }
        let app = if let app { app } else { try request.query().single("app") ?? request.headers[.app] }
        return try await apps.allows(origin: origin, for: app) ? origin : nil
    }

    private static let longestOrigin = 200
    /// Seconds that browsers may remember a preflight; Chromium takes two hours at most.
    private static let maxAge = 7_200
    private static let requestHeaders =
        "Authorization, Content-Type, Accept, Accept-Language, Idempotency-Key, If-None-Match, X-App, X-Request-ID"
    private static let responseHeaders =
        "ETag, Location, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-ID"
}
