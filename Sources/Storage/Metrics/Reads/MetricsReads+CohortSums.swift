package import Billing

extension MetricsReads {
    /// The totals of the rows behind a customer metric, read in the same way as the metric.
    ///
    /// - Parameters:
    ///   - currency: the currency of the customers' revenue.
    ///   - day: the last day that the metrics cover.
    package func sums(
        behind filter: CohortRowsFilter,
        in currency: Currency,
        on day: BusinessDay,
        app: App.ID
    ) async throws -> CohortSums {
        let question = MetricsQuery(
            filter: filter.metrics,
            monthsFrom: filter.month.first,
            through: filter.month.last
        )
        switch filter.metric {
        case .retention:
            let cohort = try await retention(question, every: filter.length, on: day, app: app).first
            guard let step = filter.step, let cohort else { return CohortSums(count: cohort?.subscriptions ?? 0) }
            let (paid, whole) = (cohort.paid(for: step), cohort.whole(of: step))
            return CohortSums(count: filter.paid ? paid : whole - paid, whole: whole)
        case .conversion:
            let cohort = try await conversion(question, app: app).first
            return filter.part(of: cohort?.customers ?? 0, cohort?.paid ?? [])
        case .customers, .payers:
            let value = try await monthlyValue(question, in: currency, app: app)
            let row = value.rows.first
            let isOfPayers = filter.metric == .payers
            return CohortSums(
                count: (isOfPayers ? row?.payers : row?.customers) ?? 0,
                net: Money(minorUnits: row?.net ?? 0, currency: currency),
                share: isOfPayers ? row?.perPayer : row?.perCustomer,
                unconverted: value.unconverted,
                unpriced: value.unpriced
            )
        case .lifetime, .lifetimePayers:
            let value = try await lifetimeValue(question, in: currency, app: app)
            let row = value.rows.first { $0.month == filter.month }
            let isOfPayers = filter.metric == .lifetimePayers
            return CohortSums(
                count: (isOfPayers ? row?.payers : row?.customers) ?? 0,
                net: Money(minorUnits: row?.net ?? 0, currency: currency),
                share: isOfPayers ? row?.perPayer : row?.perCustomer,
                unconverted: value.unconverted,
                unpriced: value.unpriced
            )
        case .holders:
            let snapshot = try await customerSnapshot(app: app)
            let held = snapshot.plans.filter { $0.plan == filter.metrics.plan ?? $0.plan }
            return CohortSums(count: held.reduce(0) { $0 + $1.customers }, whole: snapshot.customers)
        case .free:
            let snapshot = try await customerSnapshot(app: app)
            return CohortSums(count: snapshot.free, whole: snapshot.customers)
        case .trials:
            let snapshot = try await customerSnapshot(app: app)
            return CohortSums(count: snapshot.trials, whole: snapshot.customers)
        }
    }
}

extension CohortRowsFilter {
    /// - Parameter paid: the number of payers at each step.
    fileprivate func part(of whole: Int64, _ paid: [Int64]) -> CohortSums {
        guard let step else { return CohortSums(count: whole) }
        let count = paid.indices.contains(step) ? paid[step] : 0
        return CohortSums(count: self.paid ? count : whole - count, whole: whole)
    }
}
