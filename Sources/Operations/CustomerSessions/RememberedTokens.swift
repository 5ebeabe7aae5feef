import Crypto
import Foundation
import Synchronization

/// The cached claims of a token.
protocol RememberedClaims: Sendable {
    func isCurrent(at now: Date) -> Bool
}

/// Access tokens whose signature was checked here, by their SHA-256: checking one costs more than the rest of a request.
///
/// Only whose it is and what it says is remembered; whether its session still stands is asked each time.
final class RememberedTokens<Claims: RememberedClaims>: Sendable {
    private let claims: Mutex<GenerationalCache<TokenDigest, Claims>>

    /// - Parameter generation: half of how many are kept at most; some 300 bytes each.
    init(generation: Int = 100_000) {
        claims = Mutex(GenerationalCache(generation: generation))
    }

    /// nil for one that was not seen yet, or has expired.
    func claims(of digest: TokenDigest, at now: Date) -> Claims? {
        claims.withLock { claims in
            guard let known = claims.value(of: digest) else { return nil }
            guard known.isCurrent(at: now) else {
                claims.forget(digest)
                return nil
            }
            return known
        }
    }

    func remember(_ checked: Claims, as digest: TokenDigest) {
        claims.withLock { $0.keep(checked, for: digest) }
    }
}

/// SHA-256 of a token.
struct TokenDigest: Hashable, Sendable {
    private let bytes: [UInt8]

    init(of text: String) {
        bytes = Array(SHA256.hash(data: Data(text.utf8)))
    }
}
