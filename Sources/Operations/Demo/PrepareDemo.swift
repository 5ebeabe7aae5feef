import Billing
package import Storage

/// An account of the demo.
package struct DemoAccount: Sendable {
    package let email: String
    package let name: String
    package let role: StaffRole

    /// One account per role.
    package static let all = [
        DemoAccount(email: "admin@demo.test", name: "Lin Wei", role: .admin),
        DemoAccount(email: "support@demo.test", name: "Mei Tanaka", role: .support),
        DemoAccount(email: "analyst@demo.test", name: "Deniz Kaya", role: .analyst),
    ]
}

extension BackOffice {
    /// Makes the demo's accounts, or gives them this password. The demo's password may be as short as its owner likes.
    package func prepareDemoAccounts(password: String) async throws {
        let hash = try await hash(of: password)
        try await database.write { transaction in
            for account in DemoAccount.all {
                if let staff = try await transaction.staff.lock(email: account.email) {
                    try await transaction.staff.setPassword(of: staff.id, to: hash)
                } else {
                    _ = try await transaction.staff.insert(
                        Staff(
                            id: Staff.ID(transaction.newUUID()),
                            email: account.email,
                            name: account.name,
                            role: account.role,
                            passwordHash: hash
                        )
                    )
                }
                try await transaction.audit.append(Caller.commandLine.entry(.addDemoStaff, on: "staff", account.email))
            }
        }
    }
}

extension BackOffice {
    /// True if the demo's history is complete, by its audit entry.
    package func isDemoFilled(app slug: String) async throws -> Bool {
        try await database.readPrimary { try await $0.audit.contains(AuditAction.fillDemo.rawValue, on: "app", slug) }
    }

    package func markDemoFilled(app slug: String) async throws {
        _ = try await database.write { transaction in
            try await transaction.audit.append(Caller.commandLine.entry(.fillDemo, on: "app", slug))
        }
    }
}
