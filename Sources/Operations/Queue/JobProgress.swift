import Gateways
package import Storage

/// The result of one step of a job.
package enum JobProgress: Sendable, Hashable {
    /// There is more to do.
    case goesOn
    /// Nothing is left to do; the job is completed.
    case finished
    /// It is not due yet; it is put back for this time, and the attempt does not count.
    case notYet(for: Duration)
    /// Another worker has the job by now, or it was cancelled; nothing was done.
    case leaseLost
}

/// Does the next step of a job. It completes the job in the transaction that does the last of it, so that both hold or neither.
package typealias JobHandler = @Sendable (LeasedJob) async throws -> JobProgress

/// The reason that a job failed, in words for people; it is retried.
package struct JobFailure: Error, CustomStringConvertible {
    package let description: String
    package let cause: Cause

    package init(_ description: String, _ cause: Cause = .own) {
        self.description = description
        self.cause = cause
    }

    /// The failure of a query to a store. Only a refusal ends the attempts.
    init(_ failure: StoreFailure) {
        self.init(failure.message, failure.refusal == nil ? .unanswered : .refused)
    }

    /// The party responsible for a failure.
    package enum Cause: Sendable, Hashable {
        /// Retried as often as the job may be.
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
    /// The time for which a worker that stopped answering keeps a job from the others.
    package static var jobLease: Duration { .seconds(30) }

    /// Completes a job of which nothing is left to do.
    func end(_ leased: LeasedJob) async throws -> JobProgress {
        try await database.write { try await $0.jobs.complete(leased.lease) } ? .finished : .leaseLost
    }

    /// The handlers of each kind of job.
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
            .acknowledgement: { try await acknowledge($0) },
            .checkout: { try await watchCheckout($0) },
            .refundPayout: { try await payRefund($0) },
            .dailyBill: { try await fetchBill($0) },
        ]
    }
}
