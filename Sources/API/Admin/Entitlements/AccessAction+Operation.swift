import APITypes
package import HTTP
import Operations

extension AccessAction {
    /// The last part of its path in the admin API, as in the readmigo document.
    package var step: String {
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

    /// True if the readmigo document has it: its clients give their reason in `reason` alone, and send no `Idempotency-Key`.
    package var isOfTheDocument: Bool {
        switch self {
        case .grants, .extensions, .revocations, .planChanges: true
        case .restorations, .transfers, .cancellations, .undoings: false
        }
    }

    /// The operation that describes its step: the request and the answers.
    package var operation: APIOperation {
        let (id, summary, meaning, body): (String, String, String?, RequestBody) =
            switch self {
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
                    """
                    Puts a grant on another plan, or lifts a subscription to a higher one until its end. The plan that everybody has \
                    ends a grant.
                    """,
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
            mayTakeKey: isOfTheDocument,
            answer: .ok(AccessChange.self, "What the customer has since.")
        )
    }
}
