import Billing
import Foundation
import Operations
import Storage

/// What the command line does, in its own words.
extension Wiring {
    /// Applies a catalogue file and says what changed.
    ///
    /// - Parameter simulator: the DER root of a test authority that the app then trusts instead of Apple.
    package func applyCatalog(_ path: String, simulator: [UInt8]? = nil) async throws -> [String] {
        let catalog = try CatalogFile.read(path, simulator: simulator)
        return try await withBackOffice { try await $0.applyCatalog(catalog).changes }
    }

    /// - Parameter role: support, admin or analyst.
    package func addStaff(_ email: String, name: String, role: String, password: String) async throws {
        guard let known = StaffRole(rawValue: role) else {
            let roles = StaffRole.allCases.map(\.rawValue).joined(separator: ", ")
            throw OperationsError(.invalid, "A role is one of \(roles), not \(role).", field: "role")
        }
        _ = try await withBackOffice {
            try await $0.addStaff(email: email, name: name, role: known, password: password, caller: .commandLine)
        }
    }

    package func setPassword(of email: String, to password: String) async throws {
        try await withBackOffice { try await $0.setPassword(of: email, to: password, caller: .commandLine) }
    }

    package func disableStaff(_ email: String) async throws {
        try await withBackOffice { try await $0.disableStaff(email, caller: .commandLine) }
    }

    /// - Parameter slugs: nil for all apps, also those to come.
    package func setAppAccess(of email: String, to slugs: [String]?) async throws {
        try await withBackOffice { try await $0.setAppAccess(of: email, to: slugs, caller: .commandLine) }
    }

    /// A new key to the admin API; its text is not kept anywhere.
    ///
    /// - Parameter scopes: what it may do of what its owner may do; empty is everything.
    package func issueToken(named name: String, of email: String, scopes: [String], days: Int?) async throws -> String {
        let expiresAt = days.map { Date(timeIntervalSinceNow: Double($0) * 86_400) }
        let known = try scopes.map { text in
            guard let scope = TokenScope(text) else {
                let all = TokenScope.all.map(\.description).joined(separator: ", ")
                throw OperationsError(.invalid, "A scope is one of \(all), not \(text).", field: "scope")
            }
            return scope
        }
        return try await withBackOffice {
            try await $0.issueToken(
                named: name,
                of: email,
                scopes: known.isEmpty ? nil : known,
                expiresAt: expiresAt,
                caller: .commandLine
            ).text
        }
    }

    /// Checks the audit log against its chain.
    ///
    /// - Parameter remembered: a mark that an earlier check printed.
    /// - Returns: the mark of the chain's end.
    /// - Throws: `OperationsError` with `.conflict` that names the first broken entry.
    package func verifyAudit(remembered text: String?) async throws -> String {
        let remembered = try text.map { text in
            guard let mark = AuditMark(text) else {
                throw OperationsError(.invalid, "A mark is a number, a colon and 64 hexadecimal digits.", field: "mark")
            }
            return mark
        }
        switch try await withBackOffice({ try await $0.verifyAuditChain(remembered: remembered) }) {
        case .intact(let mark): return mark.description
        case .broken(let found): throw OperationsError(.conflict, "The audit log is broken. \(found.text).")
        }
    }

    /// One line per account: address, role, name, and whether it is shut.
    package func staffLines() async throws -> [String] {
        try await withBackOffice { backOffice in
            try await backOffice.database.read { try await $0.staff.all() }.map { staff in
                "\(staff.email)\t\(staff.role.rawValue)\t\(staff.name)\(staff.disabledAt == nil ? "" : "\tshut")"
            }
        }
    }
}
