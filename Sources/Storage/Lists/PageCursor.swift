package import Billing
package import Foundation

/// A place in a sorted list: the sort value and key of one row, which the page goes on from.
///
/// Costs the same wherever it lies, and stays right when rows are added before it (dashboard.md, "keyset cursors").
package struct PageCursor: Hashable, Sendable {
    /// The sort key; a cursor is only valid for that order.
    package var kind: Kind
    /// Minor units of an amount, or microseconds since 1970.
    package var value: Int64
    /// Breaks ties.
    package var id: UUID
    /// The number of rows before the row that the page starts after (or ends before), for "26–50 of 1,284".
    package var rowsBefore: Int

    package init(kind: Kind, value: Int64, id: UUID, rowsBefore: Int) {
        self.kind = kind
        self.value = value
        self.id = id
        self.rowsBefore = rowsBefore
    }

    package init(kind: Kind, date: Date, id: UUID, rowsBefore: Int) {
        let value = Int64(bounding: (date.timeIntervalSince1970 * 1_000_000).rounded())
        self.init(kind: kind, value: value, id: id, rowsBefore: rowsBefore)
    }

    package init(kind: Kind, day: BusinessDay, id: UUID, rowsBefore: Int) {
        let value = Int64(day.number) * 86_400_000_000  // safe: days are of 32 bits
        self.init(kind: kind, value: value, id: id, rowsBefore: rowsBefore)
    }

    /// The sort value as a moment, exact to the microsecond.
    package var date: Date {
        Date(timeIntervalSince1970: Double(value) / 1_000_000)
    }

    /// The sort orders there are cursors for. Raw values stand in URLs: they are never given another meaning.
    package enum Kind: UInt8, Sendable, CaseIterable {
        case orderCreated = 1
        case orderAmount = 2
        case notificationReceived = 3
        case queueRows = 4
        case refundDeadline = 40
        case refundRequested = 41
        case refundAmount = 42
        case auditWritten = 60
        case customerCreated = 10
        case subscriptionStarted = 11
        case subscriptionEnd = 12
        case timeline = 13
        case noteWritten = 14
        case ledger = 15
        case subscriberRows = 16
        case access = 17
        case cohortRows = 18
        case nearLimit = 24
        case reconciliationStarted = 19
        case extensionFailed = 21
        case externalPurchaseToken = 22
        case extensionStarted = 23
        case billDay = 25
        case billDifferenceFound = 26
        case checkoutOpened = 27
        case seatClaimed = 33
        case seatSeen = 34
        case seatUnanswered = 35
        case promoBatchMade = 50
        case promoRedeemed = 51
    }
}
