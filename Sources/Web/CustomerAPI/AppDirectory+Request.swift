import HTTPTypes
import Hummingbird
import Operations

extension AppDirectory {
    /// The app that a call without a token is for: by `app=`, by `X-App`, or the only one (product.md, decision 11).
    ///
    /// - Throws: `WebError` with `.invalid` where the call does not say, or says another.
    func app(of request: Request) async throws -> Entry {
        let named = try request.query().single("app") ?? request.headers[.app]
        guard let found = try await entry(named: named) else {
            let reason = named == nil ? "Say which app: ?app=… or the header X-App." : "There is no such app."
            throw WebError(.invalid, reason, field: "app")
        }
        return found
    }
}
