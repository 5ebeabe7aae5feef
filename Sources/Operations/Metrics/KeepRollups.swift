import Billing
import Storage

/// The result of checking the rollups.
package struct RollupCheck: Sendable, Hashable {
    package var app: String
    /// Ledger rows.
    package var rows: Int
    /// Cells that differ from the ledger, the events and the customers' usage.
    package var differences: Int
}

extension BackOffice {
    /// Adds what the ledger's writers left behind into the rollups' cells, until nothing waits.
    ///
    /// - Returns: the number of entries.
    package func foldRollups() async throws -> Int {
        var folded = 0
        while true {
            let entries = try await database.write { try await $0.rollups.fold() }
            folded += entries
            if entries == 0 { break }
        }
        while try await correctRollups() > 0 {}
        return folded
    }

    /// Adds some of the corrections that recounts found.
    ///
    /// - Returns: the number of corrections.
    private func correctRollups() async throws -> Int {
        let cells = try await database.write { try await $0.rollups.correct() }
        return try await cells + database.write { try await $0.rollups.correctRows() }
    }

    /// Adds the counted usage of features to the totals by day.
    ///
    /// - Returns: the number of entries.
    package func foldUsage() async throws -> Int {
        try await database.write { try await $0.usageTotals.fold() }
    }

    /// Makes every app's rollups again from its ledger and its subscriptions' events, beside everybody who writes these: what is
    /// missing is found in a snapshot and added in pieces. Ended before it is done, it goes on from there the next time.
    ///
    /// - Parameters:
    ///   - caller: named by the audit log with what was wrong of each app; nil where nobody asked.
    ///   - progress: the app and how many ledger rows are done, each hundred thousand or so.
    /// - Returns: for each app what was wrong before.
    package func rebuildRollups(
        caller: Caller? = nil,
        progress: @Sendable (_ app: String, _ rows: Int) -> Void = { _, _ in }
    ) async throws -> [RollupCheck] {
        var checks: [RollupCheck] = []
        for (id, slug) in try await appsBySlug() {
            var check: RollupCheck?
            while check == nil { check = try await rebuild(id, slug, progress) }
            guard var check else { continue }
            let found = check
            check.differences += try await database.write { transaction in
                let mended = try await transaction.usageTotals.mend(id)
                guard let caller else { return mended }
                let wrong = found.differences + mended  // safe: counts of rows
                try await transaction.audit.append(
                    caller.entry(
                        .rebuildRollups,
                        on: "rollups",
                        slug,
                        app: id,
                        before: AuditJSON([("wrongCells", String(wrong))]).text,
                        after: AuditJSON([("wrongCells", "0"), ("ledgerRows", String(found.rows))]).text
                    )
                )
                return mended
            }
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
            // Another server may have been faster.
            while try await database.write({ try await $0.rollups.countsOtherwise(id) }) {
                if let check = try await rebuild(id, slug, { _, _ in }) { checks.append(check) }
            }
        }
        return checks
    }

    /// Compares every app's rollups with its ledger and its subscriptions' events as of one moment, and leaves them as they are.
    package func verifyRollups() async throws -> [RollupCheck] {
        var checks: [RollupCheck] = []
        for (id, slug) in try await appsBySlug() {
            var check = try await check(id, slug, sumsAlone: true)
            // The difference is known only with the day on which it was known.
            if check.differences > 0 { check = try await self.check(id, slug, sumsAlone: false) }
            check.differences += try await database.readPrimary { try await $0.usage.wrongTotals(of: id) }
            checks.append(check)
        }
        return checks
    }

    /// Ledger rows until progress is told again.
    private static let rowsBetweenWords = 100_000
    /// Mended in one transaction, which keeps them locked.
    private static let customersAtOnce = 10

    private func appsBySlug() async throws -> [(App.ID, String)] {
        try await database.readPrimary { try await $0.apps.all() }.map { ($0.id, $0.slug) }
    }

    /// Makes an app's rollups again. First what its customers may use is mended, if it has to be: from it follows what whoever
    /// writes next adds to the rollups.
    ///
    /// - Returns: nil where another server did so meanwhile, or the settings changed.
    private func rebuild(
        _ app: App.ID,
        _ slug: String,
        _ progress: @Sendable (String, Int) -> Void
    ) async throws -> RollupCheck? {
        try await database.awaitWriters()
        var isMended = false
        do {
            while true {
                let (check, misplaced) = try await database.recount { transaction in
                    var recount = transaction.recount
                    recount.findsMisplaced = !isMended
                    let (check, misplaced) = try await count(app, slug, by: recount, in: transaction, progress)
                    if misplaced.isEmpty { try await recount.keep(app) }
                    return (check, misplaced)
                }
                guard !misplaced.isEmpty else {
                    try await addCorrections(of: app)
                    return check
                }
                for start in stride(from: 0, to: misplaced.count, by: Self.customersAtOnce) {
                    let few = Array(misplaced[start..<min(start + Self.customersAtOnce, misplaced.count)])
                    try await database.write { try await $0.periods.mend(few, app: app) }
                }
                isMended = true
            }
        } catch is RecountOvertaken {
            return nil
        }
    }

    /// Adds what is missing until nothing is, also where another server adds at the same time.
    private func addCorrections(of app: App.ID) async throws {
        while try await database.write({ try await $0.rollups.lacksCorrections(app) }) {
            guard try await correctRollups() == 0 else { continue }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    private func check(_ app: App.ID, _ slug: String, sumsAlone: Bool) async throws -> RollupCheck {
        try await database.recount { transaction in
            var recount = transaction.recount
            recount.comparesSumsAlone = sumsAlone
            return try await count(app, slug, by: recount, in: transaction) { _, _ in }.check
        }
    }

    /// Counts an app's metrics from nothing, some hundred customers at a time, and compares.
    private func count(
        _ app: App.ID,
        _ slug: String,
        by recount: RollupRecount,
        in transaction: WriteTransaction,
        _ progress: @Sendable (String, Int) -> Void
    ) async throws -> (check: RollupCheck, misplaced: [Customer.ID]) {
        try await recount.begin(app)
        var check = RollupCheck(app: slug, rows: 0, differences: 0)
        var misplaced: [Customer.ID] = []
        var piece: RollupRecount.Piece?
        while let next = try await recount.addNext(app, after: piece) {
            let before = check.rows
            piece = next
            check.rows += next.rows
            misplaced += next.misplaced
            if check.rows / Self.rowsBetweenWords > before / Self.rowsBetweenWords { progress(slug, check.rows) }
        }
        try await transaction.rollups.addChangedYears(app)
        check.differences = try await recount.differences(app)
        return (check, misplaced)
    }
}
