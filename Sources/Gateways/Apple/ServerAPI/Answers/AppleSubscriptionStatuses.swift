/// A customer's subscriptions, by subscription group (`StatusResponse`).
package struct AppleSubscriptionStatuses: Hashable, Sendable {
    package let groups: [Group]
    /// The errors of groups or subscriptions that could not be read, one each.
    package let unreadable: [String]
    package let bundleID: String?
    package let appAppleID: Int64?
    package let environment: AppleEnvironment?
    package let rawEnvironment: String?

    init(_ json: JSON) throws(GatewayError) {
        let fields = try JSONFields(json, of: "answer")
        bundleID = try fields.string("bundleId")
        appAppleID = try fields.integer("appAppleId")
        rawEnvironment = try fields.string("environment")
        environment = rawEnvironment.flatMap(AppleEnvironment.init(rawValue:))
        guard fields.value("data") != nil else { throw GatewayError(.missing, "The member data is missing.") }
        let (groups, odd) = try fields.readable("data", of: "subscription group") { fields throws(GatewayError) in
            try Group(fields)
        }
        self.groups = groups
        unreadable = odd + groups.flatMap(\.unreadable)
    }

    package struct Group: Hashable, Sendable {
        package let subscriptionGroupIdentifier: String?
        package let lastTransactions: [LastTransaction]
        package let unreadable: [String]

        init(_ fields: JSONFields) throws(GatewayError) {
            subscriptionGroupIdentifier = try fields.string("subscriptionGroupIdentifier")
            (lastTransactions, unreadable) = try fields.readable("lastTransactions", of: "last transaction") {
                fields throws(GatewayError) in
                try LastTransaction(fields)
            }
        }
    }

    /// The newest transaction of a subscription, and where it stands now.
    package struct LastTransaction: Hashable, Sendable {
        package let originalTransactionID: String?
        /// nil for a status that is not known here.
        package let status: AppleStatus?
        package let rawStatus: Int64?
        package let signedTransaction: String?
        package let signedRenewal: String?

        init(_ fields: JSONFields) throws(GatewayError) {
            originalTransactionID = try fields.string("originalTransactionId")
            rawStatus = try fields.integer("status")
            status = rawStatus.flatMap(AppleStatus.init(rawValue:))
            signedTransaction = try fields.string("signedTransactionInfo")
            signedRenewal = try fields.string("signedRenewalInfo")
        }
    }
}
