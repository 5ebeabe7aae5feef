package import Billing
import HTTPTypes
package import Hummingbird
import Logging
package import Operations
package import Storage

/// A request of a program with a staff token that may do what the route is for.
package struct APIRequest: Sendable {
    package let request: Request
    package let context: WebRequestContext
    package let query: URLEncoded
    package let token: StaffToken
    package let app: App.ID
    package let caller: Caller
}

/// Lets programs with a staff token through to the admin API.
package struct TokenAuthenticator: Sendable {
    package let backOffice: BackOffice
    package let addresses: ClientAddress
    private let requiredTwoFactor: Set<StaffRole>

    /// - Parameter requiredTwoFactor: the roles whose tokens open nothing before they have set up a second factor.
    package init(backOffice: BackOffice, addresses: ClientAddress, requiredTwoFactor: Set<StaffRole> = []) {
        self.backOffice = backOffice
        self.addresses = addresses
        self.requiredTwoFactor = requiredTwoFactor
    }

    /// - Throws: `WebError` with `.unauthenticated` without a good token, `.forbidden` for what its owner's role may not
    ///   do or its scopes leave out (which is written to the audit log), and `.invalid` when the call names no app that
    ///   its owner may see.
    package func enter(
        _ request: Request,
        _ context: WebRequestContext,
        needs permission: Permission
    ) async throws -> APIRequest {
        let query = try request.query()
        let named = try query.single("app") ?? request.headers[.app]
        guard let text = request.bearerToken else {
            throw WebError(.unauthenticated, "Send a staff token: Authorization: Bearer pst_…")
        }
        guard let token = try await backOffice.token(text, app: named) else {
            throw WebError(.unauthenticated, "The staff token is unknown, revoked or expired.")
        }
        context.notes.note(viewer: nil, actor: token.id.description)
        let caller = Caller(
            .token(owner: token.staff),
            actor: "\(token.email) (token \(token.name))",
            role: token.role,
            address: addresses.of(request, peer: context.peer),
            requestID: context.requestID
        )
        let hasScope = token.has(permission.terms.scope)
        guard token.role.may(permission), hasScope else {
            try await backOffice.recordDenial(of: permission, at: request.uri.path, caller: caller)
            throw WebError(
                .forbidden,
                hasScope
                    ? "The role \(token.role.rawValue) may not see or do this."
                    : "The token lacks the scope \(permission.terms.scope)."
            )
        }
        // As their owner on the dashboard: whom a second factor is required of does nothing before they have one.
        guard token.hasTwoFactor || !requiredTwoFactor.contains(token.role) else {
            throw WebError(
                .forbidden,
                "The token's owner has to set up a second factor first: on the dashboard, under Account."
            )
        }
        await noteUse(of: token, context)
        guard let app = token.app else {
            let reason = named == nil ? "Say which app: ?app=… or the header X-App." : "There is no such app."
            throw WebError(.invalid, reason, field: "app")
        }
        return APIRequest(request: request, context: context, query: query, token: token, app: app, caller: caller)
    }

    private func noteUse(of token: StaffToken, _ context: WebRequestContext) async {
        do {
            try await backOffice.noteUse(of: token)
        } catch {
            context.logger.warning("the use of a token could not be noted", metadata: ["error": "\(error)"])
        }
    }
}

extension Request {
    /// The token after `Authorization: Bearer `.
    package var bearerToken: Substring? {
        guard let header = headers[.authorization], let space = header.firstIndex(of: " "),
            header[..<space].lowercased() == "bearer"
        else { return nil }
        return header[header.index(after: space)...]
    }
}
