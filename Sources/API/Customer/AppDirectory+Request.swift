import HTTP
import HTTPTypes
import Hummingbird
import Operations

extension AppDirectory {
    /// Returns the app of a customer's token.
    ///
    /// - Throws: `WebError` with `.notFound` for an app that does not exist any more.
    func app(of call: CustomerRequest) async throws -> Entry {
        guard let found = try await entry(for: call.app) else {
            throw WebError(.notFound, "There is no such app.", reason: .appNotFound)
        }
        return found
    }

    /// Returns the app that a call without a token is for: by `app=`, by `X-App`, or the only one (product.md, decision 11).
    ///
    /// - Throws: `WebError` with `.invalid` where the call names no app, or an unknown one.
    func app(of request: Request) async throws -> Entry {
        let named = try request.query().single("app") ?? request.headers[.app]
        guard let found = try await entry(named: named) else {
            guard named != nil else {
                throw WebError(.invalid, "Say which app: ?app=… or the header X-App.", field: "app")
            }
            throw WebError(.invalid, "There is no such app.", field: "app", reason: .appNotFound)
        }
        return found
    }
}
