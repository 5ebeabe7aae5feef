import APITypes
import Billing
import Foundation
import HTTP
import Operations
import Storage

extension EntitlementActionRequest {
    /// Returns the command and its reason; names each mistake and guesses nothing.
    ///
    /// - Throws: `OperationsError` with `.invalid` and everything that is wrong with its fields.
    func command(_ kind: AccessAction) throws -> (EntitlementCommand, Reason) {
        var problems = FieldProblems()
        let command = try command(kind, &problems)
        let preset = kind.isOfTheDocument ? Reason.Category.other.rawValue : nil
        let reason = try problems.read { try Reason(category: category ?? preset, text: self.reason) }
        guard let command, let reason, problems.found.isEmpty else { throw problems.error }
        return (command, reason)
    }

    /// Returns the command; nil where `problems` has the reason.
    func command(_ kind: AccessAction, _ problems: inout FieldProblems) throws -> EntitlementCommand? {
        switch kind {
        case .grants:
            requirePlan(&problems)
            return try problems.read { EntitlementCommand.grant(plan: planType ?? "", try term()) }
        case .extensions:
            let source = try problems.read { try self.source() }
            let days = try problems.read { try givenDays() }
            guard let source, let days else { return nil }
            return .extend(source, days: days)
        case .revocations: return try problems.read { EntitlementCommand.revoke(try source()) }
        case .restorations: return try problems.read { EntitlementCommand.restore(try requiredSource()) }
        case .planChanges:
            requirePlan(&problems)
            return try problems.read { EntitlementCommand.changeTier(try source(), plan: planType ?? "") }
        case .cancellations: return try problems.read { EntitlementCommand.cancelAtPeriodEnd(try source()) }
        case .transfers:
            let source = try problems.read { () throws -> Subscription.ID in
                guard case .subscription(let id) = try requiredSource() else {
                    throw Self.problem("of", .unknownChoice)
                }
                return id
            }
            let receiver: Customer.ID? = try problems.read { try id(self.receiver, "receiver") }
            guard let source, let receiver else { return nil }
            return .transfer(source, to: receiver)
        case .undoings: return try problems.read { EntitlementCommand.undo(try id(action, "action")) }
        }
    }

    private func requirePlan(_ problems: inout FieldProblems) {
        if (planType ?? "").isEmpty { problems.add(FieldProblem("plan", .missing)) }
    }

    private func givenDays() throws(OperationsError) -> Int {
        guard let days else { throw Self.problem("days", .missing) }
        guard (1...EntitlementAction.longestDays).contains(days) else {
            throw Self.problem("days", .rule(.daysOutOfRange))
        }
        return days
    }

    private func requiredSource() throws(OperationsError) -> Entitlement.Source {
        guard let source = try self.source() else { throw Self.problem("of", .missing) }
        return source
    }

    private func source() throws(OperationsError) -> Entitlement.Source? {
        guard let of else { return nil }
        guard let source = Entitlement.Source(form: of) else { throw Self.problem("of", .unknownChoice) }
        return source
    }

    private func term() throws(OperationsError) -> EntitlementAction.Term {
        var terms: [EntitlementAction.Term] = []
        if days != nil { terms.append(.days(try givenDays())) }
        if let until {
            guard let end = TimeText.date(rfc3339: until) else { throw Self.problem("until", .notADate) }
            terms.append(.until(end))
        }
        if withoutEnd == true { terms.append(.withoutEnd) }
        guard let term = terms.first else { throw Self.problem("days", .missing) }
        guard terms.count == 1 else {
            throw OperationsError(.invalid, "Say one of days, until and withoutEnd.", field: "days")
        }
        return term
    }

    private func id<Subject>(_ text: String?, _ field: String) throws(OperationsError) -> Identifier<Subject> {
        guard let text else { throw Self.problem(field, .missing) }
        guard let id = Identifier<Subject>(text) else { throw Self.problem(field, .unknownChoice) }
        return id
    }

    private static func problem(_ field: String, _ kind: FieldProblem.Kind) -> OperationsError {
        OperationsError(problems: [FieldProblem(field, kind)])
    }
}
