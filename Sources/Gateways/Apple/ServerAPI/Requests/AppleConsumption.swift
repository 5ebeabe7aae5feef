/// An app's information for Apple about a purchase whose refund was requested (`ConsumptionRequest`).
///
/// Apple accepts it only with the customer's consent, within twelve hours.
package struct AppleConsumption: Hashable, Sendable {
    package var customerConsented: Bool
    package var sampleContentProvided: Bool
    package var deliveryStatus: DeliveryStatus
    /// In thousandths of a percent; not for auto-renewable subscriptions.
    package var consumptionPercentage: Int64?
    package var refundPreference: RefundPreference?

    package init(
        customerConsented: Bool,
        sampleContentProvided: Bool,
        deliveryStatus: DeliveryStatus,
        consumptionPercentage: Int64? = nil,
        refundPreference: RefundPreference? = nil
    ) {
        self.customerConsented = customerConsented
        self.sampleContentProvided = sampleContentProvided
        self.deliveryStatus = deliveryStatus
        self.consumptionPercentage = consumptionPercentage
        self.refundPreference = refundPreference
    }

    package enum DeliveryStatus: String, Hashable, Sendable, CaseIterable {
        case delivered = "DELIVERED"
        case qualityIssue = "UNDELIVERED_QUALITY_ISSUE"
        case wrongItem = "UNDELIVERED_WRONG_ITEM"
        case serverOutage = "UNDELIVERED_SERVER_OUTAGE"
        case other = "UNDELIVERED_OTHER"
    }

    package enum RefundPreference: String, Hashable, Sendable, CaseIterable {
        case decline = "DECLINE"
        case grantFull = "GRANT_FULL"
        case grantProrated = "GRANT_PRORATED"
    }

    var body: JSON {
        var body: JSON = [
            "customerConsented": .bool(customerConsented), "sampleContentProvided": .bool(sampleContentProvided),
            "deliveryStatus": .string(deliveryStatus.rawValue),
        ]
        body["consumptionPercentage"] = consumptionPercentage.map { .integer($0) }
        body["refundPreference"] = refundPreference.map { .string($0.rawValue) }
        return body
    }
}
