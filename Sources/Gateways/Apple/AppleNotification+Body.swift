import Billing

extension AppleNotification {
    /// The one of the five objects that a notification is about: `data`, `summary`, `externalPurchaseToken`, `appData`, `unclaimInfo`.
    struct Body: Sendable {
        let name: String
        /// Empty where an `unclaimInfo` names no app.
        let bundleID: String
        let appAppleID: Int64?
        let rawEnvironment: String
        let bundleVersion: String?
        let status: Int64?
        let consumptionRequestReason: String?
        let signedTransaction: String?
        let signedRenewal: String?
        let signedAppTransaction: String?
        let summary: AppleExtensionSummary?
        let externalPurchaseToken: AppleExternalPurchaseToken?
        let unclaimed: AppleUnclaimedSeats?
        /// The first member that cannot be read although it is authentic; it is nil then.
        let problem: GatewayError?

        init(_ payload: JSON) throws(GatewayError) {
            guard let (name, fields) = try Self.find(in: payload),
                let bundleID = try fields.string("bundleId") ?? (name == Self.unclaimInfo ? "" : nil)
            else {
                throw GatewayError(.wrongApp, "The notification does not say which app it is about.")
            }
            self.name = name
            self.bundleID = bundleID
            appAppleID = try fields.integer("appAppleId")
            bundleVersion = try? fields.string("bundleVersion")
            var notes = Problems()
            status = notes.read { () throws(GatewayError) in try fields.integer("status") }
            consumptionRequestReason = notes.read { () throws(GatewayError) in
                try fields.string("consumptionRequestReason")
            }
            signedTransaction = notes.read { () throws(GatewayError) in try fields.string("signedTransactionInfo") }
            signedRenewal = notes.read { () throws(GatewayError) in try fields.string("signedRenewalInfo") }
            signedAppTransaction = notes.read { () throws(GatewayError) in
                try fields.string("signedAppTransactionInfo")
            }
            summary = notes.read { () throws(GatewayError) in
                name == "summary" ? try AppleExtensionSummary(fields) : nil
            }
            externalPurchaseToken = notes.read { () throws(GatewayError) in
                name == "externalPurchaseToken" ? try AppleExternalPurchaseToken(fields) : nil
            }
            unclaimed = notes.read { () throws(GatewayError) in
                name == Self.unclaimInfo ? try AppleUnclaimedSeats(fields) : nil
            }
            if name == Self.unclaimInfo {
                // Apple's page lists the claims alone; what it leaves out is taken as real.
                rawEnvironment = try fields.string("environment") ?? "Production"
            } else if name == "externalPurchaseToken" {
                // These carry no environment; Apple's own libraries read it off the id.
                let id = try? fields.string("externalPurchaseId")
                rawEnvironment = id?.hasPrefix("SANDBOX") == true ? "Sandbox" : "Production"
            } else {
                rawEnvironment = try fields.string("environment") ?? ""
            }
            problem = notes.first
        }

        /// Reads what may be missing, and remembers the first that is there and cannot be read.
        private struct Problems {
            var first: GatewayError?

            mutating func read<Value>(_ body: () throws(GatewayError) -> Value?) -> Value? {
                do throws(GatewayError) {
                    return try body()
                } catch {
                    first = first ?? error
                    return nil
                }
            }
        }

        private static let unclaimInfo = "unclaimInfo"

        /// The claims that an unverified payload is about; nil of one that is about something else.
        static func unclaimedSeats(in payload: JSON) -> [String]? {
            guard let (name, fields) = (try? find(in: payload)) ?? nil, name == unclaimInfo else { return nil }
            return (try? AppleUnclaimedSeats(fields).claimIDs) ?? []
        }

        /// The bundle id of an unverified payload.
        static func bundleID(in payload: JSON) throws(GatewayError) -> String? {
            try find(in: payload)?.fields.string("bundleId")
        }

        /// `Xcode` and `LocalTesting` are unsigned worlds of a developer's own machine: never accepted.
        var environment: StoreEnvironment {
            get throws(GatewayError) {
                switch rawEnvironment {
                case "Production": return .production
                case "Sandbox": return .sandbox
                default:
                    throw GatewayError(.wrongEnvironment, "The notification is from neither production nor Sandbox.")
                }
            }
        }

        /// The last rungs of the ladder for the outer token: app, then environment.
        func require(_ app: AppleConfiguration) throws(GatewayError) {
            let namesNoApp = name == Self.unclaimInfo && bundleID.isEmpty
            guard bundleID == app.bundleID || namesNoApp else {
                throw GatewayError(.wrongApp, "The notification is about another app.")
            }
            if rawEnvironment == "Production", name != Self.unclaimInfo || appAppleID != nil {
                guard let expected = app.appAppleID else {
                    throw GatewayError(
                        .wrongApp,
                        "The app's Apple ID is not configured, so production cannot be told apart."
                    )
                }
                guard appAppleID == expected else {
                    throw GatewayError(.wrongApp, "The notification carries another app's Apple ID.")
                }
            }
            guard try environment == .production || app.acceptsSandbox else {
                throw GatewayError(.wrongEnvironment, "The app does not accept Sandbox notifications.")
            }
        }

        /// Makes the same checks for the inner tokens, each of which must be of this app and environment.
        func requireSame(
            _ transaction: JSON?,
            _ renewal: JSON?,
            _ appTransaction: JSON?
        ) throws(GatewayError) {
            if let transaction {
                let fields = try JSONFields(transaction, of: "transaction")
                try requireSame(
                    bundleID: try fields.string("bundleId"),
                    environment: try fields.string("environment"),
                    of: "transaction"
                )
            }
            // Renewal infos name no app.
            if let renewal {
                let fields = try JSONFields(renewal, of: "renewal info")
                try requireSame(
                    bundleID: bundleID,
                    environment: try fields.string("environment"),
                    of: "renewal info"
                )
            }
            if let appTransaction {
                let fields = try JSONFields(appTransaction, of: "app transaction")
                try requireSame(
                    bundleID: try fields.string("bundleId"),
                    environment: try fields.string("receiptType"),
                    of: "app transaction"
                )
                // If it also names the app by its Apple ID, that must be this app's.
                let appAppleID = try fields.integer("appAppleId")
                guard appAppleID == nil || appAppleID == self.appAppleID else {
                    throw GatewayError(.wrongApp, "The app transaction carries another app's Apple ID.")
                }
            }
        }

        private func requireSame(
            bundleID: String?,
            environment: String?,
            of subject: StaticString
        ) throws(GatewayError) {
            guard bundleID == self.bundleID else { throw GatewayError(.wrongApp, "The \(subject) is of another app.") }
            guard environment == rawEnvironment else {
                throw GatewayError(.wrongEnvironment, "The \(subject) is of another environment.")
            }
        }

        private static func find(in payload: JSON) throws(GatewayError) -> (name: String, fields: JSONFields)? {
            let fields = try JSONFields(payload, of: "notification")
            if let data = try fields.object("data", as: "data") { return ("data", data) }
            if let summary = try fields.object("summary", as: "summary") { return ("summary", summary) }
            if let token = try fields.object("externalPurchaseToken", as: "external purchase token") {
                return ("externalPurchaseToken", token)
            }
            if let appData = try fields.object("appData", as: "app data") { return ("appData", appData) }
            if let claims = try fields.object("unclaimInfo", as: "unclaim info") { return (unclaimInfo, claims) }
            return nil
        }
    }
}
