import Billing
package import Foundation
package import Gateways

/// A message of the simulated App Store, as the JSON that it signs: of any type, also of those that no life has.
package struct SimulatedMessage: Hashable, Sendable {
    /// The notification, without the signed tokens within `data`.
    package var notification: JSON
    package var transaction: JSON?
    package var renewal: JSON?
    /// Within `appData`.
    package var appTransaction: JSON?

    package init(
        notification: JSON,
        transaction: JSON? = nil,
        renewal: JSON? = nil,
        appTransaction: JSON? = nil
    ) {
        self.appTransaction = appTransaction
        self.notification = notification
        self.transaction = transaction
        self.renewal = renewal
    }

    package init(_ notification: SimulatedNotification) {
        self.init(
            notification: notification.payload(signedTransaction: nil, signedRenewal: nil),
            transaction: notification.transaction?.payload(within: notification),
            renewal: notification.renewal?.payload(within: notification)
        )
    }

    package var type: String { notification["notificationType"]?.string ?? "" }
    package var subtype: String? { notification["subtype"]?.string }
    package var signedDate: Date { notification["signedDate"]?.date ?? .distantPast }

    var status: Int64? { notification["data"]?["status"]?.integer }

    var environment: StoreEnvironment {
        let body =
            notification["data"] ?? notification["summary"] ?? notification["appData"] ?? notification["unclaimInfo"]
        if let name = body?["environment"]?.string { return name == "Sandbox" ? .sandbox : .production }
        let token = notification["externalPurchaseToken"]?["externalPurchaseId"]?.string
        return token?.hasPrefix("SANDBOX") == true ? .sandbox : .production
    }
}

extension AppleSigner {
    /// The `signedPayload` of the POST body.
    package func sign(_ message: SimulatedMessage) throws -> String {
        var payload = message.notification
        if var data = payload["data"] {
            if let transaction = message.transaction { data["signedTransactionInfo"] = .string(try sign(transaction)) }
            if let renewal = message.renewal { data["signedRenewalInfo"] = .string(try sign(renewal)) }
            payload["data"] = data
        }
        if var data = payload["appData"], let appTransaction = message.appTransaction {
            data["signedAppTransactionInfo"] = .string(try sign(appTransaction))
            payload["appData"] = data
        }
        return try sign(payload)
    }
}

extension JSON {
    var integer: Int64? {
        guard case .integer(let integer) = self else { return nil }
        return integer
    }

    var bool: Bool? {
        guard case .bool(let flag) = self else { return nil }
        return flag
    }

    /// Of milliseconds since 1970.
    var date: Date? { integer.map { Date(timeIntervalSince1970: Double($0) / 1_000) } }
}

extension Date {
    /// As Apple writes dates.
    var milliseconds: JSON { .integer(Int64(bounding: (timeIntervalSince1970 * 1_000).rounded())) }
}
