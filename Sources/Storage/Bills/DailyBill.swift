package import Billing
package import Foundation
import Postgres

/// A store's bill of a day, as far as it is known: a row of `daily_bills`.
package struct DailyBill: Sendable, Hashable, Identifiable {
    package typealias ID = Identifier<DailyBill>

    package var id: ID
    package var app: App.ID
    package var store: Store
    package var environment: StoreEnvironment
    /// By the store's calendar.
    package var day: BusinessDay
    package var startsAt: Date
    package var endsAt: Date
    package var state: State
    /// The number of rows that could be read.
    package var rows: Int
    /// Lines that could not be read, the first of them with their reasons.
    package var unreadable: [String]
    /// The reason why it could not be fetched the last time, in the store's words.
    package var problem: String?
    /// The number of failures in a row.
    package var failures: Int
    package var askedAt: Date?
    package var fetchedAt: Date?
    /// The time at which the store is asked next; nil once it is compared as a whole, or given up.
    package var nextAt: Date?

    /// The database keeps the raw values.
    package enum State: String, Sendable, CaseIterable {
        /// The store has not made it, or has not answered. Can transition to: `incomplete`, `compared`, `missing`.
        case awaited
        /// It broke off, or has lines that nobody can read; what it has is compared. Can transition to: `compared`.
        case incomplete
        /// It is compared with the books as a whole; final.
        case compared
        /// The store has not made it in all the time in which it makes one; final.
        case missing
    }

    package var span: Range<Date> { startsAt..<endsAt }

    /// The number of unreadable lines that are kept.
    package static let mostUnreadable = 50
}

extension DailyBill.State: PostgresEncodable, PostgresDecodable {}
extension BilledMovement.Kind: PostgresEncodable, PostgresDecodable {}
extension BillDifference.Kind: PostgresEncodable, PostgresDecodable {}

extension DailyBill {
    static let columnCount = 15
    static let columns: Query = """
        b.id, b.app_id, b.store, b.environment, b.day, b.starts_at, b.ends_at, b.state, b.rows, b.unreadable, b.problem,
        b.failures, b.asked_at, b.fetched_at, b.next_at
        """

    init(row: Row) throws {
        var columns = try row.columns(Self.columnCount)
        try self.init(&columns)
    }

    init(_ columns: inout RowColumns) throws {
        id = try columns.next()
        app = try columns.next()
        store = try columns.next()
        environment = try columns.next()
        day = try columns.next()
        startsAt = try columns.next()
        endsAt = try columns.next()
        state = try columns.next()
        rows = try columns.next()
        unreadable = try columns.next()
        problem = try columns.next()
        failures = try columns.next()
        askedAt = try columns.next()
        fetchedAt = try columns.next()
        nextAt = try columns.next()
    }
}
