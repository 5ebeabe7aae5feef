import Billing
import Foundation
import Gateways
import Storage

extension BackOffice {
    /// Asks a store for a seat, and keeps what it said.
    ///
    /// - Returns: the claim as it is then: held, or ended where the store said no.
    /// - Throws: `StoreFailure` for what is not known yet: it is asked again under the same identifier.
    func answer(to claim: SeatClaim, in group: SeatGroup, from server: any SeatServer) async throws -> SeatClaim {
        let id: String
        do throws(StoreFailure) {
            id = try await server.claim(
                claim.id.uuid,
                of: group.originalTransactionID,
                // Of one that has ended the store's id is asked for alone, to be freed.
                for: claim.isOpen ? claim.appTransactionID : nil,
                in: group.environment
            )
        } catch {
            if let refusal = error.refusal {
                return try await refused(claim, by: .refused, code: refusal.code, error.message)
            }
            guard !error.isAway, try await isFull(group, by: server) else { throw error }
            return try await refused(claim, by: .noSeats, code: nil, error.message)
        }
        return try await kept(claim) { try await $0.seatClaims.keep(id, of: claim.id) }
    }

    /// Tells a store what it is to be told of a claim.
    ///
    /// - Throws: `StoreFailure` for what is not known yet.
    func tell(_ server: any SeatServer, of claim: SeatClaim, in group: SeatGroup) async throws {
        if claim.isToBeFreed { try await free(claim, in: group, at: server) }
        guard claim.isToBeNamed, claim.isOpen, let storeID = claim.storeClaimID, let account = claim.appTransactionID
        else { return }
        do throws(StoreFailure) {
            try await server.associate(
                storeID,
                of: group.originalTransactionID,
                with: account,
                in: group.environment
            )
        } catch {
            // What the store will never take is not told again; the seat is the member's all the same.
            guard error.refusal != nil else { throw error }
        }
        try await database.write { try await $0.seatClaims.noteNamed(claim.id, as: account) }
    }

    private func free(_ claim: SeatClaim, in group: SeatGroup, at server: any SeatServer) async throws {
        var claim = claim
        if claim.storeClaimID == nil {
            // It ended before the store had answered, which may have given the seat: the same identifier tells.
            claim = try await answer(to: claim, in: group, from: server)
        }
        if let storeID = claim.storeClaimID {
            do throws(StoreFailure) {
                try await server.unclaim(storeID, of: group.originalTransactionID, in: group.environment)
            } catch  where error.refusal != nil {
                // Nothing of it is there to be freed.
            } catch {
                guard !error.isAway else { throw error }
                // Apple has no number for a claim that it does not have: its list says whether it has it.
                let listed = try await server.seats(of: group.originalTransactionID, in: group.environment).claimIDs
                guard !listed.contains(where: { $0.lowercased() == storeID.lowercased() }) else { throw error }
            }
        }
        try await database.write { try await $0.seatClaims.noteFreed(claim.id) }
    }

    /// True if the store's own list says that no seat is left, and names nobody whom we do not know: else the seat may have been given to the
    /// claim whose answer we lack.
    private func isFull(_ group: SeatGroup, by server: any SeatServer) async throws -> Bool {
        let seats: StoreSeats
        do throws(StoreFailure) {
            seats = try await server.seats(of: group.originalTransactionID, in: group.environment)
        } catch {
            return false
        }
        guard seats.available <= 0 else { return false }
        let listed = seats.claimIDs.map { $0.lowercased() }
        let known = try await database.readPrimary { try await $0.seatClaims.known(listed, of: group.id) }
        return listed.allSatisfy(known.contains)
    }

    private func refused(
        _ claim: SeatClaim,
        by ending: SeatClaim.Ending,
        code: Int64?,
        _ message: String
    ) async throws -> SeatClaim {
        try await kept(claim) { transaction in
            try await transaction.seatClaims.end(
                [claim.id],
                by: ending,
                refusal: SeatClaim.Refusal(code: code, message: message)
            )
            // One that had ended before has no seat to be freed.
            try await transaction.seatClaims.noteFreed(claim.id)
        }
    }

    private func kept(
        _ claim: SeatClaim,
        _ keep: (WriteTransaction) async throws -> Void
    ) async throws -> SeatClaim {
        try await database.write { transaction in
            try await keep(transaction)
            return try await transaction.seatClaims.claim(claim.id) ?? claim
        }
    }
}
