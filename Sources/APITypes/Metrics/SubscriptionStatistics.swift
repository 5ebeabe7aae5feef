/// `GET /admin/subscriptions/stats/overview`: the fields of the readmigo document, part 7, with every plan of the app
/// besides them. Definitions: docs/metrics.md.
public struct SubscriptionStatistics: Resource {
    public var totalUsers: Int
    public var freeUsers: Int
    public var proUsers: Int
    public var premiumUsers: Int
    public var trialUsers: Int
    public var expiredUsers: Int
    public var conversionRate: Double
    public var activeSubscribers: Int
    public var plans: [Plan]

    public static let fields = Fields<Self> {
        Field("totalUsers", \.totalUsers, "Customers who were ever seen.")
        Field("freeUsers", \.freeUsers, "Of them, those without a plan above the lowest.")
        Field("proUsers", \.proUsers, "Whose plan has the code `PRO`, in capitals or not; grants too, trials not.")
        Field(
            "premiumUsers",
            \.premiumUsers,
            "Whose plan has the code `PREMIUM`, in capitals or not; grants too, trials not."
        )
        Field("trialUsers", \.trialUsers, "Whose access is a free trial now. With `plans` they are all customers.")
        Field("expiredUsers", \.expiredUsers, "Who had access and has none any more.")
        Field("conversionRate", \.conversionRate, "Customers who ever paid, of all, in percent.")
        Field("activeSubscribers", \.activeSubscribers, "Customers with paid access.")
        Field("plans", \.plans, "By rank, without those in a trial; those without a plan count under the lowest.")
    }

    public struct Plan: Resource {
        public var plan: String
        public var users: Int
        public var share: Double

        public static let fields = Fields<Self> {
            Field("plan", \.plan, "The plan's code.")
            Field("users", \.users, "Customers who have it now.")
            Field("share", \.share, "Of all customers, in percent.")
        }

        public init(plan: String, users: Int, share: Double) {
            self.plan = plan
            self.users = users
            self.share = share
        }
    }

    public init(
        totalUsers: Int,
        freeUsers: Int,
        proUsers: Int,
        premiumUsers: Int,
        trialUsers: Int,
        expiredUsers: Int,
        conversionRate: Double,
        activeSubscribers: Int,
        plans: [Plan]
    ) {
        self.totalUsers = totalUsers
        self.freeUsers = freeUsers
        self.proUsers = proUsers
        self.premiumUsers = premiumUsers
        self.trialUsers = trialUsers
        self.expiredUsers = expiredUsers
        self.conversionRate = conversionRate
        self.activeSubscribers = activeSubscribers
        self.plans = plans
    }
}
