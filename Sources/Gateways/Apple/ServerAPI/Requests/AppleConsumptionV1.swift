package import Foundation

/// The older form of `AppleConsumption`, which Advanced Commerce purchases still need (`ConsumptionRequestV1`): Apple's
/// numbers, as its documentation lists them.
package struct AppleConsumptionV1: Hashable, Sendable {
    package var customerConsented: Bool
    package var sampleContentProvided: Bool
    package var appAccountToken: UUID?
    package var consumptionStatus: Int64?
    package var platform: Int64?
    package var deliveryStatus: Int64?
    package var accountTenure: Int64?
    package var playTime: Int64?
    package var lifetimeDollarsRefunded: Int64?
    package var lifetimeDollarsPurchased: Int64?
    package var userStatus: Int64?
    package var refundPreference: Int64?

    package init(customerConsented: Bool, sampleContentProvided: Bool, appAccountToken: UUID? = nil) {
        self.customerConsented = customerConsented
        self.sampleContentProvided = sampleContentProvided
        self.appAccountToken = appAccountToken
    }

    var body: JSON {
        var body: JSON = [
            "customerConsented": .bool(customerConsented), "sampleContentProvided": .bool(sampleContentProvided),
            // Apple wants it there, empty where it is not known.
            "appAccountToken": .string(appAccountToken?.uuidString.lowercased() ?? ""),
        ]
        body["consumptionStatus"] = consumptionStatus.map { .integer($0) }
        body["platform"] = platform.map { .integer($0) }
        body["deliveryStatus"] = deliveryStatus.map { .integer($0) }
        body["accountTenure"] = accountTenure.map { .integer($0) }
        body["playTime"] = playTime.map { .integer($0) }
        body["lifetimeDollarsRefunded"] = lifetimeDollarsRefunded.map { .integer($0) }
        body["lifetimeDollarsPurchased"] = lifetimeDollarsPurchased.map { .integer($0) }
        body["userStatus"] = userStatus.map { .integer($0) }
        body["refundPreference"] = refundPreference.map { .integer($0) }
        return body
    }
}
