import Billing
import Storage

/// What a check of the rollups found.
package struct RollupCheck: Sendable, Hashable {
    package var app: String
    /// Ledger rows.
    package var rows: Int
    /// Cells that did not say what the ledger, the events and what customers used say.
    package var differences: Int
}

extension BackOffice {
    /// Adds what the ledger's writers left behind into the rollups' cells, until nothing waits.
    ///
    /// - Returns: how many entries there were.
    package func foldRollups() async throws -> Int {
        var folded = 0
        while true {
            let entries = try await database.write { try await $0.rollups.fold() }
            folded += entries
            if entries == 0 { return folded }
        }
    }

    /// Adds what was counted of features into the totals by day.
    ///
    /// - Returns: how many entries there were.
    package func foldUsage() async throws -> Int {
        try await database.write { try await $0.usageTotals.fold() }
    }

    /// Makes every app's rollups again from its ledger and its subscriptions' events. Nobody writes these meanwhile: what the stores say is kept and waits.
    /// Totals of usage are mended, and counting goes on.
    ///
    /// - Parameter progress: the app and how many ledger rows are done.
    /// - Returns: for each app what was wrong before.
    package func rebuildRollups(
        progress: @Sendable (_ app: String, _ rows: Int) -> Void = { _, _ in }
    ) async throws -> [RollupCheck] {
        var checks: [RollupCheck] = []
        for (id, slug) in try await appsBySlug() {
            var check = try await database.write { try await rebuild(id, slug, in: $0, progress) }
            check.differences += try await database.write { try await $0.usageTotals.mend(id) }
            checks.append(check)
        }
        return checks
    }

    /// Makes the rollups of every app again that count by an older version of the definitions, or by other settings than the
    /// catalogue has now.
    ///
    /// - Returns: those that were counted again.
    package func recountRollups() async throws -> [RollupCheck] {
        var checks: [RollupCheck] = []
        for (id, slug) in try await database.readPrimary({ try await $0.apps.countingOtherwise() }) {
            let check = try await database.write { transaction -> RollupCheck? in
                try await transaction.rollups.lockLedger()
                // Another server may have been faster.
                guard try await transaction.rollups.countsOtherwise(id) else { return nil }
                return try await rebuild(id, slug, in: transaction) { _, _ in }
            }
            if let check { checks.append(check) }
        }
        return checks
    }

    /// Compares every app's rollups with its ledger and its subscriptions' events, and leaves them as they are.
    package func verifyRollups() async throws -> [RollupCheck] {
        var checks: [RollupCheck] = []
        for (id, slug) in try await appsBySlug() {
            do {
                try await database.write { transaction in
                    throw Found(check: try await rebuild(id, slug, in: transaction) { _, _ in })
                }
            } catch let found as Found {
                var check = found.check
                check.differences += try await database.readPrimary { try await $0.usage.wrongTotals(of: id) }
                checks.append(check)
            }
        }
        return checks
    }

    /// Ledger rows, each of which leaves some ten entries.
    private static let rowsBetweenFolds = 5_000

    /// Thrown so that what was rebuilt for the comparison is rolled back.
    private struct Found: Error {
        var check: RollupCheck
    }

    private func appsBySlug() async throws -> [(App.ID, String)] {
        try await database.readPrimary { try await $0.apps.all() }.map { ($0.id, $0.slug) }
    }

    private func rebuild(
        _ app: App.ID,
        _ slug: String,
        in transaction: WriteTransaction,
        _ progress: @Sendable (String, Int) -> Void
    ) async throws -> RollupCheck {
        try await transaction.rollups.lockLedger()
        // What waits is converted when it is added up, and so can be compared.
        try await transaction.rollups.foldAll()
        try await transaction.rollups.remember(app)
        try await transaction.rollups.clear(app)
        try await transaction.periods.clear(app)
        try await transaction.rollups.addCustomers(app)
        var check = RollupCheck(app: slug, rows: 0, differences: 0)
        var place: RollupWrites.Place?
        var waiting = 0
        while let (next, rows) = try await transaction.rollups.addNext(app, after: place) {
            place = next
            check.rows += rows
            progress(slug, check.rows)
            waiting += rows
            // Adding up costs about as much for the entries of a day as for thousands; all of a large app's at once would be gigabytes.
            if waiting >= Self.rowsBetweenFolds {
                try await transaction.rollups.foldAll()
                waiting = 0
            }
        }
        try await transaction.rollups.foldAll()
        var customer: Customer.ID?
        while let next = try await transaction.periods.addNext(app, after: customer) {
            customer = next
            try await transaction.rollups.foldAll()
        }
        try await transaction.periods.addGrants(app)
        try await transaction.rollups.foldAll()
        try await transaction.rollups.noteVersion(app)
        check.differences = try await transaction.rollups.differences(app)
        return check
    }
}
