package import Billing
package import Foundation
import Postgres

extension SeatClaim.Ending: PostgresEncodable, PostgresDecodable {}

/// A subscription that is sold by seats, as those who hand them out see it.
package struct SeatGroup: Hashable, Sendable, Identifiable {
    package var id: Subscription.ID
    package var app: App.ID
    package var purchaser: Customer.ID
    package var store: Store
    package var environment: StoreEnvironment
    package var originalTransactionID: String
    /// True while it gives access: members have it as long.
    package var isRunning: Bool
    package var seats: SeatCounts
    /// When the store was last asked who has the seats.
    package var comparedAt: Date?
}

extension SeatGroup {
    /// The columns that `init(row:)` reads, of `subscriptions s`; conditions follow.
    static func selection(at now: Date) -> Query {
        """
        SELECT s.id, s.app_id, s.customer_id, s.store, s.environment, s.original_transaction_id,
            \(AccessNow(alias: "s", now: now).givesAccess)
                AND NOT EXISTS (SELECT FROM suspensions u WHERE u.subscription_id = s.id AND u.lifted_at IS NULL),
            s.seats_compared_at, \(SeatCounts.columns)
        FROM subscriptions s
        """
    }

    /// nil for what is not sold by seats.
    init?(row: Row) throws {
        var columns = try row.columns(8 + SeatCounts.columnCount)
        (id, app, purchaser) = (try columns.next(), try columns.next(), try columns.next())
        (store, environment, originalTransactionID) = (try columns.next(), try columns.next(), try columns.next())
        (isRunning, comparedAt) = (try columns.next(), try columns.next())
        guard let seats = try SeatCounts(&columns) else { return nil }
        self.seats = seats
    }
}
