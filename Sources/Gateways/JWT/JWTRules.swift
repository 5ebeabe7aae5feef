package import Billing
package import Foundation

/// The rules for the tokens of one issuer: signature, issuer, audience, and times.
///
/// This is the one place where tokens are judged, Apple's of sign-in, those of apps' own issuers, and our own. A key is tried for its own
/// algorithm only, and that has to be one that the issuer signs with: so neither `none` nor a public key taken for a secret gets
/// through (RFC 8725, 3.1).
package struct JWTRules: Sendable {
    private let algorithms: [TokenIssuer.Algorithm]
    private let type: String?
    private let needsKeyID: Bool
    private let issuer: String
    private let audiences: Set<String>?
    private let demanded: [String]
    private let lead: TimeInterval?
    private let delay: TimeInterval
    private let longestLifetime: TimeInterval?

    /// - Parameters:
    ///   - type: the header's `typ`; nil if it does not matter.
    ///   - needsKeyID: true to reject a token without `kid`; otherwise it may be signed with any key.
    ///   - audiences: the accepted audiences; nil if the caller checks.
    ///   - demanded: the required claims.
    ///   - lead: the time, in seconds, by which the issuer's clock may be ahead of ours; nil if it is ours.
    ///   - delay: the time after its end, in seconds, for which it is still accepted.
    ///   - longestLifetime: the longest time from `iat` to `exp`, in seconds.
    package init(
        algorithms: [TokenIssuer.Algorithm],
        type: String? = nil,
        needsKeyID: Bool,
        issuer: String,
        audiences: Set<String>?,
        demanded: [String],
        lead: TimeInterval?,
        delay: TimeInterval = 0,
        longestLifetime: TimeInterval? = nil
    ) {
        self.algorithms = algorithms
        self.type = type
        self.needsKeyID = needsKeyID
        self.issuer = issuer
        self.audiences = audiences
        self.demanded = demanded
        self.lead = lead
        self.delay = delay
        self.longestLifetime = longestLifetime
    }

    /// The source of the keys that a token may be signed with.
    package enum Keys: Sendable {
        /// These; each is tried, whatever the token says.
        case known([JWTKey])
        case set(JWTKeySet)
    }

    /// The issuer's claims, once they are verified. No key is looked for where the claims are not good now.
    ///
    /// - Throws: the first rule that it breaks; `.unreachable` where the keys are needed and cannot be had.
    package func verify(_ token: JWT, with keys: Keys, at now: Date) async throws(JWTError) -> JWTClaims {
        try checkHeader(of: token)
        try check(token.claims, at: now)
        let candidates =
            switch keys {
            case .known(let keys): keys
            case .set(let set): try await set.keys(for: token, at: now)
            }
        // A few at most: keys of one id, or all where the token names none.
        guard candidates.prefix(8).contains(where: { $0.signed(token) }) else {
            throw JWTError(.invalidSignature, "The issuer did not sign the token.")
        }
        return token.claims
    }

    private func checkHeader(of token: JWT) throws(JWTError) {
        guard algorithms.contains(where: { $0.rawValue == token.algorithm }) else {
            let names = algorithms.map(\.rawValue).joined(separator: ", ")
            throw JWTError(.unsupportedAlgorithm, "The token is not signed with \(names).", field: "alg")
        }
        guard type == nil || token.type == type else {
            throw JWTError(.wrongType, "The token is one for something else.", field: "typ")
        }
        guard !needsKeyID || token.keyID?.isEmpty == false else {
            throw JWTError(.missing, "The token does not say which key it is signed with.", field: "kid")
        }
    }

    private func check(_ claims: JWTClaims, at now: Date) throws(JWTError) {
        guard try claims.text("iss") == issuer else {
            throw JWTError(.wrongIssuer, "The token was issued by somebody else.", field: "iss")
        }
        if let audiences, audiences.isDisjoint(with: try claims.audiences()) {
            throw JWTError(.wrongAudience, "The token is for another app.", field: "aud")
        }
        for name in demanded where [nil, .null].contains(claims[name]) {
            throw JWTError(.missing, "The token does not have the claim \(name).", field: name)
        }
        let (start, end) = (try claims.date("iat"), try claims.date("exp"))
        if let end, end.addingTimeInterval(delay) <= now {
            throw JWTError(.expired, "The token has expired.", field: "exp")
        }
        if let start, let lead, start > now.addingTimeInterval(lead) {
            throw JWTError(.issuedInFuture, "The token was issued at a date in the future.", field: "iat")
        }
        if let from = try claims.date("nbf"), from > now.addingTimeInterval(lead ?? 0) {
            throw JWTError(.notYetValid, "The token is not good yet.", field: "nbf")
        }
        if let longestLifetime, let start, let end,
            !(end > start && end.timeIntervalSince(start) <= longestLifetime)
        {
            throw JWTError(.wrongLifetime, "The token is good for longer than is allowed.", field: "exp")
        }
    }
}
