package import Billing
package import Foundation

/// What staff ask Apple about one purchase, and tell it.
package struct AppleSupport: Sendable {
    private let api: AppleServerAPI
    private let verifier: AppleVerifier
    private let app: AppleConfiguration

    init(_ api: AppleServerAPI, verifier: AppleVerifier, app: AppleConfiguration) {
        self.api = api
        self.verifier = verifier
        self.app = app
    }

    /// What was bought under the order id of a receipt that Apple sent by e-mail. The sandbox has no orders.
    ///
    /// - Returns: nil for an order that Apple does not know for this app.
    /// - Throws: `GatewayError`: `.unreachable` when it should be asked again.
    package func transactions(ofOrder id: String, at now: Date) async throws(GatewayError) -> [AppleTransaction]? {
        let found: AppleOrderLookup
        do {
            found = try await api.order(id).content
        } catch {
            // An id that is none is answered as one that is not known.
            if error.code == .generalBadRequest || error.httpStatus == 404 { return nil }
            throw GatewayError(error)
        }
        guard found.status == .valid else { return nil }
        return try await verifier.transactions(found.signedTransactions, for: app, in: .production, at: now)
    }

    /// Says whose a purchase is: its next transactions and notifications carry the token.
    ///
    /// - Throws: `.wrongApp` where Apple does not know the purchase; `.unreachable` when it should be told again; what else is
    ///   thrown is Apple's refusal.
    package func setAppAccountToken(
        _ token: UUID,
        of originalTransactionID: String,
        in environment: StoreEnvironment?
    ) async throws(GatewayError) {
        do {
            _ = try await api.setAppAccountToken(token, of: originalTransactionID, in: environment)
        } catch {
            throw Self.refusal(error)
        }
    }

    private static func refusal(_ error: AppleServerError) -> GatewayError {
        switch error.code {
        case .originalTransactionIDNotFound, .transactionIDNotFound, .invalidOriginalTransactionID,
            .invalidTransactionID:
            GatewayError(.wrongApp, "Apple knows no such purchase of this app.", underlying: error)
        case .familyTransactionNotSupported:
            GatewayError(
                .malformed,
                "A purchase that is shared with a family has the account of its buyer.",
                underlying: error
            )
        case .notOriginalTransactionID:
            GatewayError(.malformed, "This is not the id of the original transaction.", underlying: error)
        default: GatewayError(error)
        }
    }
}

extension AppleGateway {
    /// What staff can ask Apple about purchases of an app; nil where its account has no key for that.
    ///
    /// - Throws: `.misconfigured`.
    package func support(of account: StoreAccount) throws(GatewayError) -> AppleSupport? {
        guard let api = try serverAPI(of: account, for: .support) else { return nil }
        return AppleSupport(api, verifier: verifier, app: try configuration(of: account))
    }
}
