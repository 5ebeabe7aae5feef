package import Billing
package import Foundation
package import Storage

/// A command of staff about one limit of a customer.
package enum UsageCommand: Hashable, Sendable {
    /// Raises their limit in each window by this amount, until then; nil for without end. It replaces an earlier increase.
    case raise(by: Int64, until: Date?)
    /// Removes such an increase.
    case restore
    /// Starts the current window anew, with the shorter ones in it. The daily counts stay.
    case reset

    fileprivate var auditAction: AuditAction {
        switch self {
        case .raise: .raiseUsageLimit
        case .restore: .restoreUsageLimit
        case .reset: .resetUsage
        }
    }
}

extension BackOffice {
    /// The longest increase of a limit, in seconds: ten years.
    package static let longestIncrease: TimeInterval = 3_650 * 86_400

    /// Runs a command about a limit of one customer, in one transaction, with one audit entry.
    ///
    /// - Parameters:
    ///   - feature: its code.
    ///   - key: the command runs once under it.
    /// - Returns: the outcome, whose result is the customer's id.
    /// - Throws: `OperationsError`: `.forbidden`, `.notFound` where the app has no such customer, `.invalid` for the fields `feature`,
    ///   `window`, `amount` and `until`, and `.conflict` where there is nothing to restore or to reset.
    package func change(
        _ feature: String,
        _ window: UsageWindow,
        _ command: UsageCommand,
        of customer: Customer.ID,
        app: App.ID,
        reason: Reason,
        key: IdempotencyKey?,
        caller: Caller
    ) async throws -> ActionOutcome {
        guard caller.may(.giveAccess) else { throw OperationsError(.forbidden, "Your role may not do this.") }
        guard let known = try await database.readPrimary({ try await $0.customer(customer, of: app) }) else {
            throw Self.noSuchCustomer
        }
        let terms = try await terms(of: feature, for: known)
        let policy = try await database.readPrimary { try await $0.entitlementSources.settings(of: app) }
        let days = caller.role == .support ? policy?.supportGrantLimitDays : nil
        let id = try command.check(window, under: terms, within: days)
        return try await runOnce(key) { transaction in
            guard try await transaction.consents.lock(customer, of: app) else { throw Self.noSuchCustomer }
            let writes = transaction.usageCounters
            let before = try await writes.lock(of: customer, id, today: terms.today)
            switch command {
            case .raise(let amount, let until):
                let increase = LimitIncrease(amount: amount, until: until)
                try await writes.save(increase, of: window, for: customer, id, today: terms.today)
            case .restore:
                guard before.increases.current(window, at: terms.now) != nil else {
                    throw OperationsError(.conflict, "This limit is not raised.")
                }
                try await writes.save(nil, of: window, for: customer, id, today: terms.today)
            case .reset:
                guard before.used(in: window, on: terms.today) > 0 else {
                    throw OperationsError(.conflict, "Nothing is counted in this window.")
                }
                try await writes.reset(window, before, of: customer, id)
            }
            let after = try await transaction.usageCounter(of: customer, id) ?? before
            let entry = try await transaction.audit.append(
                caller.entry(
                    command.auditAction,
                    on: "customer",
                    customer.description,
                    app: app,
                    customer: customer,
                    before: terms.auditText(of: before, window),
                    after: terms.auditText(of: after, window),
                    reason: reason.forAudit
                )
            )
            return (entry, customer.description)
        }
    }

    private static var noSuchCustomer: OperationsError {
        OperationsError(.notFound, "The app has no such customer.")
    }
}

extension UsageCommand {
    /// - Parameter days: the number of days ahead that the caller may grant; nil without a limit.
    /// - Returns: the feature.
    fileprivate func check(
        _ window: UsageWindow,
        under terms: FeatureTerms,
        within days: Int?
    ) throws -> FeatureRecord.ID {
        var problems = FieldProblems()
        if terms.feature == nil { problems.add(FieldProblem("feature", .unknownChoice)) }
        switch self {
        case .raise(let amount, let until):
            problems.check(amount, within: FeatureLimits.possible, field: "amount")
            check(until, under: terms, within: days, &problems)
            if terms.feature != nil, terms.access.limits[window] == nil {
                problems.add(FieldProblem("window", .other("The customer's plan has no such limit to raise.")))
            }
        case .restore: break
        case .reset:
            if days != nil, window == .lifetime {
                problems.add(FieldProblem("window", .other("An admin can reset what never begins again by itself.")))
            }
        }
        try problems.check()
        guard let id = terms.feature?.id else { throw problems.error }
        return id
    }

    private func check(_ until: Date?, under terms: FeatureTerms, within days: Int?, _ problems: inout FieldProblems) {
        let now = terms.now
        guard let until else {
            if days != nil { problems.add(FieldProblem("until", .missing)) }
            return
        }
        if until <= now || until > now.addingTimeInterval(BackOffice.longestIncrease) {
            problems.add(FieldProblem("until", .rule(.endOutOfRange)))
        } else if let days {
            // Up to the end of the last day that support may name.
            let last = BusinessDay(now.addingTimeInterval(Double(days) * 86_400), in: terms.zone)
            guard until > last.end(in: terms.zone) else { return }
            problems.add(FieldProblem("until", .tooLarge(last.description)))
        }
    }
}

extension FeatureTerms {
    /// A side of an audit entry.
    fileprivate func auditText(of counter: UsageCounter, _ window: UsageWindow) -> String {
        let usage = usage(counter).windows.first { $0.window == window }
        let increase = counter.increases.current(window, at: now)
        let texts: [(String, String?)] = [
            ("feature", feature?.code),
            ("window", window.rawValue),
            ("used", usage.map { String($0.used) }),
            ("limit", usage.map { $0.limit.map { String($0) } ?? "unlimited" }),
            ("increaseUntil", increase?.until?.formatted(.iso8601)),
        ]
        return AuditJSON(texts, keepsAbsent: true).text
    }
}
