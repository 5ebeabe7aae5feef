import Foundation
import Gateways

extension SimulatedBooks {
    func statuses(of id: String, _ request: SimulatedRequest, _ with: Answering) throws -> StoreResponse {
        let customer = try entry(id).customer
        var wanted: Set<Int64> = []
        for text in request.all("status") {
            guard let status = Int64(text), (1...5).contains(status) else { throw SimulatedRefusal(.invalidStatus) }
            wanted.insert(status)
        }
        var groups: [(id: String, last: [JSON])] = []
        for originalID in Set(transactions(of: customer).map(\.originalID)).sorted() {
            guard let latest = latest(of: originalID), let subscription = subscriptions[originalID],
                latest.isSubscription, wanted.isEmpty || wanted.contains(subscription.status)
            else { continue }
            let group = latest.payload["subscriptionGroupIdentifier"]?.string ?? ""
            var last: JSON = [
                "originalTransactionId": .string(originalID), "status": .integer(subscription.status),
                "signedTransactionInfo": try signed(latest, with),
            ]
            if var renewal = subscription.renewal {
                renewal["signedDate"] = with.now.milliseconds
                last["signedRenewalInfo"] = .string(try with.signer.sign(renewal))
            }
            if let index = groups.firstIndex(where: { $0.id == group }) {
                groups[index].last.append(last)
            } else {
                groups.append((group, [last]))
            }
        }
        return .json([
            "environment": .string(environmentName), "bundleId": .string(bundleID), "appAppleId": .integer(appAppleID),
            "data": .array(
                groups.map { ["subscriptionGroupIdentifier": .string($0.id), "lastTransactions": .array($0.last)] }
            ),
        ])
    }
}
