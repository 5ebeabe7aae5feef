package import Foundation

/// What an app wants of whoever handles its refunds (product.md, decision 9; dashboard.md, rules 34 and 37).
///
/// Limits are in the app's reporting currency. An amount in another currency is not compared with them: then nobody
/// approves a request of their own, and the confirmation is always typed.
package struct RefundPolicy: Hashable, Sendable, Codable {
    /// Below this amount whoever asks for a refund may also approve it; nil means never.
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

    /// Whether somebody may approve a request of this amount that they made themselves.
    package func allowsSelfApproval(of amount: Money) -> Bool {
        guard let selfApprovalLimit, selfApprovalLimit.currency == amount.currency else { return false }
        return amount.minorUnits < selfApprovalLimit.minorUnits
    }

    /// Four eyes: whoever asked may not approve, unless the app allows it for so small an amount.
    ///
    /// - Parameters:
    ///   - requester: who asked; nil when a store did.
    ///   - approver: nil for the operator of the server, who is nobody's colleague.
    /// - Throws: `RefundRefused` with `.ownRequest`.
    package func requireFourEyes(requester: UUID?, approver: UUID?, amount: Money) throws(RefundRefused) {
        guard let requester, requester == approver, !allowsSelfApproval(of: amount) else { return }
        throw RefundRefused(.ownRequest, "Whoever asked for a refund cannot approve it: another admin has to.")
    }

    /// Whether the confirmation is to be typed for this amount.
    package func asksToType(for amount: Money) -> Bool {
        guard typedConfirmationFrom.currency == amount.currency else { return true }
        return amount.minorUnits >= typedConfirmationFrom.minorUnits
    }

    /// What is to be typed: the last six characters of the order's number.
    package static func confirmation(of orderNumber: String) -> String {
        String(orderNumber.suffix(6))
    }

    /// - Throws: `RefundRefused` with `.notConfirmed` when it should have been typed and was not.
    package func requireConfirmation(_ typed: String?, of orderNumber: String, for amount: Money) throws(RefundRefused)
    {
        guard asksToType(for: amount) else { return }
        let typed = (typed ?? "").filter { !$0.isWhitespace }.uppercased()
        guard typed == Self.confirmation(of: orderNumber).uppercased() else {
            throw RefundRefused(.notConfirmed, "Type the last six characters of the order's number.")
        }
    }

    /// When a request of this moment goes stale, unless somebody acts.
    package func expiry(from moment: Date) -> Date {
        moment.addingTimeInterval(Double(requestExpiresAfterDays) * 86_400)
    }
}
