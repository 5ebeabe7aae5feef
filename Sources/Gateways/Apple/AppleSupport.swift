package import Billing
package import Foundation

/// Staff's queries and requests to Apple about one purchase.
package struct AppleSupport: Sendable {
    private let api: AppleServerAPI
    private let verifier: AppleVerifier
    private let app: AppleConfiguration

    init(_ api: AppleServerAPI, verifier: AppleVerifier, app: AppleConfiguration) {
        self.api = api
        self.verifier = verifier
        self.app = app
    }

    /// The transactions under the order id of a receipt that Apple sent by e-mail. The sandbox has no orders.
    ///
    /// - Returns: nil for an order that Apple does not know for this app.
    package func transactions(ofOrder id: String, at now: Date) async throws(StoreFailure) -> [AppleTransaction]? {
        let found: AppleOrderLookup
        do {
            found = try await api.order(id).content
        } catch {
            // An invalid id has the same result as an unknown one.
            if error.isSaidNo { return nil }
            throw StoreFailure(error)
        }
        switch found.status {
        case .invalid: return nil
        case .valid: break
        case nil:
            throw StoreFailure(unreadable: GatewayError(.malformed, "Apple's status of the order is not known here."))
        }
        return try await StoreFailure.verifying { () async throws(GatewayError) in
            try await verifier.transactions(found.signedTransactions, for: app, in: .production, at: now)
        }
    }

    /// Says whose a purchase is: its next transactions and notifications carry the token.
    ///
    /// - Throws: a refusal whose reason is `.wrongApp` where Apple does not know the purchase.
    package func setAppAccountToken(
        _ token: UUID,
        of originalTransactionID: String,
        in environment: StoreEnvironment?
    ) async throws(StoreFailure) {
        do {
            _ = try await api.setAppAccountToken(token, of: originalTransactionID, in: environment)
        } catch {
            throw Self.refusal(error)
        }
    }

    private static func refusal(_ error: AppleServerError) -> StoreFailure {
        guard error.isSaidNo else { return StoreFailure(error) }
        let reason: GatewayError
        switch error.code {
        case .originalTransactionIDNotFound, .transactionIDNotFound, .invalidOriginalTransactionID,
            .invalidTransactionID:
            reason = GatewayError(.wrongApp, "Apple knows no such purchase of this app.", underlying: error)
        case .familyTransactionNotSupported:
            reason = GatewayError(
                .malformed,
                "A purchase that is shared with a family has the account of its buyer.",
                underlying: error
            )
        case .assignedTransactionNotSupported:
            reason = GatewayError(
                .malformed,
                "A seat that was assigned has no account of its own at Apple: its member is known by the app's own call.",
                underlying: error
            )
        case .notOriginalTransactionID:
            reason = GatewayError(.malformed, "This is not the id of the original transaction.", underlying: error)
        default: return StoreFailure(error)
        }
        return .refused(StoreRefusal(code: error.rawCode, reason))
    }
}

extension AppleGateway {
    /// Apple's support functions for purchases of an app; nil if its account has no key for them.
    ///
    /// - Throws: `.misconfigured`.
    package func support(of account: StoreAccount) throws(GatewayError) -> AppleSupport? {
        guard let api = try serverAPI(of: account, for: .support) else { return nil }
        return AppleSupport(api, verifier: verifier, app: try configuration(of: account))
    }
}
