package import Foundation

/// An app's policy for answering a store that asks about a refund (Apple's Send Consumption Information): ordered rules, of which the first
/// whose conditions all hold decides.
package struct ConsumptionPolicy: Hashable, Sendable {
    package var sending: Sending
    /// True if customers could try the product before they bought it.
    package var providesSamples: Bool
    package var rules: [ConsumptionRule]

    package init(sending: Sending = .deadline, providesSamples: Bool = false, rules: [ConsumptionRule] = []) {
        (self.sending, self.providesSamples, self.rules) = (sending, providesSamples, rules)
    }

    /// The time at which the rules answer a case that nobody has decided. The database and the catalogue use the raw values.
    package enum Sending: String, Hashable, Sendable, CaseIterable {
        /// As soon as the store asks.
        case automatic
        /// Shortly before the store's deadline; until then staff decide.
        case deadline
    }

    package static let longestRules = 100

    /// The time before the deadline, in seconds, at which an undecided case is answered: long enough to retry if the store does not
    /// respond.
    package static let margin: TimeInterval = 1_800

    /// The time at which an undecided case is answered.
    package func answersAt(_ dueAt: Date, askedAt: Date) -> Date {
        switch sending {
        case .automatic: askedAt
        case .deadline: dueAt.addingTimeInterval(-Self.margin)
        }
    }

    /// The first rule that holds; nil where none does.
    package func match(_ facts: ConsumptionFacts) -> ConsumptionMatch? {
        rules.enumerated().first { $1.holds(for: facts) }.map {
            ConsumptionMatch(position: $0 + 1, rule: $1)  // safe: an index of an array
        }
    }
}

/// One rule: conditions that all have to hold, and the answer. A condition that is not set holds always; one about something that
/// is not known does not hold.
package struct ConsumptionRule: Hashable, Sendable {
    package var name: String
    /// The code of the plan that was bought.
    package var plan: String?
    /// Whole days since the purchase.
    package var ageInDays: Bounds
    /// The number of the customer's other orders refunded within two years.
    package var refunds: Bounds
    /// The share of the paid period that has passed, in whole percent.
    package var usedPercent: Bounds
    package var answer: RefundPreference
    /// Of a purchase that does not renew: the consumed share, in thousandths of a percent.
    package var consumptionPercentage: Int?

    package init(
        name: String,
        plan: String? = nil,
        ageInDays: Bounds = Bounds(),
        refunds: Bounds = Bounds(),
        usedPercent: Bounds = Bounds(),
        answer: RefundPreference,
        consumptionPercentage: Int? = nil
    ) {
        self.name = name
        self.plan = plan
        self.ageInDays = ageInDays
        self.refunds = refunds
        self.usedPercent = usedPercent
        self.answer = answer
        self.consumptionPercentage = consumptionPercentage
    }

    /// Both ends belong to it.
    package struct Bounds: Hashable, Sendable {
        package var from: Int?
        package var to: Int?

        package init(from: Int? = nil, to: Int? = nil) {
            (self.from, self.to) = (from, to)
        }

        func contains(_ value: Int?) -> Bool {
            guard from != nil || to != nil else { return true }
            guard let value else { return false }
            return from.map { $0 <= value } ?? true && to.map { value <= $0 } ?? true
        }
    }

    func holds(for facts: ConsumptionFacts) -> Bool {
        (plan == nil || plan == facts.plan) && ageInDays.contains(facts.ageInDays) && refunds.contains(facts.refunds)
            && usedPercent.contains(facts.usedPercent)
    }
}

/// A rule that decided, with its place among the others, from 1.
package struct ConsumptionMatch: Hashable, Sendable {
    package var position: Int
    package var rule: ConsumptionRule

    package init(position: Int, rule: ConsumptionRule) {
        (self.position, self.rule) = (position, rule)
    }
}

/// The facts about a purchase that the rules look at.
package struct ConsumptionFacts: Hashable, Sendable {
    package var plan: String
    package var ageInDays: Int
    package var refunds: Int
    /// nil for a purchase that does not run for a time.
    package var usedPercent: Int?
    /// True if the store renews it: then it takes no consumption percentage.
    package var isRenewing: Bool

    package init(plan: String, ageInDays: Int, refunds: Int, usedPercent: Int?, isRenewing: Bool) {
        self.plan = plan
        self.ageInDays = ageInDays
        self.refunds = refunds
        self.usedPercent = usedPercent
        self.isRenewing = isRenewing
    }

    /// - Parameters:
    ///   - refunds: the number of the customer's other orders refunded within two years.
    ///   - end: nil for a purchase that does not run for a time.
    ///   - isSuperseded: true if an upgrade replaced it: its rest was then credited, and all that is left of it is used.
    package init(
        plan: String,
        purchasedAt: Date,
        refunds: Int,
        from start: Date,
        to end: Date?,
        isSuperseded: Bool = false,
        isRenewing: Bool,
        at now: Date
    ) {
        var used: Int? = isSuperseded ? 100 : nil
        if !isSuperseded, let end, end > start {
            let share = now.timeIntervalSince(start) / end.timeIntervalSince(start)
            used = min(100, max(0, Int(bounding: (share * 100).rounded(.down))))
        }
        self.init(
            plan: plan,
            ageInDays: max(0, Int(bounding: (now.timeIntervalSince(purchasedAt) / 86_400).rounded(.down))),
            refunds: refunds,
            usedPercent: used,
            isRenewing: isRenewing
        )
    }

    /// The consumed share, as Apple defines it: never of an automatically renewing purchase (error 4000209), and more than nothing and less
    /// than all with `GRANT_PRORATED`.
    ///
    /// - Parameter rule: the share that a rule names.
    /// - Returns: nil where no share is to be sent.
    /// - Throws: `RefundRefused` with `.noPeriod` where a share has to be sent and is not known.
    package func percentage(with answer: RefundPreference, rule: Int?) throws(RefundRefused) -> Int? {
        guard !isRenewing else { return nil }
        let known = rule ?? usedPercent.map { $0 * 1_000 }  // safe: at most 100,000
        guard answer == .grantProrated else { return known }
        guard let known else {
            throw RefundRefused(
                .noPeriod,
                "A share can be refunded of a purchase that does not renew only where it is known how much was consumed."
            )
        }
        return min(99_999, max(1, known))
    }
}
