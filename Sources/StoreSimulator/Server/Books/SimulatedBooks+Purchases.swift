import Foundation
import Gateways

/// Purchases and renewals on the word of whoever tries things out.
extension SimulatedBooks {
    /// Buys, and tells of it. What is owned for ever is not sold to the same account twice: it is the purchase of before.
    ///
    /// - Returns: the transaction.
    mutating func buy(_ purchase: SimulatedPurchase, _ with: Answering) -> JSON {
        if purchase.type == .nonConsumable, let token = purchase.appAccountToken,
            let owned = transactions.values.first(where: {
                $0.payload["productId"]?.string == purchase.productID
                    && $0.payload["appAccountToken"]?.string == token.uuidString.lowercased()
                    && $0.payload["revocationDate"] == nil
            })
        {
            return owned.payload
        }
        let transaction = purchase.transaction(nextTransactionID, of: self, at: with.now)
        guard purchase.type == .autoRenewable else {
            announce("ONE_TIME_CHARGE", nil, transaction, nil, with)
            return transaction
        }
        announce("SUBSCRIBED", "INITIAL_BUY", transaction, renewal(of: transaction, at: with.now), with)
        return transaction
    }

    /// Renews a subscription at its end, with the next period of its commitment.
    ///
    /// - Returns: the transaction.
    /// - Throws: `SimulatedRefusal` for what there is not, and what does not renew.
    mutating func renew(_ originalID: String, _ with: Answering) throws(SimulatedRefusal) -> JSON {
        guard let latest = latest(of: originalID), latest.isSubscription, let end = latest.payload["expiresDate"]?.date
        else { throw SimulatedRefusal(.originalTransactionIDNotFound) }
        var transaction = latest.payload
        let length = end.timeIntervalSince(latest.purchaseDate)
        let id = nextTransactionID
        transaction["transactionId"] = .string(id)
        transaction["webOrderLineItemId"] = .string("9" + id)
        transaction["transactionReason"] = "RENEWAL"
        transaction["purchaseDate"] = end.milliseconds
        transaction["expiresDate"] = end.addingTimeInterval(length).milliseconds
        transaction["signedDate"] = with.now.milliseconds
        if let commitment = transaction["commitmentInfo"], let number = commitment["billingPeriodNumber"]?.integer,
            let periods = commitment["totalBillingPeriods"]?.integer
        {
            let isOver = number >= periods
            // safe: below the number of periods
            transaction["commitmentInfo"]?["billingPeriodNumber"] = .integer(isOver ? 1 : number + 1)
            if isOver {
                transaction["commitmentInfo"]?["commitmentExpiresDate"] =
                    end.addingTimeInterval(length * Double(periods)).milliseconds
            }
        }
        announce("DID_RENEW", nil, transaction, renewal(of: transaction, at: with.now), with)
        return transaction
    }

    /// Of its own range: what simulated customers buy is numbered otherwise.
    private var nextTransactionID: String { "99\(String(transactions.count + 1_000_000_000_001))" }  // safe: a count

    /// The renewal that is planned for the end of a transaction.
    func renewal(of transaction: JSON, at now: Date) -> JSON {
        var renewal: JSON = [
            "autoRenewStatus": 1, "environment": .string(environmentName), "signedDate": now.milliseconds,
        ]
        for name in ["originalTransactionId", "productId", "appTransactionId", "appAccountToken", "currency"] {
            renewal[name] = transaction[name]
        }
        renewal["autoRenewProductId"] = transaction["productId"]
        renewal["renewalDate"] = transaction["expiresDate"]
        renewal["renewalPrice"] = transaction["price"]
        guard let commitment = transaction["commitmentInfo"] else { return renewal }
        renewal["renewalBillingPlanType"] = "MONTHLY"
        renewal["commitmentInfo"] = ["commitmentAutoRenewStatus": 1]
        renewal["commitmentInfo"]?["commitmentAutoRenewProductId"] = transaction["productId"]
        renewal["commitmentInfo"]?["commitmentRenewalDate"] = commitment["commitmentExpiresDate"]
        renewal["commitmentInfo"]?["commitmentRenewalPrice"] = commitment["commitmentPrice"]
        return renewal
    }
}
