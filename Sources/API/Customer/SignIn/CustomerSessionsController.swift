import APITypes
import Billing
import Foundation
package import HTTP
package import Hummingbird
import Operations
import Storage

/// Answers and ends a customer's sessions.
package struct CustomerSessionsController: Sendable {
    let backOffice: BackOffice

    package static let list = APIOperation(
        "listCustomerSessions",
        .tokens,
        "Where the customer is signed in",
        answer: .ok(CustomerSessionList.self, "The live sessions.")
    )

    /// `GET /api/v1/auth/sessions`
    @Sendable package func index(_ call: CustomerRequest) async throws -> Response {
        let sessions = try await backOffice.customerSessions(of: call.customer)
        return .json(
            CustomerSessionList(
                sessions: sessions.map { session in
                    CustomerSessionList.Session(
                        id: session.id.uuid,
                        method: session.method.rawValue,
                        createdAt: session.createdAt,
                        lastUsedAt: session.lastUsedAt,
                        expiresAt: session.expiresAt,
                        current: session.id == call.session.id
                    )
                }
            )
        )
    }

    package static let end = APIOperation(
        "endCustomerSession",
        .tokens,
        "Ends one of the customer's sessions",
        "Its tokens open nothing any more, on any server. It may be the one that asks.",
        path: .name("id", "Of the session.", example: "01990000-0000-7000-8000-000000000001"),
        takesKey: false,
        answer: .noContent("The session has ended.")
    )

    /// `DELETE /api/v1/auth/sessions/{id}`
    @Sendable package func delete(_ call: CustomerRequest) async throws -> Response {
        guard let id = CustomerSession.ID(try call.parameter("id")) else {
            throw WebError(.notFound, "There is no such session, or it has ended.")
        }
        try await backOffice.endSession(id, of: call.customer)
        return Response(status: .noContent)
    }

    package static let endOthers = APIOperation(
        "endOtherCustomerSessions",
        .tokens,
        "Ends all of the customer's sessions but the one that asks",
        takesKey: false,
        answer: .noContent("The others have ended.")
    )

    /// `DELETE /api/v1/auth/sessions`
    @Sendable package func deleteOthers(_ call: CustomerRequest) async throws -> Response {
        try await backOffice.endOtherSessions(than: call.session)
        return Response(status: .noContent)
    }
}
