import Desk
import HTTP
import Hummingbird
import NIOHTTP1

/// Turns whatever an inner layer throws into an answer.
struct ErrorMiddleware: RouterMiddleware {
    typealias Context = WebRequestContext

    let responder: ErrorResponder
    let staff: StaffAuthenticator

    func handle(
        _ request: Request,
        context: WebRequestContext,
        next: @concurrent (Request, WebRequestContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as HTTPParserError {
            // The connection is not HTTP any more; the server answers 400 and ends it.
            throw error
        } catch {
            // The router's own error: no route has looked who asks.
            if error is HTTPError, SitePath.isForPeople(request.uri.path) { await staff.recognise(request, context) }
            return responder.response(to: error, for: request, context)
        }
    }
}
