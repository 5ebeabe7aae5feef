/// The seats of a subscription's current period.
public struct SeatSummary: Resource {
    public var bought: Int
    public var refunded: Int
    public var used: Int?
    public var renewsWith: Int?
    public var invitations: String?

    public static let fields = Fields<Self> {
        Field("bought", \.bought, "What all transactions of the period paid for.")
        Field("refunded", \.refunded, "How many of them were given back.")
        Field("used", \.used, "How many members have one; null where the store invites, which does not tell.")
        Field("renewsWith", \.renewsWith, "null where the store does not say.")
        Field(
            "invitations",
            \.invitations,
            "Who invites; null where the store does not say.",
            .oneOf(["STORE", "APP"])
        )
    }

    public init(bought: Int, refunded: Int, used: Int?, renewsWith: Int?, invitations: String?) {
        (self.bought, self.refunded, self.used) = (bought, refunded, used)
        (self.renewsWith, self.invitations) = (renewsWith, invitations)
    }
}
