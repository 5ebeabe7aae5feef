import Billing
import CryptoExtras
import Foundation
import Gateways
import StoreSimulator

/// WeChat's and Alipay's simulated sign-in over HTTP, with an app at each, and a clock that the suites move.
struct SignInStore {
    static let start = Date(timeIntervalSince1970: 1_750_000_000)
    static let wechatID = "wxd930ea5d5a258f4f"
    static let appSecret = "0123456789abcdef0123456789ABCDEF"
    static let alipayID = "2021000000000001"
    static let appKey = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) }
    static let alipayKey = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) }

    let clock: SimulatedClock
    let server: SimulatedAppleServer
    let wechat: SimulatedWeChat
    let alipay: SimulatedAlipay
    var accounts: [Store: StoreAccount]
    let gateways: StoreGateways

    /// - Parameter timeout: the longest wait for an answer; short where none comes.
    static func run(
        at start: Date = Self.start,
        timeout: Duration = SignInPolicy.standard.timeout,
        _ body: (SignInStore) async throws -> Void
    ) async throws {
        let store = try SignInStore(SimulatedClock(standingAt: start), timeout: timeout)
        try await store.server.start()
        do {
            try await body(store.addressed)
        } catch {
            await store.server.stop()
            throw error
        }
        await store.server.stop()
    }

    private init(_ clock: SimulatedClock, timeout: Duration) throws {
        self.clock = clock
        wechat = SimulatedWeChat(appID: Self.wechatID, appSecret: Self.appSecret, now: { clock.now })
        alipay = SimulatedAlipay(
            appID: Self.alipayID,
            appKey: try Self.appKey.get().publicKey,
            key: try Self.alipayKey.get(),
            now: { clock.now }
        )
        server = SimulatedAppleServer(
            authority: try TestAuthority(),
            clock: clock,
            endpoints: wechat.endpoints + alipay.endpoints
        )
        accounts = [
            .wechat: StoreAccount(
                store: .wechat,
                identifier: Self.wechatID,
                isSimulated: true,
                secrets: [WeChatSetting.appSecret: Secret(Self.appSecret)]
            ),
            .alipay: StoreAccount(
                store: .alipay,
                identifier: Self.alipayID,
                isSimulated: true,
                secrets: [
                    AlipaySetting.privateKey: Secret(try Self.appKey.get().pkcs8PEMRepresentation),
                    AlipaySetting.alipayPublicKey: Secret(try Self.alipayKey.get().publicKey.pemRepresentation),
                ]
            ),
        ]
        var policy = SignInPolicy.standard
        policy.timeout = timeout
        gateways = StoreGateways([
            WeChatGateway(policy: policy, clock: Self.impatient), AlipayGateway(policy: policy, clock: Self.impatient),
        ])
    }

    /// The store with the addresses that the server listens on.
    private var addressed: SignInStore {
        var store = self
        store.accounts[.wechat]?.settings[WeChatSetting.address] = server.url()
        store.accounts[.alipay]?.settings[AlipaySetting.gateway] = "\(server.url())/gateway.do"
        return store
    }

    private static let impatient = AppleServerClock(now: { start }, sleep: { _ in }, jitter: { 0 })

    func exchange(_ code: String, with provider: AuthProvider) async throws(SignInError) -> ProviderIdentity {
        try await gateways.signIn(with: provider, of: accounts)
            .exchange(SignInCredential(code: Secret(code)), at: clock.now)
    }

    /// Returns the reason why a code is refused; nil when it is accepted.
    func failure(_ code: String, with provider: AuthProvider) async -> SignInError? {
        do throws(SignInError) {
            _ = try await exchange(code, with: provider)
            return nil
        } catch {
            return error
        }
    }

    /// Returns the number of requests to a path of the server.
    func asked(_ path: String) -> Int {
        server.asked.filter { $0.hasSuffix(" \(path)") }.count
    }
}
