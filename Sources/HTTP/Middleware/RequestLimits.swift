import HTTPTypes
package import Hummingbird

/// Refuses what no browser or store of ours sends, before anything else looks at it.
package struct RequestLimits: RouterMiddleware {
    package typealias Context = WebRequestContext

    package init() {}

    package static let longestURL = 8 * 1024
    package static let largestHeaders = 32 * 1024
    package static let mostHeaders = 100
    private static let methods: Set<HTTPRequest.Method> = [.get, .head, .post, .put, .patch, .delete, .options]

    package func handle(
        _ request: Request,
        context: WebRequestContext,
        next: @concurrent (Request, WebRequestContext) async throws -> Response
    ) async throws -> Response {
        guard request.uri.description.utf8.count <= Self.longestURL else {
            throw WebError(.uriTooLong, "An address has at most \(Self.longestURL) bytes.")
        }
        let size = request.headers.reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count }
        guard size <= Self.largestHeaders else {
            throw WebError(.headersTooLarge, "The headers have at most \(Self.largestHeaders) bytes.")
        }
        guard Self.methods.contains(request.method) else {
            throw WebError(
                .methodNotAllowed,
                "This method is not served.",
                allow: ["GET", "HEAD", "POST"]
            )
        }
        // The router would take it for the address without the empty part, which nobody has said who may come to.
        guard !request.uri.path.contains("//") else { throw WebError(.notFound, "There is nothing at this address.") }
        return try await next(request, context)
    }
}
