import APITypes
import Billing
package import HTTP
import HTTPTypes
package import Hummingbird
import Operations
import Storage

/// Reserves usage for work under way, such as an answer that is still being written.
package struct UsageReservationsController: Sendable {
    let backOffice: BackOffice

    private var calls: UsageCalls { UsageCalls(backOffice: backOffice) }

    package static let reserve = APIOperation(
        "reserveUsage",
        .usage,
        "Reserves a use of a feature",
        """
        It counts as used until it is settled or released, or its time is over: what is under way cannot pass the limit. It is refused \
        as `POST /usage/{feature}` is.
        """,
        path: .feature,
        body: UsageReservationRequest.body,
        mayTakeKey: true,
        isRestricted: true,
        answer: .created(ReservedUsage.self, "It is held.")
    )

    /// `POST /usage/{feature}/reservations`
    @Sendable package func reserve(_ call: CustomerRequest) async throws -> Response {
        let feature = try call.parameter("feature")
        let sent = try await call.request.json(UsageReservationRequest.self).value
        do {
            return try await calls.reserve(sent, of: feature, for: call.session, key: call.key)
        } catch let error as OperationsError {
            throw error.forPrograms()
        }
    }

    package static let settle = APIOperation(
        "settleUsage",
        .usage,
        "Says how much of a reservation was used",
        "The rest is given back. Saying the same again changes nothing; what has expired is 409, and is counted anew.",
        path: .feature,
        .id("id", "The reservation's id."),
        body: UsageSettlementRequest.body,
        takesKey: false,
        answer: .ok(UsageCount.self, "It is settled.")
    )

    /// `POST /usage/{feature}/reservations/{id}/settle`
    @Sendable package func settle(_ call: CustomerRequest) async throws -> Response {
        let sent = try await call.request.json(UsageSettlementRequest.self).value
        let feature = try call.parameter("feature")
        return try await calls.settle(try call.parameter("id"), sent, of: feature, for: call.session)
    }

    package static let release = APIOperation(
        "releaseUsage",
        .usage,
        "Gives back all of a reservation",
        path: .feature,
        .id("id", "The reservation's id."),
        answer: .noContent("Nothing is held any more.")
    )

    /// `DELETE /usage/{feature}/reservations/{id}`
    @Sendable package func release(_ call: CustomerRequest) async throws -> Response {
        let feature = try call.parameter("feature")
        return try await calls.release(try call.parameter("id"), of: feature, for: call.session)
    }
}
