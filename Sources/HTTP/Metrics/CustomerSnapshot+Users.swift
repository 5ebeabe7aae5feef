package import Storage

extension CustomerSnapshot {
    /// Everybody by plan; who has none counts under the lowest.
    package var users: [PlanCount] {
        plans.map { $0.rank == 0 ? PlanCount(plan: $0.plan, rank: 0, customers: free) : $0 }
    }
}
