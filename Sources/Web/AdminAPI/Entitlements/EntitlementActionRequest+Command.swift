import APITypes
import Billing
import Foundation
import Operations
import Storage

extension AccessAction {
    /// The end of its path in the admin API, as the readmigo document has it.
    var step: String {
        switch self {
        case .grants: "grant"
        case .extensions: "extend"
        case .revocations: "revoke"
        case .restorations: "restore"
        case .planChanges: "change-tier"
        case .transfers: "transfer"
        case .cancellations: "cancel"
        case .undoings: "undo"
        }
    }
}

extension AdminSubscriptionsController {
    /// What the step of an action takes and answers.
    static func operation(of action: AccessAction) -> APIOperation {
        let (id, summary, meaning, body): (String, String, String?, RequestBody) =
            switch action {
            case .grants:
                (
                    "grantAccess", "Gives a plan from now on", "Support gives up to the app's limit of days ahead.",
                    EntitlementActionRequest.grant
                )
            case .extensions:
                (
                    "extendAccess", "Moves an end",
                    """
                    Moves the end of a grant, or has a grant go on where a subscription ends. Support gives up to the app's \
                    limit of days ahead.
                    """,
                    EntitlementActionRequest.extend
                )
            case .revocations:
                (
                    "revokeAccess", "Takes access away",
                    "Ends a grant, or lets a subscription give nothing; the store goes on charging.",
                    EntitlementActionRequest.revoke
                )
            case .restorations:
                ("restoreAccess", "Gives back what was revoked", nil, EntitlementActionRequest.restore)
            case .planChanges:
                (
                    "changeTier", "Changes the plan",
                    "Puts a grant on another plan, or lifts a subscription to a higher one until its end.",
                    EntitlementActionRequest.changeTier
                )
            case .transfers:
                (
                    "transferSubscription", "Gives a subscription to another customer", nil,
                    EntitlementActionRequest.transfer
                )
            case .cancellations:
                (
                    "cancelAccess", "Has nothing go on after the present end",
                    "What a store renews, only the customer can cancel, at the store.", EntitlementActionRequest.cancel
                )
            case .undoings:
                (
                    "undoAccess", "Takes back what was done",
                    "An action that was not done to this customer is 404, and nothing is changed.",
                    EntitlementActionRequest.undo
                )
            }
        return APIOperation(
            id,
            .subscriptions,
            summary,
            meaning,
            path: .customer,
            body: body,
            answer: .ok(AccessChange.self, "What the customer has since.")
        )
    }
}

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
