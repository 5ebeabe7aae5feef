/// The length of a renewal extension and its reason (`ExtendRenewalDateRequest`, `MassExtendRenewalDateRequest`).
package struct AppleExtension: Hashable, Sendable {
    /// 1 to 90.
    package var days: Int64
    package var reason: Reason
    /// Our own identifier; the same one again does nothing more.
    package var requestIdentifier: String

    package init(days: Int64, reason: Reason, requestIdentifier: String) {
        self.days = days
        self.reason = reason
        self.requestIdentifier = requestIdentifier
    }

    package enum Reason: Int64, Hashable, Sendable, CaseIterable {
        case undeclared = 0
        case customerSatisfaction = 1
        case other = 2
        case outage = 3
    }

    var body: JSON {
        [
            "extendByDays": .integer(days), "extendReasonCode": .integer(reason.rawValue),
            "requestIdentifier": .string(requestIdentifier),
        ]
    }

    /// - Parameter storefronts: three-letter countries; nil for all.
    func body(ofAllSubscribersTo productID: String, in storefronts: [String]?) -> JSON {
        var body = body
        body["productId"] = .string(productID)
        body["storefrontCountryCodes"] = storefronts.map { .array($0.map { .string($0) }) }
        return body
    }
}
