import Billing
import Synchronization

/// The configurations of apps at Alipay, read once: keys and certificates are parsed neither for each call nor for each notification.
final class AlipayAccounts: Sendable {
    private let known = Mutex<[StoreAccount: AlipayConfiguration]>([:])

    /// - Returns: nil for an account without keys.
    /// - Throws: `.misconfigured`, with the setting's name.
    subscript(_ account: StoreAccount) -> AlipayConfiguration? {
        get throws(GatewayError) {
            if let known = known.withLock({ $0[account] }) { return known }
            guard let made = try AlipayConfiguration(account) else { return nil }
            known.withLock { known in
                // An account whose keys are replaced is another one.
                if known.count >= Self.most { known = [:] }
                known[account] = made
            }
            return made
        }
    }

    private static let most = 200
}
