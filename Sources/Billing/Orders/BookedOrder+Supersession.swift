package import Foundation

/// The replacement of an order by an upgrade before its period was over. Where its store refunds the unused part, it sends no message
/// about that (Apple: an upgrade is one DID_CHANGE_RENEWAL_PREF with the subtype UPGRADE, and no REFUND).
package struct Supersession: Hashable, Sendable {
    /// The time at which the upgrade began.
    package var at: Date
    /// The event that said so.
    package var eventID: String
    /// The store gives the unused part back. Where not, it took it off the upgrade's price, which is what the upgrade's order has.
    package var isCredited: Bool

    package init(at: Date, eventID: String, isCredited: Bool = true) {
        self.at = at
        self.eventID = eventID
        self.isCredited = isCredited
    }

    static let referencePrefix = "upgrade_credit:"
}

extension BookedOrder {
    /// Credits the unused part of a superseded order, by the second, as of the upgrade, less what is refunded, whenever it was. So
    /// no money is given back twice, should the store tell of it in a refund after all.
    ///
    /// A refund of the upgrade does not take the credit back: that is the money of another charge.
    mutating func creditUnusedPart() {
        guard let supersession, supersession.isCredited, let periodEndsAt,
            let unused = Proration(
                of: amount,
                from: periodStartsAt,
                to: periodEndsAt,
                at: supersession.at,
                atMost: amount
            )
        else { return }
        let units = unused.amount.minorUnits.minus(refunded.minorUnits)
        guard units > 0 else { return }
        entries.append(
            LedgerEntry(
                kind: .upgradeCredit,
                amount: Money(minorUnits: Int64.zero.minus(units), currency: amount.currency),
                occurredAt: supersession.at,
                reference: Supersession.referencePrefix + String(supersession.at.milliseconds),
                eventID: supersession.eventID
            )
        )
    }
}
