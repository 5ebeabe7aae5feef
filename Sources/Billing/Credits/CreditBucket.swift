package import Foundation

/// The credits of one order for one feature: uses beside what the customer's plan includes.
package struct CreditBucket: Hashable, Sendable, Identifiable {
    package typealias ID = Identifier<Order>

    /// The order that brought them.
    package let id: ID
    package let isSandbox: Bool
    package let granted: Int64
    /// The part of those granted that went back with the order's money.
    package private(set) var taken: Int64
    /// The part of the rest that is not spent.
    package private(set) var remaining: Int64
    /// The part of those taken that had been spent, and that no other credits have paid for since.
    package private(set) var owed: Int64
    /// The time from which they can be spent.
    package let startsAt: Date
    /// nil for never: what was bought without a period.
    package let expiresAt: Date?

    package init(
        id: ID,
        isSandbox: Bool = false,
        granted: Int64,
        taken: Int64 = 0,
        remaining: Int64,
        owed: Int64 = 0,
        startsAt: Date,
        expiresAt: Date?
    ) {
        (self.id, self.isSandbox) = (id, isSandbox)
        (self.granted, self.taken, self.remaining, self.owed) = (granted, taken, remaining, owed)
        (self.startsAt, self.expiresAt) = (startsAt, expiresAt)
    }

    /// True if they can be spent at a moment.
    package func isCurrent(at now: Date) -> Bool {
        startsAt <= now && expiresAt.map { $0 > now } ?? true
    }

    /// - Returns: the part of `amount` that they paid.
    mutating func pay(_ amount: Int64) -> Int64 {
        let paid = min(amount, remaining)
        remaining = remaining.minus(paid)
        return paid
    }

    /// - Parameter paid: at most what is owed.
    mutating func payBack(_ paid: Int64) { owed = owed.minus(paid) }

    /// Has as many taken as the refunds of its order ask for.
    mutating func take(_ all: Int64) {
        let target = min(max(0, all), granted)
        if target > taken {
            let more = target.minus(taken)
            owed = owed.plus(more.minus(pay(more)))
        } else {
            // The store took a refund back: what is owed is owed no more, and the rest can be spent again.
            let back = taken.minus(target)
            let settled = min(back, owed)
            payBack(settled)
            remaining = remaining.plus(back.minus(settled))
        }
        taken = target
    }

    /// True if they are spent before other ones: what expires first, then what is older.
    func isSpent(before other: CreditBucket) -> Bool {
        let (end, otherEnd) = (expiresAt ?? .distantFuture, other.expiresAt ?? .distantFuture)
        guard end == otherEnd else { return end < otherEnd }
        guard startsAt == other.startsAt else { return startsAt < other.startsAt }
        return id.description < other.id.description
    }
}
