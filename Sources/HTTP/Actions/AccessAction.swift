import Billing
package import Operations
import Storage

/// An action for one customer; each has its own form. The raw value is the resource of its path.
package enum AccessAction: String, CaseIterable, Sendable {
    case grants
    case extensions
    case revocations
    case restorations
    case planChanges = "plan-changes"
    case transfers
    case cancellations
    case undoings

    /// Support gives and takes its own back; the rest is for admins.
    package var permission: Permission {
        switch self {
        case .grants, .extensions, .undoings: .giveAccess
        case .revocations, .restorations, .planChanges, .transfers, .cancellations: .changeAccess
        }
    }
}

extension Customer.ID {
    /// The code that staff type to confirm that something paid is taken away from the customer.
    package var confirmationCode: String { String(description.suffix(6)) }
}
