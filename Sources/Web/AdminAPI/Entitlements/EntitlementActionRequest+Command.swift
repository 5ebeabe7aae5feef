import APITypes
import Billing
import Foundation
import Operations
import Storage

extension EntitlementActionRequest {
    /// What is wished; each mistake is named, nothing is guessed.
    func command(_ kind: AccessAction) throws(OperationsError) -> EntitlementCommand {
        switch kind {
        case .grants: return .grant(plan: planType ?? "", try term())
        case .extensions:
            guard let days else { throw Self.problem("days", .missing) }
            return .extend(try source(), days: days)
        case .revocations: return .revoke(try source())
        case .restorations:
            guard let source = try source() else { throw Self.problem("of", .missing) }
            return .restore(source)
        case .planChanges: return .changeTier(try source(), plan: planType ?? "")
        case .cancellations: return .cancelAtPeriodEnd(try source())
        case .transfers:
            guard let source = try source() else { throw Self.problem("of", .missing) }
            guard case .subscription(let id) = source else { throw Self.problem("of", .unknownChoice) }
            return .transfer(id, to: try self.id(receiver, "receiver"))
        case .undoings: return .undo(try id(action, "action"))
        }
    }

    private func source() throws(OperationsError) -> Entitlement.Source? {
        guard let of else { return nil }
        guard let source = Entitlement.Source(form: of) else { throw Self.problem("of", .unknownChoice) }
        return source
    }

    private func term() throws(OperationsError) -> EntitlementAction.Term {
        var terms: [EntitlementAction.Term] = []
        if let days { terms.append(.days(days)) }
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
