package import Billing
package import Foundation
package import Storage

extension BackOffice {
    /// How much is counted at once.
    package static let usageQuantities: ClosedRange<Int64> = 1...1_000_000
    /// How late it may be told what was used, in seconds: a month and what a journey takes.
    package static let longestUsageDelay: TimeInterval = 40 * 86_400
    /// How far an app's clock may be ahead, in seconds.
    package static let clockTolerance: TimeInterval = 300

    /// Counts what a customer uses of a feature against the limits of their plan, all of it or nothing.
    ///
    /// - Parameters:
    ///   - feature: its code.
    ///   - occurredAt: when it happened, for what was counted offline: neither plan nor limit holds it any more, and it counts in the
    ///     windows in which it happened. nil for now.
    ///   - key: under which it is counted once, and answered alike; nil for who does not repeat.
    /// - Throws: `OperationsError`: `.invalid` for a quantity or a time out of range and for a key that was used for something else,
    ///   `.notFound` for a feature that the app has not, and for a `UsageRefusal`, which it carries, `.forbidden` or, where a wait
    ///   helps, `.blocked`. What is refused leaves its key unused.
    package func count(
        _ feature: String,
        quantity: Int64 = 1,
        occurredAt: Date? = nil,
        key: IdempotencyKey? = nil,
        for session: CustomerSession
    ) async throws -> UsageAnswer {
        let now = database.now
        try Self.check(quantity, occurredAt, at: now)
        let use = FeatureUse(code: feature, quantity: quantity, occurredAt: occurredAt.map { min($0, now) }, at: now)
        let terms = try await terms(of: use, for: session)
        guard let key else {
            return try await answer(use, terms, for: session) { entry in
                try await database.count(entry)
            } reading: { feature in
                try await database.readPrimary { try await $0.usage.counter(of: session.customer, feature) }
            }
        }
        return try await database.write { transaction in
            if let earlier = try await transaction.idempotencyKeys.takeAnswered(key) {
                guard earlier.fingerprint == key.fingerprint else {
                    throw OperationsError(.invalid, "This key was used for another request.", field: "key")
                }
                return try JSONDecoder().decode(UsageAnswer.self, from: Data(earlier.answer.utf8))
            }
            let answer = try await answer(use, terms, for: session) { entry in
                try await transaction.count(entry)
            } reading: { feature in
                try await transaction.usageCounter(of: session.customer, feature)
            }
            let text = String(decoding: try JSONEncoder().encode(answer), as: UTF8.self)
            try await transaction.idempotencyKeys.finish(key, answer: text)
            return answer
        }
    }

    private static func check(_ quantity: Int64, _ occurredAt: Date?, at now: Date) throws(OperationsError) {
        var problems = FieldProblems()
        if quantity < usageQuantities.lowerBound {
            problems.add(FieldProblem("quantity", .tooSmall("\(usageQuantities.lowerBound)")))
        } else if quantity > usageQuantities.upperBound {
            problems.add(FieldProblem("quantity", .tooLarge("\(usageQuantities.upperBound)")))
        }
        if let occurredAt {
            let age = now.timeIntervalSince(occurredAt)
            if age > longestUsageDelay {
                problems.add(FieldProblem("occurredAt", .other("This is more than 40 days ago.")))
            } else if age < -clockTolerance {
                problems.add(FieldProblem("occurredAt", .other("This is in the future.")))
            }
        }
        try problems.check()
    }

    /// The customer's plan and the feature, as they are before anything is counted.
    private func terms(of use: FeatureUse, for session: CustomerSession) async throws -> FeatureTerms {
        guard let zone = try await apps.entry(for: session.app)?.timeZone else {
            throw OperationsError(.notFound, "There is no such app.", field: "app")
        }
        return try await database.readPrimary { reader in
            let feature = try await reader.usage.feature(use.code, of: session.app)
            let held = try await reader.entitlementSources.current(of: session.customer, app: session.app)
            let plan = held.sources.entitlement(at: use.now)?.plan.code ?? held.basePlan
            return FeatureTerms(zone: zone, feature: feature, limits: feature?.limits(of: plan))
        }
    }

    private func answer(
        _ use: FeatureUse,
        _ terms: FeatureTerms,
        for session: CustomerSession,
        counting count: (UsageEntry) async throws -> UsageCounter?,
        reading read: (CountedFeature.ID) async throws -> UsageCounter?
    ) async throws -> UsageAnswer {
        let feature = try terms.counted(use)
        let today = BusinessDay(use.now, in: terms.zone)
        let limits = terms.limits ?? .none
        let entry = UsageEntry(
            customer: session.customer,
            feature: feature.id,
            quantity: use.quantity,
            today: today,
            offlineDay: use.occurredAt.map { BusinessDay($0, in: terms.zone) },
            limits: limits
        )
        func usage(_ counter: UsageCounter?) -> UsageByWindow {
            UsageByWindow(counter, limits: limits, on: today, in: terms.zone)
        }
        // What was full when it was counted may not be any more when it is read: another server's day has begun.
        for _ in 0..<Self.mostCounts {
            if let counter = try await count(entry) {
                return UsageAnswer(
                    feature: feature.code,
                    quantity: use.quantity,
                    isOffline: use.occurredAt != nil,
                    usage: usage(counter)
                )
            }
            let counter = try await read(feature.id)
            if let window = usage(counter).reached(by: use.quantity) {
                throw UsageRefusal.limitReached(feature: feature.code, window).error(at: use.now)
            }
        }
        throw OperationsError(.overloaded, "The usage could not be counted just now.", retryAfter: 1)
    }

    private static let mostCounts = 3
}

/// What is to be counted.
private struct FeatureUse {
    var code: String
    var quantity: Int64
    /// nil for now.
    var occurredAt: Date?
    var now: Date

    init(code: String, quantity: Int64, occurredAt: Date?, at now: Date) {
        (self.code, self.quantity, self.occurredAt, self.now) = (code, quantity, occurredAt, now)
    }
}

/// What it is counted against.
private struct FeatureTerms {
    var zone: TimeZone
    /// nil where the app has none of this code.
    var feature: CountedFeature?
    /// nil where the customer's plan does not include it.
    var limits: UsageLimits?

    /// - Throws: `OperationsError` where it cannot be counted at all.
    func counted(_ use: FeatureUse) throws -> CountedFeature {
        guard let feature else { throw OperationsError(.notFound, "There is no such feature.") }
        if limits == nil, use.occurredAt == nil {
            throw UsageRefusal.tierRequired(feature: feature.code, plan: feature.requiredPlan).error(at: use.now)
        }
        return feature
    }
}

extension UsageRefusal {
    fileprivate func error(at now: Date) -> OperationsError {
        let retryAfter = retryAfter(at: now)
        return OperationsError(
            retryAfter == nil ? .forbidden : .blocked,
            sentence,
            retryAfter: retryAfter,
            underlying: self
        )
    }

    private var sentence: String {
        switch self {
        case .tierRequired(_, let plan?): "The customer's plan does not include this feature; \(plan) does."
        case .tierRequired(_, nil): "No plan includes this feature."
        case .limitReached(_, let reached):
            switch reached.window {
            case .day: "The plan's limit for a day is reached. Nothing was counted."
            case .month: "The plan's limit for a month is reached. Nothing was counted."
            case .lifetime: "The plan's limit is reached. Nothing was counted."
            }
        }
    }
}
