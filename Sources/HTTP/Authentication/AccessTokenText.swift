package import Foundation

/// An access token that opens nothing, as far as its text tells why. Nothing is verified: it only words the refusal.
package enum AccessTokenText {
    /// Returns true if the time that the token names is over: refresh it, rather than sign in anew (lightgallery, "AuthError").
    package static func hasExpired(_ text: some StringProtocol, at now: Date) -> Bool {
        let parts = text.prefix(longest).split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let payload = Base64URL.bytes(of: parts[1]),  // safe: three of them
            let claims = try? JSONDecoder().decode(Claims.self, from: Data(payload))
        else { return false }
        return claims.exp <= now.timeIntervalSince1970
    }

    /// In characters; longer ones open nothing.
    private static let longest = 8_192

    private struct Claims: Decodable {
        /// In seconds since 1970.
        var exp: Double
    }
}
