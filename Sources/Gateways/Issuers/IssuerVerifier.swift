package import Billing
package import Foundation
import Synchronization

/// Who an app's own issuer says that somebody is.
package struct IssuedIdentity: Hashable, Sendable {
    /// The app's own id of the customer.
    package let externalID: String
    package let issuedAt: Date
    package let expiresAt: Date
}

/// Tells the tokens of apps' own issuers from everybody else's.
///
/// Algorithm, key, signature, issuer, audience, times, and who it is; whatever fails, the token is nobody's. A key is tried for its own
/// algorithm only, and that has to be one that the app's settings name: so neither `none` nor a public key taken for a secret
/// gets through (RFC 8725, 3.1).
package final class IssuerVerifier: Sendable {
    private let transport: any StoreTransport
    private let keySets = Mutex<[String: IssuerKeySet]>([:])

    /// - Parameter transport: nil for the network.
    package init(transport: (any StoreTransport)? = nil) {
        self.transport = transport ?? HTTPStoreTransport()
    }

    /// - Returns: nil for what the issuer has not signed, and for what it does not let in now.
    /// - Throws: `.unreachable` where its keys are needed and were never heard.
    package func verify(
        _ token: IssuerToken,
        by issuer: TokenIssuer,
        at now: Date
    ) async throws(GatewayError) -> IssuedIdentity? {
        guard let algorithm = TokenIssuer.Algorithm(rawValue: token.algorithm), issuer.algorithms.contains(algorithm),
            token.issuer == issuer.issuer, token.audiences.contains(issuer.audience),
            let identity = Self.identity(in: token, by: issuer, at: now)
        else { return nil }
        // A few at most: keys of one id, or all where the token names none.
        for key in try await keys(for: token, algorithm, of: issuer, at: now).prefix(8) {
            if key.signed(token) { return identity }
        }
        return nil
    }

    private func keys(
        for token: IssuerToken,
        _ algorithm: TokenIssuer.Algorithm,
        of issuer: TokenIssuer,
        at now: Date
    ) async throws(GatewayError) -> [IssuerKey] {
        guard let url = issuer.keySetURL else {
            guard algorithm == .hs256 else { return [] }
            return issuer.sharedSecrets.map(IssuerKey.init(sharedSecret:))
        }
        guard algorithm != .hs256 else { return [] }
        let keySet = keySets.withLock { known in
            if let found = known[url] { return found }
            let made = IssuerKeySet(url, transport: transport)
            known[url] = made
            return made
        }
        return try await keySet.keys(for: token, algorithm, at: now)
    }

    private static func identity(in token: IssuerToken, by issuer: TokenIssuer, at now: Date) -> IssuedIdentity? {
        let leeway = TimeInterval(issuer.leeway)
        guard let start = token.date("iat"), let end = token.date("exp"), start <= now.addingTimeInterval(leeway),
            end.addingTimeInterval(leeway) > now, end > start,
            end.timeIntervalSince(start) <= TimeInterval(issuer.longestLifetime)
        else { return nil }
        if let value = token.payload["nbf"], value != .null {
            guard let from = token.date("nbf"), from <= now.addingTimeInterval(leeway) else { return nil }
        }
        let id: String
        switch token.payload[issuer.claim] {
        case .string(let text): id = text
        case .integer(let number): id = String(number)
        default: return nil
        }
        return IssuedIdentity(externalID: id, issuedAt: start, expiresAt: end)
    }
}
