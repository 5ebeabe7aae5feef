import APITypes
import Billing
import Desk
import HTTP
import HTTPTypes
import Hummingbird
import Logging
import Operations
import Storage
import Words

/// The one exit for errors: a page for people, a problem (RFC 9457) for programs, and the whole story for the log.
struct ErrorResponder: Sendable {
    let assets: AssetPaths
    let routes: RouteMap

    func response(to error: any Error, for request: Request, _ context: WebRequestContext) -> Response {
        let failure = routed(error, request)
        log(failure, context)
        let isForPeople = SitePath.isForPeople(request.uri.path) || request.prefersHTML
        var response: Response =
            if let answer = failure.answerToStore {
                .text(answer.text, status: ErrorTable.status(of: failure.code), type: answer.mediaType)
            } else {
                isForPeople ? page(failure, request, context) : problem(failure, request, context)
            }
        if let retryAfter = failure.retryAfter { response.headers[.retryAfter] = String(retryAfter) }
        if !failure.allow.isEmpty { response.headers[.allow] = failure.allow.joined(separator: ", ") }
        if mayLeaveBody(failure.code) { response.headers[.connection] = "close" }
        return response
    }

    /// The router knows "not found" only; where the path has other methods it is "method not allowed".
    private func routed(_ error: any Error, _ request: Request) -> WebError {
        guard let status = (error as? any HTTPResponseError)?.status, !(error is WebError) else {
            return ErrorTable.webError(for: error)
        }
        switch status {
        case .notFound:
            let methods = routes.methods(at: request.uri.path)
            guard !methods.isEmpty else { return WebError(.notFound, "There is nothing at this address.") }
            return WebError(
                .methodNotAllowed,
                "This address does not take \(request.method.rawValue).",
                allow: methods
            )
        case .contentTooLarge: return WebError(.payloadTooLarge, "The body is too large.", underlying: error)
        default: return WebError(.badRequest, "The request cannot be read.", underlying: error)
        }
    }

    private func log(_ failure: WebError, _ context: WebRequestContext) {
        let metadata: Logger.Metadata = ["error": "\(failure)"]
        switch failure.code {
        case .internalError, .misconfigured: context.logger.error("a request failed", metadata: metadata)
        case .unavailable, .busy: context.logger.warning("a request could not be served", metadata: metadata)
        case .forged: context.logger.warning("a form was not ours", metadata: metadata)
        case .badRequest, .unauthenticated, .forbidden, .notFound, .methodNotAllowed, .conflict,
            .payloadTooLarge, .uriTooLong, .unsupportedMediaType, .invalid, .tooManyRequests, .tierRequired,
            .limitReached, .usedUp, .headersTooLarge:
            context.logger.debug("a request was refused", metadata: metadata)
        }
    }

    private func page(_ failure: WebError, _ request: Request, _ context: WebRequestContext) -> Response {
        let status = ErrorTable.status(of: failure.code)
        if failure.code == .unauthenticated {
            let isReading = request.method == .get || request.method == .head
            return .seeOther(signInPath(next: isReading ? request.target : nil))
        }
        let strings = context.notes.viewer?.strings ?? request.strings
        var text: ErrorText =
            switch failure.underlying {
            case is InvalidCursor:
                .staleCursor(requestID: context.requestID, list: request.uri.path, strings)
            case let rejection as ExportRejection: .refused(rejection, requestID: context.requestID, strings)
            case _ where failure.code == .busy: .busy(requestID: context.requestID, strings)
            default: ErrorText(status: status.code, requestID: context.requestID, strings)
            }
        if let error = failure.underlying as? OperationsError, failure.code == .invalid {
            text.problems = error.problems.map {
                strings.chartsNamed(name: strings.name(ofField: $0.field), value: strings.sentence(of: $0))
            }
        }
        guard let viewer = context.notes.viewer else {
            let theme = request.cookie(SiteCookies.theme).flatMap { StaffTheme(rawValue: String($0)) } ?? .system
            return .page(BareErrorPage(text, theme: theme, assets: assets), status: status)
        }
        return .page(ErrorPage(text, viewer: viewer, path: request.target), status: status)
    }

    private func signInPath(next: String?) -> String {
        DashboardPath.safe(next).map { "\(DashboardPath.signIn)?next=\(DashboardPath.encoded($0))" }
            ?? DashboardPath.signIn
    }

    private func problem(_ failure: WebError, _ request: Request, _ context: WebRequestContext) -> Response {
        let path = request.uri.path
        // Staff's programs are told in English.
        let strings = routes.isForApps(path) ? request.strings : nil
        var problem = Problem(failure, at: path, requestID: context.requestID, in: strings)
        if failure.reason?.isOfSignIn == true { problem.message = failure.text(in: request.strings) }
        if SitePath.saysSuccess(path) {
            problem.success = false
            problem.message = failure.text(in: request.strings)
        }
        let status = ErrorTable.status(of: failure.code)
        var response = Response.json(problem, status: status, type: "application/problem+json")
        if let strings { response.isIn(strings) }
        if failure.code == .unauthenticated { response.headers[.wwwAuthenticate] = "Bearer realm=\"perennial\"" }
        return response
    }

    /// After these the client may still be sending a body that nobody reads.
    private func mayLeaveBody(_ code: WebError.Code) -> Bool {
        switch code {
        case .payloadTooLarge, .uriTooLong, .headersTooLarge, .unsupportedMediaType: true
        case .badRequest, .unauthenticated, .forbidden, .forged, .notFound, .methodNotAllowed, .conflict, .invalid,
            .tooManyRequests, .tierRequired, .limitReached, .usedUp, .internalError, .unavailable, .busy,
            .misconfigured:
            false
        }
    }
}

extension Request {
    /// True if a browser asks for the answer in order to show it.
    fileprivate var prefersHTML: Bool {
        !uri.path.hasPrefix("/admin") && headers[.accept]?.hasPrefix("text/html") ?? false
    }
}
