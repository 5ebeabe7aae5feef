import Billing
import Foundation

extension SimulatedSubscribers {
    /// Customers who asked for their money back in the last hours, so that Apple waits for an answer: the newest charges of at least a day.
    ///
    /// - Parameters:
    ///   - notifications: all of them, in the order of signing.
    ///   - count: how many ask: the last two hours before the end, the others an hour and a half before the one after.
    package func openCases(
        among notifications: [SimulatedNotification],
        count: Int = 3
    ) -> [SimulatedNotification] {
        var last: [UUID: SimulatedNotification] = [:]
        for told in notifications { if let customer = told.customer { last[customer] = told } }
        let charges = last.values.filter { told in
            ["SUBSCRIBED", "DID_RENEW"].contains(told.type) && told.environment == .production
                && told.signedDate < end.addingTimeInterval(-86_400)
                && told.transaction.map { $0.price > 0 && $0.expiresDate > end && !$0.isFamilyShared } == true
        }
        let newest = charges.sorted {
            ($0.signedDate, $0.notificationUUID.uuidString) > ($1.signedDate, $1.notificationUUID.uuidString)
        }
        let reasons = ["UNINTENDED_PURCHASE", "FULFILLMENT_ISSUE", "UNSATISFIED_WITH_PURCHASE"]
        var random = SeededRandom(seed: seed, stream: .max - 1)
        return zip(newest.prefix(max(0, count)), 0...).map { charge, number in
            var asked = charge
            asked.notificationUUID = random.uuid()
            (asked.type, asked.subtype) = ("CONSUMPTION_REQUEST", nil)
            asked.consumptionRequestReason = reasons[number % reasons.count]
            asked.signedDate = end.addingTimeInterval(-7_200 - Double(number) * 5_400)
            return asked
        }
    }
}
