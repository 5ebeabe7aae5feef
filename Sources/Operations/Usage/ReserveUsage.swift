package import Billing
import Foundation
package import Storage

extension BackOffice {
    /// The possible lengths of a reservation, in seconds.
    package static let reservationSeconds: ClosedRange<Int64> = 1...86_400

    /// Reserves usage that a customer is about to make, until its quantity is reported: operations under way cannot exceed the limit.
    ///
    /// - Parameters:
    ///   - seconds: the time after which it is released by itself.
    ///   - key: the idempotency key.
    /// - Throws: as `count`.
    package func reserve(
        _ feature: String,
        quantity: Int64 = 1,
        seconds: Int64 = 300,
        key: IdempotencyKey? = nil,
        for session: some VersionedCustomer
    ) async throws -> UsageReservation {
        var problems = FieldProblems()
        problems.check(quantity, within: Self.usageQuantities, field: "quantity")
        problems.check(seconds, within: Self.reservationSeconds, field: "expiresIn")
        try problems.check()
        return try await followingMerges(of: session, key) { session, key in
            let terms = try await terms(of: feature, for: session)
            return try await notingLimits(of: terms, for: session) {
                try await database.write { transaction in
                    guard let key else {
                        return try await reserve(quantity, seconds, under: terms, for: session, in: transaction)
                    }
                    return try await transaction.answerOnce(key) {
                        try await reserve(quantity, seconds, under: terms, for: session, in: transaction)
                    }
                }
            }
        }
    }

    /// Says how much of a reservation was used; the rest is given back. Saying the same again changes nothing.
    ///
    /// - Parameter quantity: at most what was reserved; nil for all of it.
    /// - Throws: `OperationsError`: `.notFound`, `.invalid` for another quantity, `.conflict` for one that has ended otherwise.
    package func settle(
        _ id: StoredUsageReservation.ID,
        of feature: String,
        quantity: Int64? = nil,
        for session: some VersionedCustomer
    ) async throws -> UsageAnswer {
        let terms = try await terms(of: feature, for: session)
        return try await database.write { transaction in
            let reservation = try await transaction.reservation(id, of: feature, for: session)
            let used = quantity ?? reservation.quantity
            var problems = FieldProblems()
            problems.check(used, within: 0...reservation.quantity, field: "quantity")
            try problems.check()
            switch reservation.state {
            case .open where reservation.expiresAt > transaction.now:
                try await transaction.usageReservations.end(reservation, as: .settled, used: used)
            case .settled where reservation.used == used: break
            case .open, .expired:
                throw OperationsError(
                    .conflict,
                    "The reservation has expired; count what was used.",
                    reason: .reservationExpired
                )
            case .settled:
                throw OperationsError(
                    .conflict,
                    "The reservation is settled with another quantity.",
                    reason: .reservationSettled
                )
            case .released:
                throw OperationsError(.conflict, "The reservation is released.", reason: .reservationReleased)
            }
            let counter = try await transaction.usageCounter(of: reservation.customer, reservation.feature)
            return UsageAnswer(feature: feature, quantity: used, isOffline: false, usage: terms.usage(counter))
        }
    }

    /// Gives back all of a reservation; once more changes nothing.
    ///
    /// - Throws: `OperationsError` with `.notFound`, also for one that is settled.
    package func release(
        _ id: StoredUsageReservation.ID,
        of feature: String,
        for session: some VersionedCustomer
    ) async throws {
        try await database.write { transaction in
            let reservation = try await transaction.reservation(id, of: feature, for: session)
            switch reservation.state {
            case .open: try await transaction.usageReservations.end(reservation, as: .released, used: 0)
            case .released, .expired: break
            case .settled:
                throw OperationsError(
                    .notFound,
                    "The reservation is settled: there is nothing to release.",
                    reason: .reservationSettled
                )
            }
        }
    }

    /// Releases reservations that have expired, and deletes those that ended a month ago.
    ///
    /// - Returns: the number of released reservations.
    package func expireUsageReservations() async throws -> Int {
        var expired = 0
        while true {
            let some = try await database.write { try await $0.usageReservations.expire() }
            expired += some
            guard some > 0 else { break }
        }
        _ = try await database.forgetUsageReservations(endedBefore: database.now.addingTimeInterval(-30 * 86_400))
        return expired
    }

    private func reserve(
        _ quantity: Int64,
        _ seconds: Int64,
        under terms: FeatureTerms,
        for session: some VersionedCustomer,
        in transaction: WriteTransaction
    ) async throws -> UsageReservation {
        let feature = try terms.included()
        let entry = UsageEntry(
            customer: session.customer,
            feature: feature.id,
            quantity: quantity,
            now: terms.now,
            today: terms.today,
            offlineDay: nil,
            limits: terms.access.limits
        )
        let counter = try await UsageTally.within(transaction).count(entry, under: terms)
        let stored = StoredUsageReservation(
            id: StoredUsageReservation.ID(transaction.newUUID()),
            customer: session.customer,
            feature: feature.id,
            day: counter.day,
            quantity: quantity,
            reservedAt: transaction.now,
            expiresAt: transaction.now.addingTimeInterval(Double(seconds))
        )
        try await transaction.usageReservations.insert(stored)
        return UsageReservation(
            id: stored.id.uuid,
            feature: feature.code,
            quantity: quantity,
            expiresAt: stored.expiresAt,
            usage: terms.usage(counter)
        )
    }
}

extension WriteTransaction {
    fileprivate func reservation(
        _ id: StoredUsageReservation.ID,
        of feature: String,
        for session: some VersionedCustomer
    ) async throws -> StoredUsageReservation {
        guard let found = try await usageReservations.lock(id, of: session.customer, for: feature) else {
            throw OperationsError(.notFound, "There is no such reservation.", reason: .reservationNotFound)
        }
        return found
    }
}
