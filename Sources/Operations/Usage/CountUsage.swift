package import Billing
package import Foundation
package import Storage

extension BackOffice {
    /// The quantities that one call can count.
    package static let usageQuantities: ClosedRange<Int64> = 1...1_000_000
    /// The longest delay, in seconds, for reporting usage: a month and the length of a journey.
    package static let longestUsageDelay: TimeInterval = 40 * 86_400
    /// The time, in seconds, by which an app's clock may be ahead.
    package static let clockTolerance: TimeInterval = 300

    /// Counts a customer's use of a feature against the limits of their plan, all of it or nothing. What the limits have no room for is
    /// taken from the customer's credits, where these are enough.
    ///
    /// - Parameters:
    ///   - feature: its code.
    ///   - occurredAt: the time of offline usage: neither plan nor limit stops it any more, and it counts in the windows in which it
    ///     happened. nil for now.
    ///   - key: the idempotency key; nil for a caller that does not repeat.
    /// - Throws: `OperationsError`: `.invalid` for a quantity or a time out of range and for a key that was used for something else,
    ///   `.notFound` for a feature that the app does not have; for a `UsageRefusal`, which it carries, `.forbidden` or, if waiting helps,
    ///   `.blocked`. A refused call leaves its key unused.
    package func count(
        _ feature: String,
        quantity: Int64 = 1,
        occurredAt: Date? = nil,
        key: IdempotencyKey? = nil,
        for session: some VersionedCustomer
    ) async throws -> UsageAnswer {
        var problems = FieldProblems()
        problems.check(quantity, within: Self.usageQuantities, field: "quantity")
        if let occurredAt { problems.check(occurredAt, at: database.now) }
        try problems.check()
        return try await followingMerges(of: session, key) { session, key in
            let terms = try await terms(of: feature, for: session)
            return try await notingLimits(of: terms, for: session) {
                guard let key else {
                    do {
                        return try await count(quantity, occurredAt, under: terms, for: session, in: .alone(self))
                    } catch let refused as OperationsError where terms.mayTakeCredits(after: refused) {
                        return try await database.write { transaction in
                            try await spend(quantity, refused, under: terms, for: session, in: transaction)
                        }
                    }
                }
                return try await database.write { transaction in
                    try await transaction.answerOnce(key) {
                        do {
                            return try await count(
                                quantity,
                                occurredAt,
                                under: terms,
                                for: session,
                                in: .within(transaction)
                            )
                        } catch let refused as OperationsError where terms.mayTakeCredits(after: refused) {
                            return try await spend(quantity, refused, under: terms, for: session, in: transaction)
                        }
                    }
                }
            }
        }
    }

    /// Runs what counts, and notes where a limit refused it: after a lower plan or limit nothing else tells that the customer is near it.
    func notingLimits<Value>(
        of terms: FeatureTerms,
        for session: some VersionedCustomer,
        _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch let error as OperationsError {
            if case .limitReached(_, let reached)? = error.underlying as? UsageRefusal, let feature = terms.feature {
                try await database.noteLimitReached(
                    reached.window,
                    by: session.customer,
                    feature.id,
                    today: terms.today
                )
            }
            throw error
        }
    }

    private func count(
        _ quantity: Int64,
        _ occurredAt: Date?,
        under terms: FeatureTerms,
        for session: some VersionedCustomer,
        in tally: UsageTally
    ) async throws -> UsageAnswer {
        let feature = try occurredAt == nil ? terms.included() : terms.known()
        let entry = UsageEntry(
            customer: session.customer,
            feature: feature.id,
            quantity: quantity,
            now: terms.now,
            today: terms.today,
            offlineDay: occurredAt.map { BusinessDay(min($0, terms.now), in: terms.zone) },
            limits: terms.access.limits
        )
        let counter = try await tally.count(entry, under: terms)
        return UsageAnswer(
            feature: feature.code,
            quantity: quantity,
            isOffline: occurredAt != nil,
            usage: terms.usage(counter)
        )
    }
}

extension FieldProblems {
    /// Notes a number that is out of range.
    mutating func check(_ number: Int64, within range: ClosedRange<Int64>, field: String) {
        if number < range.lowerBound {
            add(FieldProblem(field, .tooSmall("\(range.lowerBound)")))
        } else if number > range.upperBound {
            add(FieldProblem(field, .tooLarge("\(range.upperBound)")))
        }
    }

    /// Notes a time at which nothing that is told now can have happened.
    fileprivate mutating func check(_ occurredAt: Date, at now: Date) {
        let age = now.timeIntervalSince(occurredAt)
        if age > BackOffice.longestUsageDelay {
            add(FieldProblem("occurredAt", .tooLongAgo(days: 40)))
        } else if age < -BackOffice.clockTolerance {
            add(FieldProblem("occurredAt", .inFuture))
        }
    }
}
