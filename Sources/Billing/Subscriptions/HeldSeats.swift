/// The seats of a subscription's current period.
package struct HeldSeats: Hashable, Sendable {
    /// The party that invites to them.
    package var invitations: StoreTransaction.Invitations?
    /// The number of seats that it renews with; nil where the store does not say.
    package var next: Int?
    private var parts: [String: Part] = [:]
    /// True if the store says that more than one transaction paid for the period.
    private var isOfMany = false

    /// The seats of one of the period's transactions.
    private struct Part: Hashable {
        var count: Int
        var revoked: Int
        var isTakenBack: Bool
    }

    /// nil for what is not sold by seats.
    init?(_ transaction: StoreTransaction) {
        guard transaction.seats != nil else { return nil }
        hear(transaction)
    }

    /// The seats that the period's transactions paid for.
    package var bought: Int { parts.values.reduce(0) { $0 + $1.count } }

    /// The number of them that was given back.
    package var revoked: Int { parts.values.reduce(0) { $0 + ($1.isTakenBack ? $1.count : $1.revoked) } }

    /// True if any transaction of the period stands. Access ends only when none does.
    var stands: Bool { parts.values.contains { !$0.isTakenBack } }

    /// True if another transaction of the period is not known here.
    package var lacksPart: Bool { isOfMany && parts.count == 1 }

    mutating func hear(_ transaction: StoreTransaction) {
        var part = parts[transaction.id] ?? Part(count: transaction.quantity, revoked: 0, isTakenBack: false)
        part.count = transaction.quantity
        part.revoked = min(transaction.seats?.revoked ?? part.revoked, part.count)
        part.isTakenBack = part.isTakenBack || transaction.revocation != nil
        parts[transaction.id] = part
        isOfMany = isOfMany || transaction.seats?.isAddition == true
        invitations = transaction.seats?.invitations ?? invitations
    }

    mutating func takeBack(_ transactionID: String) { parts[transactionID]?.isTakenBack = true }

    mutating func giveBack(_ transactionID: String) { parts[transactionID]?.isTakenBack = false }

    /// The store's word for all of them.
    mutating func settle(areTakenBack: Bool) {
        for id in parts.keys { parts[id]?.isTakenBack = areTakenBack }
    }
}
