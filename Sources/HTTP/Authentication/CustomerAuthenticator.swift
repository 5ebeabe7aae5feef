package import Billing
import HTTPTypes
package import Hummingbird
import Logging
package import Operations
package import Storage
package import Words

/// A request of an app for one of its customers, who has signed in or was vouched for.
package struct CustomerRequest: Sendable {
    package let request: Request
    package let context: WebRequestContext
    package let query: URLEncoded
    package let session: CustomerSession

    package var app: App.ID { session.app }
    package var customer: Customer.ID { session.customer }
    /// In the language that `Accept-Language` asks for.
    package var strings: Strings { request.strings }

    /// A part of the path, decoded.
    package func parameter(_ name: String) throws -> String {
        try URLEncoded.decode(try context.parameters.require(name).utf8)
    }
}

/// Lets apps through to the customer API with an access token of a customer.
package struct CustomerAuthenticator: Sendable {
    package let backOffice: BackOffice

    package init(backOffice: BackOffice) {
        self.backOffice = backOffice
    }

    /// - Parameters:
    ///   - withUsage: true if the answer needs the customer's usage.
    ///   - limits: counts a token of the app's own login that names somebody for the first time: who signs up by a token is held to the
    ///     limits of who signs in.
    /// - Throws: `WebError`: `.unauthenticated` without a good token, `.invalid` where the call names another app than the token.
    package func enter(
        _ request: Request,
        _ context: WebRequestContext,
        withUsage: Bool = false,
        counting limits: CallLimits? = nil
    ) async throws -> CustomerRequest {
        let query = try request.query()
        guard let text = request.bearerToken else {
            throw WebError(.unauthenticated, "Send an access token: Authorization: Bearer …")
        }
        let session = try await backOffice.customerSession(text, withUsage: withUsage) {
            try await limits?.countSignUp(request, context)
        }
        guard let session else {
            let hasExpired = AccessTokenText.hasExpired(text, at: backOffice.database.now)
            throw WebError(
                .unauthenticated,
                "The access token is unknown or has expired, or its session has ended.",
                reason: hasExpired ? .tokenExpired : .tokenInvalid
            )
        }
        context.notes.note(viewer: nil, actor: session.customer.description)
        context.notes.note(app: session.appSlug)
        if let named = try query.single("app") ?? request.headers[.app], named != session.appSlug {
            throw WebError(.invalid, "The access token is for another app.", field: "app", reason: .wrongApp)
        }
        backOffice.seenCustomers.note(
            session.customer,
            acceptLanguage: request.headers[.acceptLanguage],
            userAgent: request.headers[.userAgent],
            at: backOffice.database.now
        )
        do {
            try await backOffice.noteUse(of: session)
        } catch {
            context.logger.warning("the use of a token could not be noted", metadata: ["error": "\(error)"])
        }
        return CustomerRequest(request: request, context: context, query: query, session: session)
    }
}
