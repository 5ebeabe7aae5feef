import Billing
import Foundation
import Postgres

extension CreditBucket {
    /// Of `credit_buckets b`.
    static let columns: Query = """
        b.order_id, b.is_sandbox, b.granted, b.taken, b.remaining, b.owed, b.starts_at, b.expires_at
        """

    /// True for those of which something is left or owed at a moment.
    static func matter(at now: Date) -> Query {
        "(b.remaining > 0 AND (b.expires_at IS NULL OR b.expires_at > \(now)) OR b.owed > 0)"
    }

    /// - Parameter row: the next of it are `columns`.
    init(_ row: inout RowColumns) throws {
        self.init(
            id: try row.next(),
            isSandbox: try row.next(),
            granted: try row.next(),
            taken: try row.next(),
            remaining: try row.next(),
            owed: try row.next(),
            startsAt: try row.next(),
            expiresAt: try row.next(Date?.self)
        )
    }
}
