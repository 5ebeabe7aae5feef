import APITypes
import Billing
package import HTTP
import HTTPTypes
package import Hummingbird
import Operations
import Storage

/// Answers and changes a customer's profile, and deletes their account.
package struct CustomerAccountController: Sendable {
    let backOffice: BackOffice

    package static let profile = APIOperation(
        "showUserProfile",
        .tokens,
        "The customer's profile",
        answer: .ok(UserProfile.self, "Who they are.")
    )

    /// `GET /api/v1/user/profile`
    @Sendable package func show(_ call: CustomerRequest) async throws -> Response {
        .json(try await profile(of: call))
    }

    package static let update = APIOperation(
        "updateUserProfile",
        .tokens,
        "Replaces the customer's profile",
        "What is left out is empty from then on. Everything else that the profile has is read-only, and ignored.",
        body: UserProfileRequest.body,
        takesKey: false,
        answer: .ok(UserProfile.self, "Who they are now.")
    )

    /// `PUT /api/v1/user/profile`
    @Sendable package func update(_ call: CustomerRequest) async throws -> Response {
        let sent = try await call.request.json(UserProfileRequest.self).value
        let request = try ProfileRequest(
            displayName: sent.displayName,
            email: sent.email,
            avatarURL: sent.avatarURL
        )
        try await backOffice.setProfile(request, of: call.customer, app: call.app)
        return .json(try await profile(of: call))
    }

    package static let delete = APIOperation(
        "deleteAccount",
        .tokens,
        "Deletes the customer's account",
        """
        Every session ends at once, on every server; what tells of the person is erased; Apple is told that the sign-in has ended. Orders \
        and the ledger stay, under an id that names nobody. A store goes on charging for what renews there: only the customer can \
        cancel it. The same call may be sent again with the same token.
        """,
        takesKey: false,
        answer: .noContent("There is no account any more.")
    )

    /// `DELETE /api/v1/auth/account`
    @Sendable package func delete(_ call: CustomerRequest) async throws -> Response {
        let caller = Caller(.customer(call.customer), actor: "customer", requestID: call.context.requestID)
        try await backOffice.deleteAccount(of: call.customer, app: call.app, caller: caller)
        return Response(status: .noContent)
    }

    /// Answers a deletion that is sent again because its answer was lost; nil where the token is of no deleted customer.
    @Sendable package func deletedBefore(_ request: Request) async throws -> Response? {
        guard let token = request.bearerToken, try await backOffice.deletedCustomer(token) != nil else { return nil }
        return Response(status: .noContent)
    }

    private func profile(of call: CustomerRequest) async throws -> UserProfile {
        guard let profile = try await backOffice.profile(of: call.customer, app: call.app) else {
            throw WebError(.unauthenticated, "The account was deleted.")
        }
        return UserProfile(profile)
    }
}
