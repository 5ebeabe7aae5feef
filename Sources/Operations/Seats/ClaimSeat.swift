package import Billing
import Foundation
import Gateways
import Storage

extension BackOffice {
    /// Claims a seat of a group for a member (apple-2026.md, 1.7). The row is kept before the store is asked, and the member has access when the
    /// store's id of the claim is. A member who has a claim already has that one.
    ///
    /// - Returns: the claim: `.held`, or `.asked` where the store has not answered; then the queue asks on under the same identifier.
    /// - Throws: `OperationsError`: `.notFound` for a purchaser or group that there is not, `.invalid` for a member who bought the group, or
    ///   `.conflict` where the app hands out no seats there, the group does not run, no seat is left, or the store says no.
    package func claimSeat(_ request: SeatRequest, of app: App.ID, caller: Caller) async throws -> SeatClaim {
        let purchaser = try await customer(named: request.purchaser, of: app)
        let found = try await group(of: purchaser.customer, request.originalTransactionID, app: app)
        guard let server = try await seatServer(of: app, at: found.store), server.answers(in: found.environment) else {
            throw OperationsError(
                .conflict,
                "\(found.store.rawValue) cannot be asked for seats there: the app's catalogue does not say so, or has no key.",
                reason: .storeNotConnected
            )
        }
        let member: NamedCustomer
        do {
            member = try await customerOrNew(named: request.member, of: app)
        } catch let error as OperationsError {
            throw error.renamingFields { $0 == "externalId" ? "member" : $0 }
        }
        let (claim, group) = try await keep(request, member.customer, in: found.id, app, caller)
        guard claim.state == .asked else { return claim }
        do {
            let answered = try await within(Self.answerTime) { try await answer(to: claim, in: group, from: server) }
            return try answered.given()
        } catch is StoreFailure {
            return claim
        } catch is CancellationError where !Task.isCancelled {
            return claim
        }
    }

    /// - Returns: the member's open claim: the one that there was, or a new one.
    private func keep(
        _ request: SeatRequest,
        _ member: Customer.ID,
        in id: Subscription.ID,
        _ app: App.ID,
        _ caller: Caller
    ) async throws -> (SeatClaim, SeatGroup) {
        try await database.write { transaction in
            guard let group = try await transaction.seatClaims.lock(id, of: app) else { throw Self.noGroup }
            let member = try await transaction.customers.current(member)
            guard group.purchaser != member else {
                throw OperationsError(.invalid, "Whoever bought the group needs no claim.", field: "member")
            }
            try Self.requireOpen(group)
            if let known = try await transaction.seatClaims.openClaim(of: member, in: id) {
                if let account = request.appTransactionID,
                    try await transaction.seatClaims.name(known.id, as: account)
                {
                    try await transaction.jobs.enqueue(.seatGroup, for: id.uuid, of: app)
                    return (try await transaction.seatClaims.claim(known.id) ?? known, group)
                }
                return (known, group)
            }
            let claim = SeatClaim(
                id: SeatClaim.ID(transaction.newUUID()),
                subscription: id,
                member: member,
                appTransactionID: request.appTransactionID,
                requestedAt: transaction.now,
                requestedBy: caller.actor
            )
            try await transaction.seatClaims.insert(claim, in: group)
            try await transaction.audit.append(caller.entry(.claimSeat, claim, in: group))
            try await transaction.jobs.enqueue(
                .seatGroup,
                for: id.uuid,
                of: app,
                at: transaction.now.addingTimeInterval(Self.queueTakesOver)
            )
            return (claim, group)
        }
    }

    /// The group that a purchaser's seats are claimed of.
    private func group(
        of purchaser: Customer.ID,
        _ originalTransactionID: String?,
        app: App.ID
    ) async throws -> SeatGroup {
        let groups = try await database.readPrimary { try await $0.seatClaims.groups(of: purchaser, app: app) }
        if let originalTransactionID {
            guard let named = groups.first(where: { $0.originalTransactionID == originalTransactionID }) else {
                throw Self.noGroup
            }
            return named
        }
        let running = groups.filter(\.isRunning)
        guard running.count < 2 else {
            throw OperationsError(
                .invalid,
                "The purchaser has several groups: say which.",
                field: "originalTransactionId"
            )
        }
        guard let group = running.first ?? groups.first else { throw Self.noGroup }
        return group
    }

    private static func requireOpen(_ group: SeatGroup) throws(OperationsError) {
        guard group.seats.invitations == .app else { throw noGroup }
        guard group.isRunning else {
            throw OperationsError(
                .conflict,
                "The group's subscription does not run.",
                reason: .seatGroupNotRunning
            )
        }
    }

    private static var noGroup: OperationsError {
        OperationsError(.conflict, "The purchaser has no group to which the app invites.", reason: .noSeatGroup)
    }

    /// The time that a caller waits for the store.
    private static var answerTime: Duration { .seconds(10) }

    /// In seconds: a little later than that.
    private static var queueTakesOver: TimeInterval { 15 }

    /// The service that hands out a store's seats; nil where there is none, or the account lacks its keys.
    ///
    /// - Throws: `OperationsError` with `.misconfigured`.
    func seatServer(of app: App.ID, at store: Store) async throws -> (any SeatServer)? {
        guard let account = try await apps.entry(for: app)?.accounts[store], let gateway = gateways[store] else {
            return nil
        }
        do {
            return try gateway.seats(of: account)
        } catch {
            throw OperationsError(error)
        }
    }
}

extension SeatClaim {
    /// - Throws: `OperationsError` with `.conflict` where the store gave none.
    fileprivate func given() throws(OperationsError) -> SeatClaim {
        guard case .ended(_, let ending, let refusal) = state else { return self }
        switch ending {
        case .noSeats:
            throw OperationsError(.conflict, "All seats are taken: buy seats.", reason: .noSeatsLeft)
        case .refused:
            let code = refusal?.code.map { " (\($0))" } ?? ""
            throw OperationsError(
                .conflict,
                "The store gives no seat: \(refusal?.message ?? "")\(code)",
                reason: .seatRefused
            )
        case .left, .removed, .unclaimed, .missing, .surplus, .merged, .deleted: return self
        }
    }
}

extension Caller {
    /// An entry that says this caller did something about a member's seat.
    func entry(
        _ action: AuditAction,
        _ claim: SeatClaim,
        in group: SeatGroup,
        by ending: SeatClaim.Ending? = nil,
        reason: String? = nil
    ) -> AuditEntry {
        entry(
            action,
            on: "customer",
            claim.member.description,
            app: group.app,
            customer: claim.member,
            after: AuditJSON([
                ("seat", claim.id.description), ("purchaser", group.purchaser.description),
                ("originalTransactionId", group.originalTransactionID), ("endedBy", ending?.rawValue),
            ]).text,
            reason: reason
        )
    }
}
