import Billing
import Foundation
import Operations

extension CatalogFile {
    /// The answers to stores that ask about a refund, after every field was checked.
    func checked(_ section: Consumption) throws -> ConsumptionPolicy {
        var policy = ConsumptionPolicy()
        if let word = section.sending {
            guard let sending = ConsumptionPolicy.Sending(rawValue: word) else {
                throw invalid("consumption.sending", "is automatic or deadline")
            }
            policy.sending = sending
        }
        policy.providesSamples = section.providesSamples ?? false
        let rules = section.rules ?? []
        guard rules.count <= ConsumptionPolicy.longestRules else {
            throw invalid("consumption.rules", "has at most \(ConsumptionPolicy.longestRules) rules")
        }
        policy.rules = try rules.enumerated().map { try checked($1, "consumption.rules[\($0)]") }
        return policy
    }

    private func checked(_ rule: Consumption.Rule, _ path: String) throws -> ConsumptionRule {
        if let plan = rule.plan, !plans.contains(where: { $0.code == plan }) {
            throw invalid("\(path).plan", "is none of the plans above: \(plan)")
        }
        guard let answer = RefundPreference(rawValue: rule.answer) else {
            let words = RefundPreference.allCases.map(\.rawValue).joined(separator: ", ")
            throw invalid("\(path).answer", "is one of \(words)")
        }
        let share = try rule.consumptionPercent.map { try milliPercent($0, "\(path).consumptionPercent") }
        if answer == .grantProrated, let share, !(1..<100_000).contains(share) {
            throw invalid(
                "\(path).consumptionPercent",
                "is above 0 and below 100 with GRANT_PRORATED: of nothing and of all there is no share to refund"
            )
        }
        return ConsumptionRule(
            name: try text(rule.name, "\(path).name"),
            plan: rule.plan,
            ageInDays: try checked(rule.ageInDays, 0...36_500, "\(path).ageInDays"),
            refunds: try checked(rule.refunds, 0...1_000_000, "\(path).refunds"),
            usedPercent: try checked(rule.usedPercent, 0...100, "\(path).usedPercent"),
            answer: answer,
            consumptionPercentage: share
        )
    }

    private func checked(
        _ bounds: Consumption.Bounds?,
        _ possible: ClosedRange<Int>,
        _ path: String
    ) throws -> ConsumptionRule.Bounds {
        guard let bounds else { return ConsumptionRule.Bounds() }
        guard bounds.from != nil || bounds.to != nil else { throw invalid(path, "says from, to, or both") }
        let from = try bounds.from.map { try number($0, possible, "\(path).from") }
        let to = try bounds.to.map { try number($0, possible, "\(path).to") }
        if let from, let to, from > to { throw invalid(path, "begins after it ends: from \(from) to \(to)") }
        return ConsumptionRule.Bounds(from: from, to: to)
    }

    /// "40" is 40000, "0.5" is 500.
    private func milliPercent(_ text: String, _ path: String) throws -> Int {
        guard let match = text.wholeMatch(of: /([0-9]{1,3})(?:\.([0-9]{1,3}))?/), let whole = Int(match.1),
            let parts = Int((match.2.map(String.init) ?? "").padding(toLength: 3, withPad: "0", startingAt: 0)),
            whole * 1_000 + parts <= 100_000
        else { throw invalid(path, "is a percentage from 0 to 100 with at most three decimals, such as 40 or 0.5") }
        return whole * 1_000 + parts
    }
}
