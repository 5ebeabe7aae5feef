package import Billing
import Foundation
import Gateways
import Storage

extension BackOffice {
    /// Brings a group and its store together: what was asked for and not answered is asked again under its identifier, what has ended here is
    /// freed there, whose a seat is is told, and the store's list is held against ours (apple-2026.md, 1.7). One claim that the store does not
    /// answer keeps none of the others: it is asked about again later, and later each time (`SeatClaim.Wait`).
    func settleSeats(_ leased: LeasedJob) async throws -> JobProgress {
        let id = Subscription.ID(leased.subject)
        let found = try await database.readPrimary { try await $0.seatClaims.group(id, of: leased.app) }
        guard let group = found, let server = try await seatServer(of: leased.app, at: group.store),
            server.answers(in: group.environment)
        else {
            return try await end(leased)
        }
        var (place, next): (SeatClaim.ID?, Date?)
        while true {
            let after = place
            let claims = try await database.readPrimary { try await $0.seatClaims.claimsToTell(of: id, after: after) }
            guard let last = claims.last else { break }
            for claim in claims {
                guard let until = try await settle(claim, in: group, at: server) else { continue }
                next = min(next ?? until, until)
            }
            place = last.id
        }
        if try await compare(group, at: server) { return .goesOn }
        guard let next else { return try await end(leased) }
        return .notYet(for: .seconds(max(1, next.timeIntervalSince(database.now))))
    }

    /// Asks the store for a claim's seat, and tells it what it is to be told of the claim, unless that has been done in vain a moment ago.
    ///
    /// - Returns: when it is to be done again; nil where the store has answered.
    /// - Throws: `JobFailure` where the store is away, or cannot be asked: then the others need not be tried.
    private func settle(_ claim: SeatClaim, in group: SeatGroup, at server: any SeatServer) async throws -> Date? {
        if let wait = claim.wait, wait.until > database.now { return wait.until }
        do {
            let known = claim.state == .asked ? try await answer(to: claim, in: group, from: server) : claim
            try await tell(server, of: known, in: group)
            return nil
        } catch let error as StoreFailure {
            guard case .unanswered = error, !error.isAway else { throw JobFailure(error) }
            return try await database.write { transaction in
                let wait = SeatClaim.Wait(after: claim.wait, at: transaction.now, words: error.message)
                try await transaction.seatClaims.note(wait, of: claim.id)
                return wait.until
            }
        }
    }

    /// - Returns: whether the store is to be told of something that follows.
    private func compare(_ group: SeatGroup, at server: any SeatServer) async throws -> Bool {
        // Servers' clocks differ by a little.
        let askedAt = database.now.addingTimeInterval(-60)
        let seats: StoreSeats
        do throws(StoreFailure) {
            seats = try await server.seats(of: group.originalTransactionID, in: group.environment)
        } catch {
            throw JobFailure(error)
        }
        return try await database.write { transaction in
            guard let group = try await transaction.seatClaims.lock(group.id, of: group.app) else { return false }
            let listed = seats.claimIDs.map { $0.lowercased() }
            let claims = try await transaction.seatClaims.claimsToCompare(of: group.id, with: listed)
            let comparison = SeatComparison(of: claims, seats, askedAt: askedAt)
            let ends: [(SeatClaim.Ending, [SeatClaim.ID])] = [
                (.missing, comparison.missing), (.surplus, comparison.surplus),
                // The customer who bought the group meanwhile needs no claim.
                (.merged, claims.filter { $0.isOpen && $0.member == group.purchaser }.map(\.id)),
            ]
            let clock = Caller(.clock(for: nil), actor: "perennial")
            var isToBeTold = false
            for (ending, ids) in ends {
                let ended = Set(try await transaction.seatClaims.end(ids, by: ending))
                for claim in claims where ended.contains(claim.id) {
                    try await transaction.audit.append(clock.entry(.endSeat, claim, in: group, by: ending))
                    isToBeTold = isToBeTold || ending.isToBeTold
                }
            }
            if let unknown = comparison.unknown { try await transaction.seatClaims.note(unknown: unknown, in: group) }
            try await transaction.seatClaims.noteCompared(group.id)
            return isToBeTold
        }
    }

    /// Has the groups compared of which that was not done for a day.
    ///
    /// - Returns: how many.
    @discardableResult
    package func scheduleSeatComparisons(of app: App.ID) async throws -> Int {
        var scheduled = 0
        for group in try await database.readPrimary({ try await $0.seatClaims.dueGroups(of: app) }) {
            guard let server = try await seatServer(of: app, at: group.store), server.answers(in: group.environment)
            else { continue }
            try await database.write { try await $0.jobs.enqueueUnlessThere(.seatGroup, for: group.id.uuid, of: app) }
            scheduled += 1  // safe: a thousand at most
        }
        return scheduled
    }
}

extension SeatComparison {
    fileprivate init(of claims: [SeatClaim], _ seats: StoreSeats, askedAt: Date) {
        // While one is left, nobody has one too many, however the store counts the purchaser's own.
        self.init(
            of: claims,
            total: seats.available > 0 ? .max : seats.total,
            listed: seats.claimIDs,
            askedAt: askedAt
        )
    }
}
