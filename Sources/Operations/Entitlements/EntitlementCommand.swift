package import Billing
package import Storage

/// What a person asks to be done for one customer, in the words of a form or a program.
package enum EntitlementCommand: Hashable, Sendable {
    /// Plans by their codes; where a source may be nil, that is what gives access when it is done.
    case grant(plan: String, EntitlementAction.Term)
    case extend(Entitlement.Source?, days: Int)
    case revoke(Entitlement.Source?)
    case restore(Entitlement.Source)
    case changeTier(Entitlement.Source?, plan: String)
    case transfer(Subscription.ID, to: Customer.ID)
    case cancelAtPeriodEnd(Entitlement.Source?)
    case undo(EntitlementActionRecord.ID)

    package var kind: EntitlementActionRecord.Kind {
        switch self {
        case .grant: .grant
        case .extend: .extend
        case .revoke: .revoke
        case .restore: .restore
        case .changeTier: .changeTier
        case .transfer: .transfer
        case .cancelAtPeriodEnd: .cancel
        case .undo: .undo
        }
    }

    /// The customer who receives a transfer.
    var receiver: Customer.ID? {
        if case .transfer(_, let receiver) = self { receiver } else { nil }
    }

    var undone: EntitlementActionRecord.ID? {
        if case .undo(let id) = self { id } else { nil }
    }
}

extension EntitlementActionRecord.Kind {
    /// As the audit log calls it.
    package var auditAction: AuditAction {
        switch self {
        case .grant: .grantAccess
        case .extend: .extendAccess
        case .revoke: .revokeAccess
        case .restore: .restoreAccess
        case .changeTier: .changeTier
        case .transfer: .transferSubscription
        case .cancel: .cancelAccess
        case .undo: .undoAccess
        }
    }
}

/// What an action would change: what its confirm page shows, and the audit log keeps once it is done.
package struct EntitlementPreview: Sendable {
    package var decision: EntitlementDecision
    /// Only what differs.
    package var facts: [FieldChange]
    /// What the form carries to notice that somebody was faster.
    package var version: Int
    /// The action that is to be taken back.
    package var undone: EntitlementActionRecord?
}
