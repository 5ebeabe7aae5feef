import Billing
import Foundation
import Gateways

/// The notifications that the simulated App Store sends of its own accord.
extension SimulatedBooks {
    /// Of a subscription as it stands now.
    mutating func tell(_ type: String, _ subtype: String?, about originalID: String, _ with: Answering) {
        guard let latest = latest(of: originalID) else { return }
        var transaction = latest.payload
        transaction["signedDate"] = with.now.milliseconds
        var renewal = subscriptions[originalID]?.renewal
        renewal?["signedDate"] = with.now.milliseconds
        let status = subscriptions[originalID]?.status
        let message = message(type, subtype, transaction, renewal, status: status, at: with.now)
        send(message, of: latest.customer, as: with.canNotify ? .due : .lost, at: with.now)
    }

    /// Of a purchase, which is thereby in the books.
    mutating func announce(_ type: String, _ subtype: String?, _ transaction: JSON, _ renewal: JSON?, _ with: Answering)
    {
        let status: Int64? = renewal == nil ? nil : 1
        let message = message(type, subtype, transaction, renewal, status: status, at: with.now)
        record(message, as: with.canNotify ? .due : .lost, at: with.now)
    }

    /// Of an extension of many, which is about no subscription.
    mutating func tellSum(
        of length: SimulatedExtension,
        _ productID: String,
        _ countries: [String],
        _ succeeded: Int64,
        _ failed: Int64,
        _ with: Answering
    ) {
        var summary = self.data()
        summary["appAppleId"] = .integer(appAppleID)
        summary["productId"] = .string(productID)
        summary["requestIdentifier"] = .string(length.requestIdentifier)
        summary["storefrontCountryCodes"] = .array(countries.map { .string($0) })
        summary["succeededCount"] = .integer(succeeded)
        summary["failedCount"] = .integer(failed)
        let message = SimulatedMessage(
            notification: notification("RENEWAL_EXTENSION", "SUMMARY", "summary", summary, at: with.now)
        )
        send(message, of: nil, as: with.canNotify ? .due : .lost, at: with.now)
    }

    /// A notification about a transaction.
    ///
    /// - Parameter status: Apple's 1 to 5; nil for what is no subscription.
    func message(
        _ type: String,
        _ subtype: String?,
        _ transaction: JSON,
        _ renewal: JSON?,
        status: Int64?,
        at now: Date
    ) -> SimulatedMessage {
        var data = self.data()
        data["bundleVersion"] = "42"
        data["status"] = status.map { .integer($0) }
        return SimulatedMessage(
            notification: notification(type, subtype, "data", data, at: now),
            transaction: transaction,
            renewal: renewal
        )
    }

    private func data() -> JSON {
        var data: JSON = ["bundleId": .string(bundleID), "environment": .string(environmentName)]
        if environment == .production { data["appAppleId"] = .integer(appAppleID) }
        return data
    }

    private func notification(
        _ type: String,
        _ subtype: String?,
        _ body: String,
        _ content: JSON,
        at now: Date
    ) -> JSON {
        var notification: JSON = ["notificationType": .string(type)]
        notification["subtype"] = subtype.map { .string($0) }
        notification["notificationUUID"] = .string(UUID().uuidString.lowercased())
        notification[body] = content
        notification["version"] = "2.0"
        notification["signedDate"] = now.milliseconds
        return notification
    }
}
