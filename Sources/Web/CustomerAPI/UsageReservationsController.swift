import APITypes
import Billing
import HTTPTypes
import Hummingbird
import Operations
import Storage

/// Usage that is held for what is under way, such as an answer that is still being written.
struct UsageReservationsController: Sendable {
    let backOffice: BackOffice

    static let reserve = APIOperation(
        "reserveUsage",
        .usage,
        "Reserves a use of a feature",
        """
        It counts as used until it is settled or released, or its time is over: what is under way cannot pass the limit. It is refused \
        as `POST /usage/{feature}` is.
        """,
        path: .name("feature", "The feature's code.", example: "ai"),
        body: UsageReservationRequest.body,
        mayTakeKey: true,
        isRestricted: true,
        answer: .created(ReservedUsage.self, "It is held.")
    )

    /// `POST /usage/{feature}/reservations`
    @Sendable func reserve(_ call: CustomerRequest) async throws -> Response {
        let feature = try call.parameter("feature")
        let sent = try await call.request.json(UsageReservationRequest.self).value
        let (quantity, seconds) = (sent.quantity ?? 1, sent.expiresIn ?? 300)
        do {
            let reservation = try await backOffice.reserve(
                feature,
                quantity: quantity,
                seconds: seconds,
                key: try call.key(for: ["reservation", feature, "\(quantity)", "\(seconds)"]),
                for: call.session
            )
            return .json(ReservedUsage(reservation), status: .created)
        } catch let error as OperationsError {
            throw error.forPrograms()
        }
    }

    static let settle = APIOperation(
        "settleUsage",
        .usage,
        "Says how much of a reservation was used",
        "The rest is given back. Saying the same again changes nothing; what has expired is 409, and is counted anew.",
        path: .name("feature", "The feature's code.", example: "ai"),
        .id("id", "The reservation's id."),
        body: UsageSettlementRequest.body,
        takesKey: false,
        answer: .ok(UsageCount.self, "It is settled.")
    )

    /// `POST /usage/{feature}/reservations/{id}/settle`
    @Sendable func settle(_ call: CustomerRequest) async throws -> Response {
        let sent = try await call.request.json(UsageSettlementRequest.self).value
        let answer = try await backOffice.settle(
            try call.reservation(),
            of: try call.parameter("feature"),
            quantity: sent.quantity,
            for: call.session
        )
        return .json(UsageCount(answer))
    }

    static let release = APIOperation(
        "releaseUsage",
        .usage,
        "Gives back all of a reservation",
        path: .name("feature", "The feature's code.", example: "ai"),
        .id("id", "The reservation's id."),
        answer: .noContent("Nothing is held any more.")
    )

    /// `DELETE /usage/{feature}/reservations/{id}`
    @Sendable func release(_ call: CustomerRequest) async throws -> Response {
        try await backOffice.release(try call.reservation(), of: try call.parameter("feature"), for: call.session)
        return Response(status: .noContent)
    }
}

extension CustomerRequest {
    /// - Throws: `WebError` with `.notFound` for what is no id.
    fileprivate func reservation() throws -> StoredUsageReservation.ID {
        guard let id = StoredUsageReservation.ID(try parameter("id")) else {
            throw WebError(.notFound, "There is no such reservation.")
        }
        return id
    }
}
