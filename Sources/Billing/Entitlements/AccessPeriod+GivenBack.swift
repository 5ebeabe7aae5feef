package import Foundation

extension [AccessPeriod] {
    /// The stretches when people gave some of their charges back in full, whatever the store says of it: a stretch ends
    /// as a paid one at that moment, as a refund of the store's ends it. What the customer may use stays theirs: what is
    /// left of the stretch costs nothing.
    ///
    /// - Parameter moments: since when each transaction is given back.
    package func givenBack(_ moments: [String: Date]) -> [AccessPeriod] {
        guard !moments.isEmpty else { return self }
        return flatMap { period -> [AccessPeriod] in
            guard let moment = moments[period.transactionID], period.isPaid, period.refundedAt == nil else {
                return [period]
            }
            var paid = period
            paid.refundedAt = moment
            guard moment < period.endsAt ?? .distantFuture else { return [paid] }
            var rest = paid
            rest.startsAt = Swift.max(moment, period.startsAt)
            rest.price = period.price.map { Money(minorUnits: 0, currency: $0.currency) }
            paid.endsAt = rest.startsAt
            paid.ending = .refunded
            return paid.isEmpty ? [rest] : [paid, rest]
        }
    }
}
