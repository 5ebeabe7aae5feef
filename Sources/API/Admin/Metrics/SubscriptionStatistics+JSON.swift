import APITypes
import Billing
import HTTP
import Storage

extension SubscriptionStatistics {
    init(_ snapshot: CustomerSnapshot) {
        let users = snapshot.users
        func count(_ plan: String) -> Int {
            users.filter { $0.plan.lowercased() == plan }.reduce(0) { $0 + Int($1.customers) }
        }
        self.init(
            totalUsers: Int(snapshot.customers),
            freeUsers: Int(snapshot.free),
            proUsers: count("pro"),
            premiumUsers: count("premium"),
            trialUsers: Int(snapshot.trials),
            expiredUsers: Int(snapshot.expired),
            conversionRate: Double(snapshot.conversionRate ?? 0) / 100,
            activeSubscribers: Int(snapshot.subscribers),
            plans: users.map { plan in
                Plan(
                    plan: plan.plan,
                    users: Int(plan.customers),
                    share: Double(Revenue.rate(plan.customers, of: snapshot.customers) ?? 0) / 100
                )
            }
        )
    }
}
