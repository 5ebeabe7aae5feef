import Billing
import CryptoExtras
import Foundation
import Gateways
import StoreSimulator
import TestSupport

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
    static func run<Value>(
        at start: Date = Self.start,
        timeout: Duration = .patient,
        _ body: (SignInStore) async throws -> Value
    ) async throws -> Value {
        let store = try SignInStore(SimulatedClock(standingAt: start), timeout: timeout)
        try await store.server.start()
        let value: Value
        do {
            value = try await body(store.addressed)
        } catch {
            await store.server.stop()
            throw error
        }
        await store.server.stop()
        return value
    }

    /// Signs in where the provider takes the question and gives no answer; where the machine is so busy that the question does not leave in
    /// time, again with more of it.
    ///
    /// - Returns: the refusal, and the number of requests to that path.
    static func silence(
        at path: String,
        of provider: AuthProvider,
        _ code: (SignInStore) -> String
    ) async throws -> (failure: SignInError?, asked: Int) {
        for seconds in [2, 8] {
            let told = try await tellNothing(within: .seconds(seconds), at: path, of: provider, code)
            guard told.asked == 0 else { return told }
        }
        return try await tellNothing(within: .seconds(30), at: path, of: provider, code)
    }

    private static func tellNothing(
        within timeout: Duration,
        at path: String,
        of provider: AuthProvider,
        _ code: (SignInStore) -> String
    ) async throws -> (failure: SignInError?, asked: Int) {
        try await run(timeout: timeout) { store in
            store.server.fail(SimulatedFault(.silence, onPath: path))
            let failure = await store.failure(code(store), with: provider)
            return (failure, store.asked(path))
        }
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
