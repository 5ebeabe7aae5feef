import Gateways
package import Storage

/// What one step of a job came to.
package enum JobProgress: Sendable, Hashable {
    /// There is more to do.
    case goesOn
    /// Nothing is left to do; the job is completed.
    case finished
    /// It is not to be done yet; it is put back untried for so long.
    case notYet(for: Duration)
    /// Another worker has the job by now, or it was cancelled; nothing was done.
    case leaseLost
}

/// Does the next step of a job. It completes the job in the transaction that does the last of it, so that both hold or neither.
package typealias JobHandler = @Sendable (LeasedJob) async throws -> JobProgress

/// Why a job could not be done, in words for people; it is tried again.
package struct JobFailure: Error, CustomStringConvertible {
    package let description: String
    package let cause: Cause

    package init(_ description: String, _ cause: Cause = .own) {
        self.description = description
        self.cause = cause
    }

    /// What a store that was asked did. Only its no lets the attempts end.
    init(_ failure: StoreFailure) {
        self.init(failure.message, failure.refusal == nil ? .unanswered : .refused)
    }

    /// Whose doing it is that a job could not be done.
    package enum Cause: Sendable, Hashable {
        /// Tried again as often as the job may be.
        case own
        /// A store has not answered yet, or cannot be asked before people have seen to its key: tried for as long as it takes.
        case unanswered
        /// A store said no: it waits for people at once.
        case refused
    }
}

/// Thrown so that what a transaction did is rolled back: the work is somebody else's by now.
struct LeaseLost: Error {}

extension BackOffice {
    /// How long a worker that stopped answering keeps a job from the others.
    package static var jobLease: Duration { .seconds(30) }

    /// Completes a job of which nothing is left to do.
    func end(_ leased: LeasedJob) async throws -> JobProgress {
        try await database.write { try await $0.jobs.complete(leased.lease) } ? .finished : .leaseLost
    }

    /// What does the jobs of each kind.
    package var jobHandlers: [Job.Kind: JobHandler] {
        [
            .bulkJob: { try await workOnBulk($0) },
            .report: { try await writeDueReport($0) },
            .reconciliation: { try await reconcile($0) },
            .purchaseVerification: { try await confirmPurchase($0) },
            .consumptionAnswer: { try await answerStore($0) },
            .extensionRequest: { try await extendRenewal($0) },
            .accountToken: { try await tellAccount($0) },
            .orderJoining: { try await joinOrders($0) },
            .seatGroup: { try await settleSeats($0) },
            .signInRevocation: { try await revokeSignIn($0) },
        ]
    }
}
