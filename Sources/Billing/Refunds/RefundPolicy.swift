package import Foundation

/// The rules of an app for those who handle its refunds (product.md, decision 9; dashboard.md, rules 34 and 37).
///
/// Limits are in the app's reporting currency, and so is what is compared with them: an amount in another currency counts
/// at the rate of the day. Where there is no rate, nobody approves a request of their own, and the confirmation is
/// typed. They hold for an order and for an admin's day: what was approved before counts, so that no sum of small requests
/// gets past them.
package struct RefundPolicy: Hashable, Sendable, Codable {
    /// As long as it all stays below this amount, the requester of a refund may also approve it; nil means never.
    package var selfApprovalLimit: Money?
    /// From this amount on an approval asks for the last characters of the order's number.
    package var typedConfirmationFrom: Money
    /// After so many days nobody waits any more.
    package var requestExpiresAfterDays: Int

    package init(selfApprovalLimit: Money?, typedConfirmationFrom: Money, requestExpiresAfterDays: Int) {
        self.selfApprovalLimit = selfApprovalLimit
        self.typedConfirmationFrom = typedConfirmationFrom
        self.requestExpiresAfterDays = requestExpiresAfterDays
    }

    package static let standardExpiryDays = 30
    package static let expiryDays = 1...3_650

    /// Another person always, typed from 100.00 on, 30 days.
    package static func standard(in currency: Currency) -> RefundPolicy {
        let hundred = (0..<currency.digits).reduce(Int64(100)) { units, _ in units * 10 }
        return RefundPolicy(
            selfApprovalLimit: nil,
            typedConfirmationFrom: Money(minorUnits: hundred, currency: currency),
            requestExpiresAfterDays: standardExpiryDays
        )
    }

    /// The reason that a person may not approve their own request of this amount; nil if they may.
    ///
    /// - Parameter amount: in the reporting currency; nil where there is no rate.
    package func selfApprovalBar(of amount: Money?, after before: ApprovedBefore) -> SelfApprovalBar? {
        guard let selfApprovalLimit, let amount, selfApprovalLimit.currency == amount.currency,
            amount.minorUnits < selfApprovalLimit.minorUnits
        else { return .amount }
        if !before.ownOnOrder.isBelow(selfApprovalLimit, with: amount) {
            return .order(
                before: Money(minorUnits: before.ownOnOrder, currency: amount.currency),
                limit: selfApprovalLimit
            )
        }
        if !before.ownToday.isBelow(selfApprovalLimit, with: amount) {
            return .day(before: Money(minorUnits: before.ownToday, currency: amount.currency), limit: selfApprovalLimit)
        }
        return nil
    }

    /// Requires a second person: the requester may not approve, unless the app allows it for so little, on this order and on this day.
    ///
    /// - Parameters:
    ///   - requester: the person who asked; nil for a store.
    ///   - approver: nil for the operator of the server, who is nobody's colleague.
    ///   - amount: in the reporting currency; nil if there is no rate.
    /// - Throws: `RefundRefused` with `.ownRequest`.
    package func requireFourEyes(
        requester: UUID?,
        approver: UUID?,
        amount: Money?,
        after before: ApprovedBefore
    ) throws(RefundRefused) {
        guard let requester, requester == approver, let bar = selfApprovalBar(of: amount, after: before) else { return }
        throw RefundRefused(.ownRequest(bar), "\(bar.reason): another admin has to approve it.")
    }

    /// True if an approval of this amount needs a typed confirmation.
    ///
    /// - Parameter amount: in the reporting currency; nil where there is no rate.
    package func asksToType(for amount: Money?, after before: ApprovedBefore) -> Bool {
        guard let amount, typedConfirmationFrom.currency == amount.currency else { return true }
        return ![0, before.onOrder, before.today].allSatisfy { $0.isBelow(typedConfirmationFrom, with: amount) }
    }

    /// The text to type: the last six characters of the order's number.
    package static func confirmation(of orderNumber: String) -> String {
        String(orderNumber.suffix(6))
    }

    /// - Parameter amount: in the reporting currency; nil where there is no rate.
    /// - Throws: `RefundRefused` with `.notConfirmed` when it should have been typed and was not.
    package func requireConfirmation(
        _ typed: String?,
        of orderNumber: String,
        for amount: Money?,
        after before: ApprovedBefore
    ) throws(RefundRefused) {
        guard asksToType(for: amount, after: before) else { return }
        let typed = (typed ?? "").filter { !$0.isWhitespace }.uppercased()
        guard typed == Self.confirmation(of: orderNumber).uppercased() else {
            throw RefundRefused(.notConfirmed, "Type the last six characters of the order's number.")
        }
    }

    /// The time at which a request made at `moment` expires unless somebody acts.
    package func expiry(from moment: Date) -> Date {
        moment.addingTimeInterval(Double(requestExpiresAfterDays) * 86_400)
    }
}

/// The amounts that an approval is weighed with against the limits.
package struct ApprovalWeight: Hashable, Sendable {
    /// The amount to approve, in the reporting currency at the day's rate; nil where there is no rate.
    package var amount: Money?
    package var before: ApprovedBefore

    package init(amount: Money?, after before: ApprovedBefore = .nothing) {
        self.amount = amount
        self.before = before
    }
}

/// The earlier approvals that count towards the limits of one more: minor units of the reporting currency, at the rates of the day of each
/// approval. Approvals without a rate are left out; each of these was confirmed by typing.
package struct ApprovedBefore: Hashable, Sendable {
    /// Of this order, by anybody.
    package var onOrder: Int64
    /// Of this order, by the person who made the request.
    package var ownOnOrder: Int64
    /// By this admin today, in the app's time zone.
    package var today: Int64
    /// By this admin today, of their own requests.
    package var ownToday: Int64

    package init(onOrder: Int64, ownOnOrder: Int64, today: Int64, ownToday: Int64) {
        self.onOrder = onOrder
        self.ownOnOrder = ownOnOrder
        self.today = today
        self.ownToday = ownToday
    }

    package static let nothing = ApprovedBefore(onOrder: 0, ownOnOrder: 0, today: 0, ownToday: 0)
}

/// The reason that a person may not approve their own request.
package enum SelfApprovalBar: Hashable, Sendable {
    /// The app does not allow it, or not for so much.
    case amount
    /// Together with the order's earlier self-approvals.
    case order(before: Money, limit: Money)
    /// Together with the same person's self-approvals of today.
    case day(before: Money, limit: Money)

    /// A clause for programs.
    var reason: String {
        switch self {
        case .amount: "Whoever asked for a refund cannot approve it"
        case .order(let before, let limit):
            "With \(before) of this order approved before by whoever asked, this reaches the limit of \(limit) for an order"
        case .day(let before, let limit):
            "With \(before) that you approved today of what you asked for, this reaches the limit of \(limit) for a day"
        }
    }
}

extension Int64 {
    /// True if it is still below a limit with an amount added.
    fileprivate func isBelow(_ limit: Money, with amount: Money) -> Bool {
        let (sum, overflows) = addingReportingOverflow(amount.minorUnits)
        return !overflows && sum < limit.minorUnits
    }
}
