import Billing
import Foundation
import Postgres

extension SeatClaim {
    /// The columns that `init(row:)` reads, of `seat_claims x`.
    static let columns: Query = """
        x.id, x.subscription_id, x.customer_id, x.app_transaction_id, x.requested_at, x.requested_by, x.is_to_be_freed,
        x.is_to_be_named, x.store_claim_id, x.claimed_at, x.ended_at, x.ended_by, x.refused_code, x.refused_as,
        x.unanswered_since, x.unanswered_times, x.ask_again_at, x.answered_as
        """

    static let columnCount = 18

    /// The next claims of a group under a condition, the oldest first.
    ///
    /// - Parameter place: the claim after which they begin; nil for the oldest.
    static func page(of group: Subscription.ID, where condition: Query, after place: SeatClaim.ID?) -> Query {
        let after: Query =
            place.map { " AND (x.requested_at, x.id) > (SELECT requested_at, id FROM seat_claims WHERE id = \($0))" }
            ?? ""
        return """
            SELECT \(columns)
            FROM seat_claims x
            WHERE x.subscription_id = \(group) AND \(condition)\(after)
            ORDER BY x.requested_at, x.id
            LIMIT \(unsafe: String(pageLength))
            """
    }

    /// The number of claims that are read at once.
    static let pageLength = 1_000

    init(row: Row) throws {
        var columns = try row.columns(Self.columnCount)
        try self.init(&columns)
    }

    init(_ columns: inout RowColumns) throws {
        self.init(
            id: try columns.next(),
            subscription: try columns.next(),
            member: try columns.next(),
            appTransactionID: try columns.next(),
            requestedAt: try columns.next(),
            requestedBy: try columns.next(),
            isToBeFreed: try columns.next(),
            isToBeNamed: try columns.next(),
            storeClaimID: try columns.next()
        )
        let (claimedAt, endedAt, ending): (Date?, Date?, SeatClaim.Ending?) = (
            try columns.next(), try columns.next(), try columns.next()
        )
        let (code, words): (Int64?, String?) = (try columns.next(), try columns.next())
        if let endedAt, let ending {
            state = .ended(at: endedAt, by: ending, refusal: words.map { Refusal(code: code, message: $0) })
        } else if let claimedAt {
            state = .held(since: claimedAt)
        }
        let (since, times): (Date?, Int32) = (try columns.next(), try columns.next())
        let (until, answer): (Date?, String?) = (try columns.next(), try columns.next())
        if let since, let until, let answer {
            wait = Wait(since: since, times: Int(times), until: until, words: answer)
        }
    }
}
