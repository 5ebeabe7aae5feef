import APITypes
import Billing
import HTTP
import Storage

extension RecurringRevenueReport.Row {
    init(_ revenue: RecurringRevenue, today: BusinessDay) {
        let movement = revenue.movement
        func amount(_ minorUnits: Int64) -> Amount { Amount(Money(minorUnits: minorUnits, currency: revenue.currency)) }
        self.init(
            from: revenue.period.first.description,
            to: revenue.period.last.description,
            isPartial: revenue.period.isPartial(on: today),
            currency: revenue.currency.code,
            start: amount(movement.start),
            new: amount(movement[.new]),
            reactivation: amount(movement[.reactivation]),
            expansion: amount(movement[.expansion]),
            contraction: amount(movement[.contraction]),
            churned: amount(movement[.churned]),
            moved: amount(movement[.moved]),
            end: amount(movement.end)
        )
    }
}

extension SubscriberReport.Row {
    /// - Parameter today: the day that is not over yet.
    init(_ count: SubscriberCount, today: BusinessDay) {
        let (movement, isPartial) = (count.movement, count.period.isPartial(on: today))
        self.init(
            from: count.period.first.description,
            to: count.period.last.description,
            isPartial: isPartial,
            start: Int(movement.start),
            new: Int(movement[.new]),
            reactivated: Int(movement[.reactivation]),
            moved: Int(movement[.moved]),
            ended: Int(-movement[.churned]),
            end: Int(movement.end),
            lost: isPartial ? nil : count.lost.map(Int.init),
            churnRate: isPartial ? nil : count.churnRate.map { Double($0) / 100 }
        )
    }
}

extension TrialReport.Row {
    init(_ count: TrialCount, today: BusinessDay) {
        self.init(
            from: count.period.first.description,
            to: count.period.last.description,
            isPartial: count.period.isPartial(on: today),
            trials: Int(count.trials),
            converted: Int(count.converted),
            pending: Int(count.pending),
            abandoned: Int(count.abandoned)
        )
    }
}
