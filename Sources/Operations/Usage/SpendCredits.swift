import Billing
import Foundation
import Storage

extension BackOffice {
    /// Counts what the plan's limits have room for, and takes the rest from the customer's credits; all of it or nothing.
    ///
    /// - Parameter refused: thrown where the credits are not enough.
    /// - Throws: `CustomerIsMerged`.
    func spend(
        _ quantity: Int64,
        _ refused: OperationsError,
        under terms: FeatureTerms,
        for session: some VersionedCustomer,
        in transaction: WriteTransaction
    ) async throws -> UsageAnswer {
        let feature = try terms.known()
        // Of two that spend at once one waits here for the other.
        var counter = try await transaction.usageCounters.lock(
            of: session.customer,
            feature.id,
            today: terms.today
        )
        let room = min(quantity, terms.room(beside: counter))
        let before = try await transaction.credits.spendable(of: session.customer, feature.id)
        var book = before
        let short = quantity.minus(room)
        guard book.spend(short, at: transaction.now) else { throw refused }
        if room > 0 {
            let entry = UsageEntry(
                customer: session.customer,
                feature: feature.id,
                quantity: room,
                now: terms.now,
                today: terms.today,
                offlineDay: nil,
                limits: terms.access.limits
            )
            guard let counted = try await transaction.count(entry) else { throw refused }
            counter = counted
        }
        try await transaction.credits.save(book, from: before, feature.id)
        if short > 0 {
            try await transaction.credits.note(short, of: session.customer, feature.id, on: terms.today)
        }
        return UsageAnswer(
            feature: feature.code,
            quantity: quantity,
            isOffline: false,
            usage: terms.usage(counter),
            credits: SpentCredits(spent: short, left: book.left(at: transaction.now))
        )
    }
}

extension FeatureTerms {
    /// True if the plan refused a count that credits may pay for.
    func mayTakeCredits(after refused: OperationsError) -> Bool { hasCredits && refused.underlying is UsageRefusal }

    /// The quantity that the plan's limits have room for.
    fileprivate func room(beside counter: UsageCounter) -> Int64 {
        guard case .included = access else { return 0 }
        return usage(counter).tightest.map { $0.remaining ?? 0 } ?? .max
    }
}
