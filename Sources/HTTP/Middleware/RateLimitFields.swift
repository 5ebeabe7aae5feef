import Billing
import HTTPTypes
package import Hummingbird
import Operations

/// Says in each answer that was counted where the caller stands (draft-ietf-httpapi-ratelimit-headers-10).
package struct RateLimitFields: RouterMiddleware {
    package typealias Context = WebRequestContext

    package init() {}

    package func handle(
        _ request: Request,
        context: WebRequestContext,
        next: @concurrent (Request, WebRequestContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        let states = context.notes.rateLimits
        guard !states.isEmpty else { return response }
        response.headers[.rateLimitPolicy] = states.map(\.policyItem).joined(separator: ", ")
        response.headers[.rateLimit] = states.map(\.item).joined(separator: ", ")
        return response
    }
}

extension RateLimitState {
    /// `"customer";q=1200;w=60`
    fileprivate var policyItem: String { "\"\(policy.rawValue)\";q=\(limit.calls);w=\(limit.seconds)" }

    /// `"customer";r=1199;t=1`
    fileprivate var item: String { "\"\(policy.rawValue)\";r=\(left);t=\(secondsUntilReset)" }
}
