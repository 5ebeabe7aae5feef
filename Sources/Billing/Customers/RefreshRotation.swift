package import Foundation

/// What a refresh token that is presented leads to (product.md, decision 10).
package enum RefreshRotation: Hashable, Sendable {
    /// A new pair. Those beside the presented one that nobody used are void from now on.
    case rotated
    /// Somebody else has it, too: the whole session ends.
    case reused
    /// Its time is over; the session is left alone.
    case expired

    /// A device that sends one twice at once has two successors, and may go on with either: the one that it uses voids the other.
    ///
    /// - Parameters:
    ///   - presented: the token that was sent.
    ///   - successors: what its uses made.
    package init(of presented: RefreshTokenState, successors: [RefreshTokenState], at now: Date) {
        if presented.isVoided {
            self = .reused
        } else if presented.expiresAt <= now {
            self = .expired
        } else if !presented.isUsed || !successors.isEmpty && !successors.contains(where: \.isUsed) {
            self = .rotated
        } else {
            self = .reused
        }
    }
}

/// Where a refresh token stands.
package struct RefreshTokenState: Hashable, Sendable {
    package var isUsed: Bool
    /// Another of the same use took its place.
    package var isVoided: Bool
    package var expiresAt: Date

    package init(isUsed: Bool, isVoided: Bool, expiresAt: Date) {
        self.isUsed = isUsed
        self.isVoided = isVoided
        self.expiresAt = expiresAt
    }
}
