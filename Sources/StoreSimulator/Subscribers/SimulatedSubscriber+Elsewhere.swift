import Foundation

/// Subscribers that do not pay: family members, and testers in the Sandbox.
extension SimulatedSubscriber {
    /// Shares a subscription that somebody else pays for, until that ends or they leave the family.
    mutating func liveInFamily() {
        let leaves = scenario == .familyLeft
        buy(nextProduct, at: customer.joinsAt)
        tell("SUBSCRIBED", "INITIAL_BUY", at: customer.joinsAt)
        while transaction.purchaseDate < end {
            if leaves || random.chance(0.04) {
                let date = moment(random.double(0.2...0.8))
                transaction.revocation = SimulatedRevocation(date: date, reason: 0, type: "FAMILY_REVOKE")
                return tell("REVOKE", at: date, status: 5)
            }
            if random.chance(0.05) { return expire("VOLUNTARY", intent: 1, at: transaction.expiresDate) }
            let date = transaction.expiresDate
            renew(at: date)
            tell("DID_RENEW", at: date)
        }
    }

    /// Lives in the Sandbox, which shortens a month to five minutes and ends a subscription by itself after at most twelve
    /// renewals.
    mutating func liveInSandbox() {
        buy(nextProduct, at: customer.joinsAt)
        transaction.expiresDate = transaction.purchaseDate.addingTimeInterval(Self.sandboxPeriod)
        tell("SUBSCRIBED", "INITIAL_BUY", at: transaction.purchaseDate)
        for _ in 0..<(3 + random.index(below: 10)) {
            let date = transaction.expiresDate
            renew(at: date)
            transaction.expiresDate = date.addingTimeInterval(Self.sandboxPeriod)
            tell("DID_RENEW", at: date)
        }
        expire("VOLUNTARY", intent: 1, at: transaction.expiresDate)
    }

    /// The length of a month in the Sandbox, in seconds.
    private static let sandboxPeriod: TimeInterval = 300
}
