package import Foundation

extension [AccessPeriod] {
    /// The stretches after manual full refunds of some of their charges, whatever the store says of these: a stretch ends as a paid one at
    /// that moment, as a refund of the store's ends it. The customer keeps the access: the rest of the stretch costs nothing.
    ///
    /// - Parameter moments: the time of each transaction's full refund.
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
