import Billing
import Foundation
package import Storage

/// A change of a staff account.
package enum StaffChange: Sendable, Hashable {
    case role(StaffRole)
    /// Slugs; nil is all apps, also those to come.
    case apps([String]?)
    /// Its sessions, tokens and links end at once.
    case disable
    case enable
    case endSessions
    /// For a person who lost both device and recovery codes.
    case removeTwoFactor
}

extension BackOffice {
    /// Changes a staff account.
    ///
    /// - Throws: `OperationsError` with `.notFound`; `.forbidden` for who would shut out or demote themselves;
    ///   `.conflict` for the last admin, or where there is nothing to change; `.invalid` and the field for apps that do
    ///   not exist.
    @discardableResult
    package func change(
        _ id: Staff.ID,
        _ change: StaffChange,
        reason: Reason,
        key: IdempotencyKey? = nil,
        caller: Caller
    ) async throws -> ActionOutcome {
        if caller.staff == id, change.endsOwnPower { throw try await denied(change, caller) }
        return try await runOnce(key) { transaction in
            guard let staff = try await transaction.staff.lock(id) else {
                throw OperationsError(.notFound, "There is no such account.", field: "staff")
            }
            let (before, after): (AuditValues, AuditValues)
            do {
                (before, after) = try await apply(change, to: staff, caller, in: transaction)
            } catch is LastAdmin {
                throw OperationsError(.conflict, "\(staff.email) is the last admin: make somebody else one first.")
            }
            let entry = caller.entry(
                change.action,
                on: "staff",
                id.description,
                before: AuditJSON([("email", staff.email)] + before).text,
                after: AuditJSON([("email", staff.email)] + after).text,
                reason: reason.forAudit
            )
            return (try await transaction.audit.append(entry), id.description)
        }
    }

    /// The account of an address.
    ///
    /// - Throws: `OperationsError` with `.notFound`.
    package func staff(_ email: String) async throws -> Staff {
        let address = StaffEmail.normalized(email)
        let found = try await database.readPrimary { reader in
            guard let address else { return nil as Staff? }
            return try await reader.staff.find(email: address)
        }
        guard let found else { throw OperationsError(.notFound, "There is no account \(email).", field: "email") }
        return found
    }

    /// Writes a refused attempt down; no transaction is open, for its locks would hold up the entry.
    private func denied(_ change: StaffChange, _ caller: Caller) async throws -> OperationsError {
        let error = OperationsError(.forbidden, "Nobody shuts out or demotes themselves: ask another admin.")
        try await database.appendToAuditLog(
            caller.entry(
                .denyAccess,
                on: "staff",
                caller.staff?.description,
                reason: "\(change.action.rawValue): \(error.message)"
            )
        )
        return error
    }

    private typealias AuditValues = [(String, String?)]

    private func apply(
        _ change: StaffChange,
        to staff: Staff,
        _ caller: Caller,
        in transaction: WriteTransaction
    ) async throws -> (AuditValues, AuditValues) {
        switch change {
        case .role(let role):
            guard role != staff.role else { throw Self.nothing("\(staff.email) is \(role.rawValue) already.") }
            try await transaction.staff.setRole(of: staff.id, to: role)
            return ([("role", staff.role.rawValue)], [("role", role.rawValue)])
        case .apps(let slugs):
            let access = try await access(to: slugs, transaction)
            let before = try await transaction.staff.appAccessText(of: staff.id)
            try await transaction.staff.setAppAccess(of: staff.id, to: access)
            let after = try await transaction.staff.appAccessText(of: staff.id)
            return ([("apps", before)], [("apps", after)])
        case .disable:
            guard staff.disabledAt == nil else { throw Self.nothing("\(staff.email) is shut already.") }
            try await transaction.staff.disable(staff.id)
            let keys = try await revokeTokens(of: staff.id, because: .accountShut, caller, in: transaction)
            try await transaction.staff.removeLink(of: staff.id)
            let ended = try await transaction.sessions.deleteAll(of: staff.id)
            return (
                [("account", "open"), ("sessions", String(ended)), ("keys", String(keys))],
                [("account", "shut"), ("sessions", "0"), ("keys", "0")]
            )
        case .enable:
            guard staff.disabledAt != nil else { throw Self.nothing("\(staff.email) is open already.") }
            try await transaction.staff.enable(staff.id)
            return ([("account", "shut")], [("account", "open")])
        case .endSessions:
            let ended = try await transaction.sessions.deleteAll(of: staff.id)
            return ([("sessions", String(ended))], [("sessions", "0")])
        case .removeTwoFactor:
            guard try await transaction.twoFactor.remove(staff.id) else {
                throw Self.nothing("\(staff.email) has no two-factor sign-in.")
            }
            return ([("two_factor", "on")], [("two_factor", "off")])
        }
    }

    private static func nothing(_ message: String) -> OperationsError {
        OperationsError(.conflict, message)
    }
}

extension StaffChange {
    /// True for changes that nobody may make to their own account.
    fileprivate var endsOwnPower: Bool {
        switch self {
        case .role, .apps, .disable, .removeTwoFactor: true
        case .enable, .endSessions: false
        }
    }

    /// The audit log's name of the change.
    package var action: AuditAction {
        switch self {
        case .role: .changeRole
        case .apps: .changeApps
        case .disable: .disableStaff
        case .enable: .enableStaff
        case .endSessions: .endStaffSessions
        case .removeTwoFactor: .removeTwoFactor
        }
    }
}
