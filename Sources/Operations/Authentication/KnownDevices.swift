import Billing
package import Foundation
import Storage

/// The browser from which somebody signs in.
///
/// A browser that has signed in to an account before, or set its password with a link, has a cookie that says so, and its wrong passwords
/// and codes are counted for it alone: a stranger's guesses, or those of a whole network behind one address, keep nobody out of their
/// own account (OWASP, "Slow Down Online Guessing Attacks with Device Cookies"). What the token of the cookie opens is that count
/// and a place in a queue without strangers, nothing else.
package struct SignInDevice: Sendable {
    /// The token that the browser brings; nil for none.
    package let known: SecretToken?
    /// The token that it has from the moment it is known.
    package let fresh: SecretToken

    package init(known: SecretToken?, fresh: SecretToken = .random()) {
        (self.known, self.fresh) = (known, fresh)
    }
}

extension BackOffice {
    /// The time, in seconds, for which a browser stays known without a sign-in.
    package static let deviceMemory: TimeInterval = 365 * 86_400

    /// The browser's token, if somebody has signed in to this account with it before.
    func knownDevice(_ device: SignInDevice?, of staff: Staff.ID?) async throws -> SecretToken? {
        guard let staff, let token = device?.known else { return nil }
        let isKnown = try await database.readPrimary { try await $0.devices.isKnown(tokenHash: token.hash, to: staff) }
        return isKnown ? token : nil
    }

    func remember(_ device: SignInDevice?, of staff: Staff.ID, in transaction: WriteTransaction) async throws {
        guard let device else { return }
        try await transaction.devices.remember(
            tokenHash: device.fresh.hash,
            replacing: device.known?.hash,
            for: staff,
            until: transaction.now.addingTimeInterval(Self.deviceMemory)
        )
    }
}
