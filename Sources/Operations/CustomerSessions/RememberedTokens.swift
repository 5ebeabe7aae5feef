import Crypto
import Foundation
import Synchronization

/// Access tokens whose signature was checked here, by their SHA-256: checking one costs more than the rest of a request.
///
/// Only that it is ours and what it says is remembered; whether its session still stands is asked each time.
final class RememberedTokens: Sendable {
    private let claims = Mutex<[Digest: AccessTokenClaims]>([:])
    private let limit: Int

    struct Digest: Hashable {
        private let bytes: [UInt8]

        init(of text: String) {
            bytes = Array(SHA256.hash(data: Data(text.utf8)))
        }
    }

    /// - Parameter limit: how many are kept; some 300 bytes each.
    init(limit: Int = 50_000) {
        self.limit = limit
    }

    /// nil for one that was not seen yet, or has expired.
    func claims(of digest: Digest, at now: Date) -> AccessTokenClaims? {
        claims.withLock { $0[digest] }.flatMap { $0.isCurrent(at: now) ? $0 : nil }
    }

    func remember(_ checked: AccessTokenClaims, as digest: Digest, at now: Date) {
        claims.withLock { claims in
            if claims.count >= limit { claims = claims.filter { $0.value.isCurrent(at: now) } }
            // All of them live: those in use are back after a check each.
            if claims.count >= limit { claims.removeAll(keepingCapacity: true) }
            claims[digest] = checked
        }
    }
}
