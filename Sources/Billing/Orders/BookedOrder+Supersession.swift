package import Foundation

/// The replacement of an order by an upgrade before its period was over. The store refunds the unused part and sends no message about it
/// (Apple: an upgrade is one DID_CHANGE_RENEWAL_PREF with the subtype UPGRADE, and no REFUND).
package struct Supersession: Hashable, Sendable {
    /// The time at which the upgrade began.
    package var at: Date
    /// The event that said so.
    package var eventID: String

    package init(at: Date, eventID: String) {
        self.at = at
        self.eventID = eventID
    }

    static let referencePrefix = "upgrade_credit:"
}

extension BookedOrder {
    /// Credits the unused part of a superseded order, by the second, as of the upgrade, less what is refunded, whenever it was. So
    /// no money is given back twice, should the store tell of it in a refund after all.
    ///
    /// A refund of the upgrade does not take the credit back: that is the money of another charge.
    mutating func creditUnusedPart() {
        guard let supersession, let periodEndsAt,
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
