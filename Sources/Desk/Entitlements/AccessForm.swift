import Billing
import Foundation
import HTTP
import Operations
import Storage

/// The typed fields of an action's form, in both of its steps.
struct AccessForm: Sendable {
    let action: AccessAction
    /// The source that it is about: `grant:…`, `subscription:…`; for an undoing the action's id.
    var of: String
    var plan: String
    var term: String
    var days: String
    var until: String
    var receiver: String
    var category: String?
    var reason: String?
    var confirmation: String
    /// The page that the customer's page leads back to.
    var from: String?
    /// True if the first step was sent.
    var isFilled: Bool

    /// The fields that an address may fill in.
    static let names = ["of", "plan", "term", "days", "until", "receiver", "category", "reason", "from", "step"]

    init(_ action: AccessAction, _ fields: URLEncoded) throws(WebError) {
        self.action = action
        of = try fields.single("of") ?? ""
        plan = try fields.single("plan") ?? ""
        term = try fields.single("term") ?? "days"
        days = (try fields.single("days") ?? "").filter { !$0.isWhitespace }
        until = try fields.single("until") ?? ""
        receiver = try fields.single("receiver") ?? ""
        category = try fields.single("category")
        reason = try fields.single("reason")
        confirmation = try fields.single("confirmation") ?? ""
        from = DashboardPath.safe(try fields.single("from"))
        isFilled = try fields.single("step") != nil
    }

    /// True if something has to be filled in before the changes can be shown.
    var hasFirstStep: Bool {
        switch action {
        case .undoings: false
        case .revocations, .restorations, .cancellations: of.isEmpty
        case .grants, .extensions, .planChanges, .transfers: true
        }
    }

    /// The command in the form.
    ///
    /// - Parameter receiver: the customer who is named as the receiver of a transfer; nil when nobody, or more than one.
    /// - Throws: `OperationsError` with `.invalid` and everything that is wrong with its fields.
    func command(receiver: Customer.ID?, zone: TimeZone) throws -> EntitlementCommand {
        var problems = FieldProblems()
        let command = try command(receiver: receiver, zone: zone, &problems)
        try problems.check()
        guard let command else { throw problems.error }
        return command
    }

    /// nil where `problems` say why.
    private func command(
        receiver: Customer.ID?,
        zone: TimeZone,
        _ problems: inout FieldProblems
    ) throws -> EntitlementCommand? {
        switch action {
        case .grants:
            requirePlan(&problems)
            return try problems.read { try chosenTerm(zone) }.map { .grant(plan: plan, $0) }
        case .extensions:
            let source = try problems.read { try self.source() }
            let days = try problems.read { try chosenDays() }
            guard let source, let days else { return nil }
            return .extend(source, days: days)
        case .revocations: return try problems.read { EntitlementCommand.revoke(try source()) }
        case .restorations: return try problems.read { EntitlementCommand.restore(try source()) }
        case .planChanges:
            requirePlan(&problems)
            return try problems.read { EntitlementCommand.changeTier(try source(), plan: plan) }
        case .cancellations: return try problems.read { EntitlementCommand.cancelAtPeriodEnd(try source()) }
        case .transfers:
            let source = try problems.read { () throws -> Subscription.ID in
                guard case .subscription(let id) = try self.source() else { throw unknown("of") }
                return id
            }
            if receiver == nil {
                problems.add(FieldProblem("receiver", self.receiver.isEmpty ? .missing : .unknownChoice))
            }
            guard let source, let receiver else { return nil }
            return .transfer(source, to: receiver)
        case .undoings:
            guard !of.isEmpty else { throw unknown("of") }
            guard let undone = EntitlementActionRecord.ID(of) else {
                throw OperationsError(.notFound, "There is no such action.")
            }
            return .undo(undone)
        }
    }

    private func requirePlan(_ problems: inout FieldProblems) {
        if plan.isEmpty { problems.add(FieldProblem("plan", .missing)) }
    }

    private func source() throws(OperationsError) -> Entitlement.Source {
        guard let source = Entitlement.Source(form: of) else { throw unknown("of") }
        return source
    }

    private func chosenTerm(_ zone: TimeZone) throws(OperationsError) -> EntitlementAction.Term {
        switch term {
        case "until":
            guard let day = try BusinessDay(field: "until", until) else {
                throw OperationsError(problems: [FieldProblem("until", .missing)])
            }
            // Until the end of that day.
            return .until(BusinessDay(day.start(in: zone).addingTimeInterval(36 * 3_600), in: zone).start(in: zone))
        case "forever": return .withoutEnd
        case _: return .days(try chosenDays())
        }
    }

    private func chosenDays() throws(OperationsError) -> Int {
        guard let number = Int(days) else {
            throw OperationsError(problems: [FieldProblem("days", days.isEmpty ? .missing : .notANumber)])
        }
        guard (1...EntitlementAction.longestDays).contains(number) else {
            throw OperationsError(problems: [FieldProblem("days", .rule(.daysOutOfRange))])
        }
        return number
    }

    private func unknown(_ field: String) -> OperationsError {
        OperationsError(problems: [FieldProblem(field, .unknownChoice)])
    }
}
