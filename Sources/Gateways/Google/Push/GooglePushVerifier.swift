import Billing
import Foundation

/// Judges who pushed a message: by the OIDC token beside it (payments.md, 1D).
struct GooglePushVerifier: Sendable {
    let keys: JWTKeySet

    /// - Throws: `.missing` without a token, `.invalidSignature` for one that is not the pusher's, `.signedInFuture`, `.wrongApp` for one
    ///   that is for somebody else, and `.unreachable` where Google's keys cannot be had.
    func verify(_ authorization: String?, of push: GoogleConfiguration.Push, at now: Date) async throws(GatewayError) {
        guard let authorization, let space = authorization.firstIndex(of: " "),
            authorization[..<space].lowercased() == "bearer"
        else { throw GatewayError(.missing, "The push has no token of Google's.", field: "authorization") }
        do throws(JWTError) {
            let token = try JWT(String(authorization[authorization.index(after: space)...]), longest: 8_192)
            let issuer = try token.claims.text("iss") ?? ""
            guard Self.issuers.contains(issuer) else {
                throw JWTError(.wrongIssuer, "The token was issued by somebody else.", field: "iss")
            }
            let rules = JWTRules(
                algorithms: [.rs256],
                needsKeyID: true,
                issuer: issuer,
                audiences: [push.audience],
                demanded: ["iat", "exp", "email"],
                lead: Self.lead,
                delay: Self.lead
            )
            let claims = try await rules.verify(token, with: .set(keys), at: now)
            guard try claims.text("email") == push.account, try claims.flag("email_verified") == true else {
                throw JWTError(
                    .wrongAudience,
                    "The token is of another account than the one that pushes.",
                    field: "email"
                )
            }
        } catch {
            throw GatewayError(push: error)
        }
    }

    private static let issuers: Set<String> = ["https://accounts.google.com", "accounts.google.com"]
    /// The tolerated difference between Google's clock and ours, in seconds.
    private static let lead: TimeInterval = 60
}

extension GatewayError {
    fileprivate init(push error: JWTError) {
        let code: Code =
            switch error.code {
            case .unreachable: .unreachable
            case .malformed, .wrongType: .malformed
            case .missing: .missing
            case .unsupportedAlgorithm: .unsupportedAlgorithm
            case .issuedInFuture, .notYetValid: .signedInFuture
            case .wrongAudience: .wrongApp
            case .unknownKey, .invalidSignature, .wrongIssuer, .expired, .wrongLifetime, .wrongNonce: .invalidSignature
            }
        self.init(code, "The push's token: \(error.message)", field: error.field ?? "authorization", underlying: error)
    }
}

extension JWTKeySet {
    /// The keys that Google signs identity tokens with.
    static func google(at url: String, transport: any StoreTransport) -> JWTKeySet {
        JWTKeySet(
            of: "Google",
            at: url,
            canBeEmpty: false,
            pace: Pace(interval: 60, lifetime: 3_600, isLastWordFinal: false),
            transport: transport
        )
    }
}
