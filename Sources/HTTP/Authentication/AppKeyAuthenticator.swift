package import Billing
import HTTPTypes
package import Hummingbird
import Logging
package import Operations
package import Storage
package import Words

/// A request of an app's own server, whose secret key may do what the route is for.
package struct AppServerRequest: Sendable {
    package let request: Request
    package let context: WebRequestContext
    package let query: URLEncoded
    package let key: AppKey
    package let caller: Caller

    package var app: App.ID { key.app }
    /// In the language that `Accept-Language` asks for.
    package var strings: Strings { request.strings }

    /// A part of the path, decoded.
    package func parameter(_ name: String) throws -> String {
        try URLEncoded.decode(try context.parameters.require(name).utf8)
    }
}

/// Lets apps' own servers through with a secret key.
package struct AppKeyAuthenticator: Sendable {
    package let backOffice: BackOffice
    package let addresses: ClientAddress

    package init(backOffice: BackOffice, addresses: ClientAddress) {
        self.backOffice = backOffice
        self.addresses = addresses
    }

    /// - Throws: `WebError`: `.unauthenticated` without a live key, `.forbidden` for what its scopes leave out, `.invalid` where the call
    ///   names another app than the key.
    package func enter(
        _ request: Request,
        _ context: WebRequestContext,
        needs scope: AppKeyScope
    ) async throws -> AppServerRequest {
        let query = try request.query()
        guard let text = request.bearerToken else {
            throw WebError(.unauthenticated, "Send a secret key of the app: Authorization: Bearer psk_…")
        }
        guard let key = try await backOffice.appKey(text) else {
            throw WebError(.unauthenticated, "The secret key is unknown or revoked.")
        }
        context.notes.note(viewer: nil, actor: key.id.description)
        guard key.has(scope) else {
            throw WebError(.forbidden, "The key lacks the scope \(scope.rawValue).")
        }
        if let named = try query.single("app") ?? request.headers[.app], named != key.slug {
            throw WebError(.invalid, "The secret key is of another app.", field: "app", reason: .wrongApp)
        }
        do {
            try await backOffice.noteUse(of: key)
        } catch {
            context.logger.warning("the use of a token could not be noted", metadata: ["error": "\(error)"])
        }
        return AppServerRequest(
            request: request,
            context: context,
            query: query,
            key: key,
            caller: Caller(
                .appServer(key.id),
                actor: "\(key.slug) (key \(key.name))",
                address: addresses.of(request, peer: context.peer),
                requestID: context.requestID
            )
        )
    }
}
