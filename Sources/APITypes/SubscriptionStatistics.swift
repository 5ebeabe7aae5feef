/// `GET /admin/subscriptions/stats/overview`: the fields of the readmigo document, part 7, with every plan of the app
/// besides them. Definitions: docs/metrics.md.
public struct SubscriptionStatistics: Codable, Hashable, Sendable {
    /// Customers who were ever seen.
    public var totalUsers: Int
    /// Of them, those without a plan above the lowest.
    public var freeUsers: Int
    /// Whose plan has the code `PRO`, in capitals or not; trials and grants too.
    public var proUsers: Int
    /// Whose plan has the code `PREMIUM`.
    public var premiumUsers: Int
    /// Whose access is a free trial now.
    public var trialUsers: Int
    /// Who had access and has none any more.
    public var expiredUsers: Int
    /// Customers who ever paid, of all, in percent.
    public var conversionRate: Double
    /// Customers with paid access.
    public var activeSubscribers: Int
    /// By rank; those without a plan count under the lowest.
    public var plans: [Plan]

    public struct Plan: Codable, Hashable, Sendable {
        /// The plan's code.
        public var plan: String
        public var users: Int
        /// Of all customers, in percent.
        public var share: Double

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
