import Billing
import Synchronization

/// The clients of WeChat Pay, one for each account: each keeps the certificates that it was given.
final class WeChatPayAccounts: Sendable {
    private let transport: any StoreTransport
    private let clock: AppleServerClock
    private let known = Mutex<[StoreAccount: WeChatPay]>([:])

    init(over transport: any StoreTransport, clock: AppleServerClock) {
        self.transport = transport
        self.clock = clock
    }

    /// - Returns: nil for an account that says nothing of WeChat Pay.
    /// - Throws: `.misconfigured`.
    subscript(_ account: StoreAccount) -> WeChatPay? {
        get throws(GatewayError) {
            if let known = known.withLock({ $0[account] }) { return known }
            guard let merchant = try WeChatPayConfiguration(account) else { return nil }
            let made = WeChatPay(for: merchant, over: transport, clock: clock)
            return known.withLock { known in
                if let other = known[account] { return other }
                // An account whose keys are replaced is another one.
                if known.count >= Self.most { known = [:] }
                known[account] = made
                return made
            }
        }
    }

    private static let most = 200
}
