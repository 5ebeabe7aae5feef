package import Billing
package import Foundation

/// The tokens that Apple signs outside of notifications: the transactions and renewal infos in answers of the App Store Server API and from
/// apps. Each passes the same checks as a notification's.
extension AppleVerifier {
    /// - Parameter environment: the required environment; nil for any that the app accepts.
    package func transaction(
        _ signed: String,
        for app: AppleConfiguration,
        in environment: StoreEnvironment? = nil,
        at now: Date
    ) async throws(GatewayError) -> AppleTransaction {
        let json = try await payload(of: signed, for: app, at: now)
        let transaction = try AppleTransaction(json)
        guard transaction.bundleID == app.bundleID else {
            throw GatewayError(.wrongApp, "The transaction is of another app.")
        }
        try require(transaction.rawEnvironment, of: app, in: environment)
        return transaction
    }

    /// Verifies a list of transactions; one that fails fails all.
    package func transactions(
        _ signed: [String],
        for app: AppleConfiguration,
        in environment: StoreEnvironment? = nil,
        at now: Date
    ) async throws(GatewayError) -> [AppleTransaction] {
        var transactions: [AppleTransaction] = []
        for signed in signed {
            transactions.append(try await transaction(signed, for: app, in: environment, at: now))
        }
        return transactions
    }

    /// Renewal infos name no app: what they belong to is known from the transaction beside them.
    package func renewalInfo(
        _ signed: String,
        for app: AppleConfiguration,
        in environment: StoreEnvironment? = nil,
        at now: Date
    ) async throws(GatewayError) -> AppleRenewalInfo {
        let json = try await payload(of: signed, for: app, at: now)
        let renewal = try AppleRenewalInfo(json)
        try require(renewal.rawEnvironment, of: app, in: environment)
        return renewal
    }

    /// The app's own purchase, as Apple wrote it.
    package func appTransaction(
        _ signed: String,
        for app: AppleConfiguration,
        in environment: StoreEnvironment? = nil,
        at now: Date
    ) async throws(GatewayError) -> JSON {
        let json = try await payload(of: signed, for: app, at: now)
        let fields = try JSONFields(json, of: "app transaction")
        guard try fields.string("bundleId") == app.bundleID else {
            throw GatewayError(.wrongApp, "The app transaction is of another app.")
        }
        let rawEnvironment = try fields.string("receiptType")
        if rawEnvironment == AppleEnvironment.production.rawValue {
            guard let expected = app.appAppleID, try fields.integer("appAppleId") == expected else {
                throw GatewayError(.wrongApp, "The app transaction carries another app's Apple ID.")
            }
        }
        try require(rawEnvironment, of: app, in: environment)
        return json
    }

    private func payload(
        of signed: String,
        for app: AppleConfiguration,
        at now: Date
    ) async throws(GatewayError) -> JSON {
        let token = try AppleToken(signed)
        _ = try await verify(token, for: app, at: now)
        return token.payload
    }

    /// `Xcode` and `LocalTesting` are unsigned worlds of a developer's own machine: never accepted.
    private func require(
        _ rawEnvironment: String?,
        of app: AppleConfiguration,
        in expected: StoreEnvironment?
    ) throws(GatewayError) {
        let environment: StoreEnvironment
        switch rawEnvironment.flatMap(AppleEnvironment.init(rawValue:)) {
        case .production: environment = .production
        case .sandbox: environment = .sandbox
        case .xcode, .localTesting, nil:
            throw GatewayError(.wrongEnvironment, "The message is from neither production nor Sandbox.")
        }
        guard environment == .production || app.acceptsSandbox else {
            throw GatewayError(.wrongEnvironment, "The app does not accept what is of the Sandbox.")
        }
        guard expected == nil || environment == expected else {
            throw GatewayError(.wrongEnvironment, "The message is of another environment.")
        }
    }
}
