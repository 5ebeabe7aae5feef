package import Foundation

/// A customer's credits for one feature.
///
/// - Credits that expire first are spent first; those that never do come last. Of equals the older goes first.
/// - A refund takes back the refunded share of an order's credits. What of it was spent is paid by the customer's other credits, as if it
///   had been spent from them, and where there are none it is owed: the next ones pay it. So a customer never has credits and owes some, at
///   one time and in one environment.
/// - Credits of a store's sandbox and of production never pay for each other.
package struct CreditBook: Hashable, Sendable {
    /// Those that expire first come first.
    package private(set) var buckets: [CreditBucket]

    package init(_ buckets: [CreditBucket]) {
        self.buckets = buckets.sorted { $0.isSpent(before: $1) }
    }

    /// The number that can be spent at a moment.
    package func left(at now: Date) -> Int64 {
        settled(at: now).buckets.reduce(0) { sum, bucket in
            bucket.isCurrent(at: now) ? sum.plus(bucket.remaining) : sum
        }
    }

    /// The number that was spent of orders whose money went back, and that nothing has paid for.
    package func owed(at now: Date) -> Int64 { settled(at: now).buckets.reduce(0) { $0.plus($1.owed) } }

    /// The buckets of orders of which something is owed at a moment.
    package func debts(at now: Date) -> [CreditBucket] { settled(at: now).buckets.filter { $0.owed > 0 } }

    /// The buckets with credits that can be spent at a moment, in the order in which they are.
    package func current(at now: Date) -> [CreditBucket] {
        settled(at: now).buckets.filter { $0.isCurrent(at: now) && $0.remaining > 0 }
    }

    /// Spends all of an amount or nothing.
    ///
    /// - Returns: false where fewer are left.
    package mutating func spend(_ amount: Int64, at now: Date) -> Bool {
        settle(at: now)
        guard amount <= left(at: now) else { return false }
        var rest = amount
        for index in buckets.indices where buckets[index].isCurrent(at: now) {
            rest = rest.minus(buckets[index].pay(rest))
        }
        return true
    }

    /// Has as many of an order's credits taken back as its refunds ask for: fewer than before where a refund was reversed.
    package mutating func take(_ all: Int64, of id: CreditBucket.ID, at now: Date) {
        for index in buckets.indices where buckets[index].id == id { buckets[index].take(all) }
        settle(at: now)
    }

    /// Pays what is owed with what can be spent.
    package mutating func settle(at now: Date) {
        for debtor in buckets.indices where buckets[debtor].owed > 0 {
            for payer in buckets.indices
            where buckets[payer].isCurrent(at: now) && buckets[payer].isSandbox == buckets[debtor].isSandbox {
                let owed = buckets[debtor].owed
                let paid = buckets[payer].pay(owed)
                buckets[debtor].payBack(paid)
            }
        }
    }

    private func settled(at now: Date) -> CreditBook {
        var copy = self
        copy.settle(at: now)
        return copy
    }
}
