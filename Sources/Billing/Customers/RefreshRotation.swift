package import Foundation

/// The outcome of presenting a refresh token (product.md, decision 10).
package enum RefreshRotation: Hashable, Sendable {
    /// A new pair is issued. The presented token's unused siblings are void from now on.
    case rotated
    /// Somebody else has the token, too: the whole session ends.
    case reused
    /// It has expired; the session is left alone.
    case expired

    /// A device that sends a token twice at once gets two successors and may use either; the first one used voids the other.
    ///
    /// - Parameters:
    ///   - presented: the token that was sent.
    ///   - successors: the tokens that its uses produced.
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

/// The state of a refresh token.
package struct RefreshTokenState: Hashable, Sendable {
    package var isUsed: Bool
    /// A sibling of the same rotation was used instead.
    package var isVoided: Bool
    package var expiresAt: Date

    package init(isUsed: Bool, isVoided: Bool, expiresAt: Date) {
        self.isUsed = isUsed
        self.isVoided = isVoided
        self.expiresAt = expiresAt
    }
}
