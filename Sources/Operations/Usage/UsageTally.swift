import Billing
import Foundation
import Storage

/// The place where usage is counted: each statement for itself, or all in one transaction.
enum UsageTally: Sendable {
    case alone(BackOffice)
    case within(WriteTransaction)

    /// Counts it, after releasing expired reservations.
    ///
    /// - Throws: `OperationsError` with a `UsageRefusal` if a limit has no room for it.
    func count(_ entry: UsageEntry, under terms: FeatureTerms) async throws -> UsageCounter {
        for _ in 0..<Self.mostCounts {
            if let counter = try await counted(entry) { return counter }
            if try await expireReservations(of: entry) { continue }
            // A window that was full at the count may no longer be full at the read: on another server the next day has begun.
            let counter = try await counter(of: entry)
            if let window = terms.usage(counter).reached(by: entry.quantity) {
                let code = terms.feature?.code ?? ""
                throw UsageRefusal.limitReached(feature: code, window).error(at: terms.now)
            }
        }
        throw OperationsError(.overloaded, "The usage could not be counted just now.", retryAfter: 1)
    }

    private static let mostCounts = 5

    private func counted(_ entry: UsageEntry) async throws -> UsageCounter? {
        switch self {
        case .alone(let backOffice): try await backOffice.usageCounts.count(entry)
        case .within(let transaction): try await transaction.count(entry)
        }
    }

    private func counter(of entry: UsageEntry) async throws -> UsageCounter? {
        switch self {
        case .alone(let backOffice):
            try await backOffice.database.readPrimary { try await $0.usage.counter(of: entry.customer, entry.feature) }
        case .within(let transaction): try await transaction.usageCounter(of: entry.customer, entry.feature)
        }
    }

    /// - Returns: true if anything was released.
    private func expireReservations(of entry: UsageEntry) async throws -> Bool {
        switch self {
        case .alone(let backOffice):
            let any = try await backOffice.database.readPrimary { reader in
                try await reader.usage.hasExpiredReservations(of: entry.customer)
            }
            guard any else { return false }
            return try await backOffice.database.write { transaction in
                try await transaction.usageReservations.expire(of: entry.customer, entry.feature) > 0
            }
        case .within(let transaction):
            return try await transaction.usageReservations.expire(of: entry.customer, entry.feature) > 0
        }
    }
}

extension WriteTransaction {
    /// The answer of `body`, once per idempotency key: a repeated key returns the first answer.
    ///
    /// - Throws: `OperationsError` with `.invalid` and the field `key` if it was used for another request; the errors of `body`, after
    ///   which the key is as unused as before.
    func answerOnce<Answer: Codable>(
        _ key: IdempotencyKey,
        _ body: () async throws -> Answer
    ) async throws -> Answer {
        if let earlier = try await idempotencyKeys.takeAnswered(key) {
            guard earlier.fingerprint == key.fingerprint else {
                throw OperationsError(
                    .invalid,
                    "This key was used for another request.",
                    field: "key",
                    reason: .idempotencyKeyReused
                )
            }
            return try JSONDecoder().decode(Answer.self, from: Data(earlier.answer.utf8))
        }
        let answer = try await body()
        let text = String(decoding: try JSONEncoder().encode(answer), as: UTF8.self)
        try await idempotencyKeys.finish(key, answer: text)
        return answer
    }
}
