package import Billing
package import Foundation

/// Judges what an app sends of its purchases at Google Play: purchase tokens. A token proves nothing until Google says what it is.
package struct GooglePurchases: PurchaseSource {
    private let reader: GoogleReader?

    /// - Parameter reader: nil for an account without a key.
    init(_ reader: GoogleReader?) {
        self.reader = reader
    }

    package func read(_ proof: PurchaseProof, at now: Date) async throws(GatewayError) -> ProvenPurchases {
        guard reader != nil else { throw Self.noKey }
        _ = try Self.token(of: proof)
        return ProvenPurchases(needsConfirmation: true)
    }

    package func confirm(_ proof: PurchaseProof, at now: Date) async throws(StoreFailure) -> ConfirmedPurchases {
        guard let reader else { throw .misconfigured(Self.noKey) }
        let token: String
        do {
            token = try Self.token(of: proof)
        } catch {
            throw .refused(StoreRefusal(error))
        }
        let events: [StoreEvent]
        do {
            events = try await reader.events(ofToken: token)
        } catch {
            throw error.failure
        }
        guard !events.isEmpty else {
            // A slow payment: Google tells when it came, and so does the app.
            throw .unanswered(
                GatewayError(
                    .missing,
                    "The purchase waits for its payment, or was never paid for.",
                    field: "purchaseToken"
                )
            )
        }
        return ConfirmedPurchases(events)
    }

    package func appTransactionID(
        in signed: String,
        at now: Date
    ) async throws(GatewayError) -> (id: String, environment: StoreEnvironment)? {
        nil
    }

    private static func token(of proof: PurchaseProof) throws(GatewayError) -> String {
        guard case .purchaseToken(let token) = proof, token.isGoogleName else {
            throw GatewayError(
                .malformed,
                "A purchase at Google Play is proven by its purchase token.",
                field: "purchaseToken"
            )
        }
        return token
    }

    private static var noKey: GatewayError {
        GatewayError(
            .misconfigured,
            "The app's account at Google Play has no service account to ask with.",
            field: GoogleSetting.serviceAccount
        )
    }
}
