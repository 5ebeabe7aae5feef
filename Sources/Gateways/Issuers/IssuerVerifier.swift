package import Billing
package import Foundation
import Synchronization

/// A person's identity by a token of the app's own issuer.
package struct IssuedIdentity: Hashable, Sendable {
    /// The app's own id of the customer.
    package let externalID: String
    package let issuedAt: Date
    package let expiresAt: Date
}

/// Tells the tokens of apps' own issuers from everybody else's, by the rules of each app's settings.
package final class IssuerVerifier: Sendable {
    private let transport: any StoreTransport
    private let keySets = Mutex<[String: JWTKeySet]>([:])

    /// Longer tokens are nobody's, in bytes.
    package static let longestToken = 8_192

    private static let pace = JWTKeySet.Pace(interval: 30, lifetime: 900, isLastWordFinal: true)

    /// - Parameter transport: nil for the network.
    package init(transport: (any StoreTransport)? = nil) {
        self.transport = transport ?? HTTPStoreTransport()
    }

    /// - Throws: the reason that it is not a valid token of the issuer now; `.unreachable` if its keys are needed and were never received.
    package func verify(
        _ token: JWT,
        by issuer: TokenIssuer,
        at now: Date
    ) async throws(JWTError) -> IssuedIdentity {
        let leeway = TimeInterval(issuer.leeway)
        let rules = JWTRules(
            algorithms: issuer.algorithms,
            needsKeyID: false,
            issuer: issuer.issuer,
            audiences: [issuer.audience],
            demanded: ["iat", "exp", issuer.claim],
            lead: leeway,
            delay: leeway,
            longestLifetime: TimeInterval(issuer.longestLifetime)
        )
        let claims = try await rules.verify(token, with: keys(of: issuer), at: now)
        guard let start = try claims.date("iat"), let end = try claims.date("exp"),
            let id = Self.identifier(claims[issuer.claim])
        else { throw JWTError(.malformed, "The token does not say who it is.", field: issuer.claim) }
        return IssuedIdentity(externalID: id, issuedAt: start, expiresAt: end)
    }

    /// A shared secret is never asked for anywhere, and what is given out is never taken for one.
    private func keys(of issuer: TokenIssuer) -> JWTRules.Keys {
        guard let url = issuer.keySetURL else { return .known(issuer.sharedSecrets.map(JWTKey.init(sharedSecret:))) }
        return .set(
            keySets.withLock { known in
                if let found = known[url] { return found }
                let made = JWTKeySet(
                    of: "The issuer",
                    at: url,
                    canBeEmpty: true,
                    pace: Self.pace,
                    transport: transport
                )
                known[url] = made
                return made
            }
        )
    }

    private static func identifier(_ value: JSON?) -> String? {
        switch value {
        case .string(let text): text
        case .integer(let number): String(number)
        default: nil
        }
    }
}
