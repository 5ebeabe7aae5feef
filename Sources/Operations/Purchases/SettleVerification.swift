import Billing
import Foundation
import Gateways
import Storage

/// The end of a verification, or its continuation.
extension BackOffice {
    /// Ends a verification that the store has answered: its purchases are claimed for the sender of the proof.
    ///
    /// A proof that proves nothing against the present owner is rejected.
    ///
    /// - Parameters:
    ///   - taken: the result of taking the events in; failed ones are tried again. The verification stays open, unless only products that
    ///     the catalogue lacks are left: those do not hold back the others.
    ///   - isConfirmed: true if the store has confirmed the purchases that it had signed, or need not be asked.
    func settle(
        _ verification: PurchaseVerification,
        _ events: [StoreEvent],
        _ taken: TakenEvents,
        isConfirmed: Bool = true,
        askedAt: Date? = nil,
        lease: Lease? = nil
    ) async throws -> PurchaseVerification {
        try await database.write { transaction in
            let current = try await transaction.purchases.verification(verification.id)
            let worth = ProofWorth(of: current.proof.form, isConfirmed: isConfirmed)
            let claims = try await claim(events, for: current, by: worth, in: transaction)
            let settled = try await transaction.purchases.verification(verification.id)
            if taken.problem == nil, !claims.isEmpty, claims.allSatisfy({ $0 == .unproven }) {
                return try await reject(settled, because: Self.provesNothing, lease: lease, in: transaction)
            }
            let isOpen = taken.problem != nil && !taken.isSettledInPart
            if !isOpen {
                try await transaction.purchases.endProvisionalAccess(
                    of: settled.customer,
                    by: settled.id,
                    of: settled.app
                )
            }
            try await transaction.purchases.settle(
                settled.id,
                as: isOpen ? .pending : .verified,
                because: taken.problem,
                askedAt: askedAt
            )
            if taken.problem == nil {
                try await finish(lease, of: settled, in: transaction)
            } else if lease == nil {
                try await askLater(settled, in: transaction)
            }
            return try await transaction.purchases.verification(settled.id)
        }
    }

    /// Keeps a verification open while its store is away: what the signature proves gives access for a day.
    func wait(
        _ verification: PurchaseVerification,
        _ proven: ProvenPurchases,
        because problem: String
    ) async throws -> PurchaseVerification {
        try await database.write { transaction in
            let current = try await transaction.purchases.verification(verification.id)
            var end = current.provisionalUntil
            let unconfirmed = try await withoutOwned(proven.unconfirmed, for: current, in: transaction)
            if end == nil, !unconfirmed.isEmpty {
                end = try await transaction.purchases.giveProvisionalAccess(
                    to: current.customer,
                    for: unconfirmed,
                    in: proven.environment ?? .production,
                    until: transaction.now.addingTimeInterval(Self.provisionalTime),
                    by: current.id,
                    of: current.app,
                    at: current.store
                )
            }
            var isHeld = false
            if !proven.events.isEmpty {
                let worth = ProofWorth(of: current.proof.form, isConfirmed: false)
                isHeld = try await claim(proven.events, for: current, by: worth, in: transaction)
                    .contains(where: \.isGranted)
            }
            let gives = end.map { $0 > transaction.now } ?? isHeld
            try await transaction.purchases.settle(
                current.id,
                as: gives ? .provisional : .pending,
                because: problem,
                provisionalUntil: end,
                askedAt: transaction.now
            )
            return try await transaction.purchases.verification(current.id)
        }
    }

    /// Leaves out purchases that would be refused once the store has confirmed them: they give nothing before that either.
    private func withoutOwned(
        _ purchases: [StoreTransaction],
        for verification: PurchaseVerification,
        in transaction: WriteTransaction
    ) async throws -> [StoreTransaction] {
        guard !purchases.isEmpty else { return [] }
        let claims = try await forecast(
            of: purchases.map(\.originalID),
            for: verification,
            by: .proven,
            in: transaction
        )
        return purchases.filter { claims[$0.originalID]?.isGranted ?? true }
    }

    /// The problem of a proof that gives nothing.
    private static let provesNothing = "An id proves nothing by itself. Send what the store has signed, or the receipt."

    /// 24 hours (stores/apple.md, Corrections and decisions).
    private static var provisionalTime: TimeInterval { 86_400 }

    /// Ends a verification that came to nothing.
    func reject(
        _ verification: PurchaseVerification,
        because problem: String,
        lease: Lease?
    ) async throws -> PurchaseVerification {
        try await database.write { transaction in
            let current = try await transaction.purchases.verification(verification.id)
            return try await reject(current, because: problem, lease: lease, in: transaction)
        }
    }

    private func reject(
        _ verification: PurchaseVerification,
        because problem: String,
        lease: Lease?,
        in transaction: WriteTransaction
    ) async throws -> PurchaseVerification {
        try await transaction.purchases.endProvisionalAccess(
            of: verification.customer,
            by: verification.id,
            of: verification.app
        )
        try await transaction.purchases.settle(
            verification.id,
            as: .rejected,
            because: problem,
            askedAt: transaction.now
        )
        try await finish(lease, of: verification, in: transaction)
        return try await transaction.purchases.verification(verification.id)
    }

    private func askLater(_ verification: PurchaseVerification, in transaction: WriteTransaction) async throws {
        try await transaction.jobs.enqueue(
            .purchaseVerification,
            for: verification.id.uuid,
            of: verification.app,
            at: database.now.addingTimeInterval(60)
        )
    }

    /// The job that would ask has nothing to do any more.
    private func finish(
        _ lease: Lease?,
        of verification: PurchaseVerification,
        in transaction: WriteTransaction
    ) async throws {
        guard let lease else {
            return try await transaction.jobs.cancel(.purchaseVerification, for: verification.id.uuid)
        }
        guard try await transaction.jobs.complete(lease) else { throw LeaseLost() }
    }
}
