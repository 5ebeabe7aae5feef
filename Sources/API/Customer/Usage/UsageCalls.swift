import APITypes
import Billing
import Foundation
import HTTP
import HTTPTypes
import Hummingbird
import Operations
import Storage

/// Counts, reserves, settles and releases a customer's usage, for their app or for the app's own server.
struct UsageCalls: Sendable {
    let backOffice: BackOffice

    /// - Parameter key: makes the idempotency key of everything that the call asks; nil for a caller who sent none.
    func count(
        _ sent: UsageRequest,
        of feature: String,
        for customer: some VersionedCustomer,
        key: ([String]) throws(OperationsError) -> IdempotencyKey?
    ) async throws -> UsageCount {
        let quantity = sent.quantity ?? 1
        let answer = try await backOffice.count(
            feature,
            quantity: quantity,
            occurredAt: try sent.moment(),
            key: try key(["usage", feature, "\(quantity)", sent.occurredAt ?? ""]),
            for: customer
        )
        return UsageCount(answer)
    }

    /// - Parameter key: makes the idempotency key, as in `count`.
    func reserve(
        _ sent: UsageReservationRequest,
        of feature: String,
        for customer: some VersionedCustomer,
        key: ([String]) throws(OperationsError) -> IdempotencyKey?
    ) async throws -> Response {
        let (quantity, seconds) = (sent.quantity ?? 1, sent.expiresIn ?? 300)
        let reservation = try await backOffice.reserve(
            feature,
            quantity: quantity,
            seconds: seconds,
            key: try key(["reservation", feature, "\(quantity)", "\(seconds)"]),
            for: customer
        )
        return .json(ReservedUsage(reservation), status: .created)
    }

    /// - Parameter id: the id of the reservation.
    func settle(
        _ id: String,
        _ sent: UsageSettlementRequest,
        of feature: String,
        for customer: some VersionedCustomer
    ) async throws -> Response {
        let answer = try await backOffice.settle(
            try reservation(id),
            of: feature,
            quantity: sent.quantity,
            for: customer
        )
        return .json(UsageCount(answer))
    }

    /// - Parameter id: the id of the reservation.
    func release(_ id: String, of feature: String, for customer: some VersionedCustomer) async throws -> Response {
        try await backOffice.release(try reservation(id), of: feature, for: customer)
        return Response(status: .noContent)
    }

    /// - Throws: `WebError` with `.notFound` for a text that is no id.
    private func reservation(_ id: String) throws -> StoredUsageReservation.ID {
        guard let id = StoredUsageReservation.ID(id) else {
            throw WebError(.notFound, "There is no such reservation.", reason: .reservationNotFound)
        }
        return id
    }
}

extension UsageRequest {
    /// - Throws: `OperationsError` with `.invalid` for a text that is no time in RFC 3339.
    fileprivate func moment() throws(OperationsError) -> Date? {
        guard let occurredAt else { return nil }
        guard let moment = TimeText.date(rfc3339: occurredAt) else {
            throw OperationsError(problems: [FieldProblem("occurredAt", .notADate)])
        }
        return moment
    }
}
