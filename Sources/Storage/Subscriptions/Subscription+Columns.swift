import Billing
import Postgres

extension Subscription {
    /// The columns that `init(_:)` reads, of `subscriptions s`.
    static let columns: Query = """
        s.state, s.started_at, s.period_starts_at, s.period_ends_at, s.access_starts_at, s.grace_period_ends_at, s.renews_automatically
        """

    /// Its state and its dates; other columns have the rest.
    init(_ columns: inout RowColumns) throws {
        self.init()
        state = try columns.next()
        startedAt = try columns.next()
        periodStartsAt = try columns.next()
        periodEndsAt = try columns.next()
        accessStartsAt = try columns.next()
        gracePeriodEndsAt = try columns.next()
        renewsAutomatically = try columns.next()
    }
}
