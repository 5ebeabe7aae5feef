package import Billing
package import Storage

/// A command for one customer's access, in the terms of a form or a program.
package enum EntitlementCommand: Hashable, Sendable {
    /// Plans by their codes; a source of nil means the one that gives access at the time of the action.
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
    /// The audit log's name of the action.
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

/// The changes of an action: its confirm page shows them, and the audit log keeps them once it is done.
package struct EntitlementPreview: Sendable {
    package var decision: EntitlementDecision
    /// Only the differences.
    package var facts: [FieldChange]
    /// The version that the form carries to detect a concurrent change.
    package var version: Int
    /// The action to undo.
    package var undone: EntitlementActionRecord?
}
