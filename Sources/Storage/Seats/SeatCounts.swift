package import Billing
import Postgres

/// The seats of a subscription's current period.
package struct SeatCounts: Hashable, Sendable {
    /// The seats that all transactions of the period paid for.
    package var bought: Int
    /// The number of them that was given back.
    package var revoked: Int
    /// The number of seats that it renews with; nil where the store does not say.
    package var next: Int?
    /// The party that invites to them; nil where the store does not say.
    package var invitations: StoreTransaction.Invitations?
    /// The members who have one, by our own claims; of a group whose invitations are the store's nobody tells us.
    package var claimed: Int

    package init(
        bought: Int,
        revoked: Int = 0,
        next: Int? = nil,
        invitations: StoreTransaction.Invitations? = nil,
        claimed: Int = 0
    ) {
        (self.bought, self.revoked, self.next) = (bought, revoked, next)
        (self.invitations, self.claimed) = (invitations, claimed)
    }

    /// The seats that are left.
    package var left: Int { bought - revoked }
}

extension SeatCounts {
    /// The columns that `init(_:)` reads, of `subscriptions s`.
    static let columns: Query = """
        s.seats, s.revoked_seats, s.renewal_seats, s.seat_invitations,
        CASE WHEN s.seats IS NULL THEN 0 ELSE (\(claimed)) END
        """

    /// The number of members who have one, of `subscriptions s`.
    static let claimed: Query = """
        SELECT count(*) FROM seat_claims x
        WHERE x.subscription_id = s.id AND x.claimed_at IS NOT NULL AND x.ended_at IS NULL
        """

    static let columnCount = 5

    /// nil for what is not sold by seats.
    init?(_ columns: inout RowColumns) throws {
        let (bought, revoked, next): (Int32?, Int32?, Int32?) = (
            try columns.next(), try columns.next(), try columns.next()
        )
        let invitations: String? = try columns.next()
        let claimed: Int64 = try columns.next()
        guard let bought, let revoked else { return nil }
        self.init(
            bought: Int(bought),
            revoked: Int(revoked),
            next: next.map { Int($0) },
            invitations: invitations.flatMap(StoreTransaction.Invitations.init(rawValue:)),
            claimed: Int(clamping: claimed)
        )
    }
}
