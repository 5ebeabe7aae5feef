import Billing
import Storage

/// Counts usage of several callers together. A count that fails, or whose counter somebody has locked, keeps no other waiting: each of
/// its group is counted again by itself.
struct UsageCounts: Sendable {
    private enum Outcome: Sendable {
        /// nil where a window has no room for it.
        case counted(UsageCounter?)
        /// Nothing of the group was.
        case undone
    }

    private let database: Database
    private let together: GroupedCalls<UsageEntry, Outcome>

    init(database: Database) {
        self.database = database
        // As many as one transaction may hold locked.
        together = GroupedCalls(size: 50) { entries, waited in
            let counters = try await database.count(entries, waited: waited)
            return counters?.map { .counted($0) } ?? entries.map { _ in .undone }
        }
    }

    /// - Returns: the counter with the entry; nil where a window has no room for all of it.
    /// - Throws: `CustomerIsMerged`, the database's errors.
    func count(_ entry: UsageEntry) async throws -> UsageCounter? {
        switch try await together.answer(to: entry) {
        case .counted(let counter): counter
        case .undone: try await database.count(entry)
        }
    }
}
