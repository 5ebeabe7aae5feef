import Operations

/// The commands for rollups and exchange rates.
extension Wiring {
    /// Makes the rollups again from the ledger, and says for each app what that was.
    package func rebuildRollups(
        progress: @escaping @Sendable (_ app: String, _ rows: Int) -> Void
    ) async throws -> [String] {
        try await withBackOffice { backOffice in
            try await backOffice.rebuildRollups(caller: .systemUser, progress: progress).map { check in
                let found = check.differences == 0 ? "nothing was wrong" : "\(check.differences) cells were wrong"
                return "\(check.app): \(check.rows) ledger rows added up, \(found)."
            }
        }
    }

    /// Compares the rollups with the ledger.
    ///
    /// - Throws: `OperationsError` with `.conflict` that names the apps where they differ.
    package func verifyRollups() async throws -> [String] {
        let checks = try await withBackOffice { try await $0.verifyRollups() }
        let wrong = checks.filter { $0.differences > 0 }
        guard wrong.isEmpty else {
            let apps = wrong.map { "\($0.app) in \($0.differences) cells" }.joined(separator: ", ")
            throw OperationsError(
                .conflict,
                "The rollups differ from the ledger: \(apps). `perennial rollups rebuild` mends it."
            )
        }
        return checks.map { "\($0.app): the rollups equal the ledger (\($0.rows) rows)." }
    }

    /// Takes in a file of daily exchange rates.
    package func importRates(_ path: String) async throws -> String {
        let rates = try RatesFile.read(path)
        let changed = try await withBackOffice { try await $0.importRates(rates, caller: .systemUser) }
        return "\(rates.count) rates read, \(changed) of them new or different."
    }
}
