package import Billing
import Foundation
package import Storage

extension BackOffice {
    /// Ends a member's seat: access ends at once, and the queue has the store free it. One that has ended stays as it is.
    ///
    /// - Parameter ending: `.left` or `.removed`.
    /// - Throws: `OperationsError`: `.notFound` where the app has no such claim.
    package func endSeat(
        _ id: SeatClaim.ID,
        by ending: SeatClaim.Ending,
        of app: App.ID,
        caller: Caller
    ) async throws -> SeatClaim {
        try await database.write { transaction in
            try await end(id, by: ending, of: app, caller, reason: nil, in: transaction).claim
        }
    }

    /// The same by staff, who say why.
    ///
    /// - Throws: `OperationsError`: `.forbidden`, `.notFound`, or `.stale` where it has ended.
    package func endSeat(
        _ id: SeatClaim.ID,
        of app: App.ID,
        reason: Reason,
        key: IdempotencyKey?,
        caller: Caller
    ) async throws -> ActionOutcome {
        guard caller.may(.giveAccess) else { throw OperationsError(.forbidden, "Your role may not do this.") }
        return try await runOnce(key) { transaction in
            let ended = try await end(id, by: .removed, of: app, caller, reason: reason.forAudit, in: transaction)
            guard let entry = ended.entry else {
                throw OperationsError(.stale, "The seat has ended meanwhile; nothing was done.")
            }
            return (entry, id.description)
        }
    }

    private func end(
        _ id: SeatClaim.ID,
        by ending: SeatClaim.Ending,
        of app: App.ID,
        _ caller: Caller,
        reason: String?,
        in transaction: WriteTransaction
    ) async throws -> (claim: SeatClaim, entry: UUID?) {
        guard let known = try await transaction.seatClaims.claim(id),
            let group = try await transaction.seatClaims.lock(known.subscription, of: app)
        else {
            throw OperationsError(.notFound, "There is no such seat.")
        }
        let ended = try await transaction.seatClaims.end([id], by: ending)
        let claim = try await transaction.seatClaims.claim(id) ?? known
        guard !ended.isEmpty else { return (claim, nil) }
        let entry = try await transaction.audit.append(
            caller.entry(.endSeat, claim, in: group, by: ending, reason: reason)
        )
        try await transaction.jobs.enqueue(.seatGroup, for: group.id.uuid, of: app)
        return (claim, entry)
    }
}
