package import Foundation

/// What a refresh token that is presented leads to (product.md, decision 10).
package enum RefreshRotation: Hashable, Sendable {
    /// A new pair. A successor that nobody ever used is voided: the answer with it was lost on the way.
    case rotated(voidsSuccessor: Bool)
    /// Somebody else has it, too: the whole session ends.
    case reused
    /// Its time is over; the session is left alone.
    case expired

    /// - Parameters:
    ///   - presented: the token that was sent.
    ///   - successor: what its last use made, where that was not voided.
    package init(of presented: RefreshTokenState, successor: RefreshTokenState?, at now: Date) {
        if presented.isVoided {
            self = .reused
        } else if presented.expiresAt <= now {
            self = .expired
        } else if !presented.isUsed {
            self = .rotated(voidsSuccessor: false)
        } else if let successor, !successor.isUsed {
            self = .rotated(voidsSuccessor: true)
        } else {
            self = .reused
        }
    }
}

/// Where a refresh token stands.
package struct RefreshTokenState: Hashable, Sendable {
    package var isUsed: Bool
    /// Another took its place before anybody used it.
    package var isVoided: Bool
    package var expiresAt: Date

    package init(isUsed: Bool, isVoided: Bool, expiresAt: Date) {
        self.isUsed = isUsed
        self.isVoided = isVoided
        self.expiresAt = expiresAt
    }
}
