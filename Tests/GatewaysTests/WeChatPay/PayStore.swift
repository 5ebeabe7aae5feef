import Billing
import CryptoExtras
import Foundation
import StoreSimulator
import Synchronization
import TestSupport
import Testing

@testable import Gateways

/// The simulated WeChat Pay over HTTP, with a merchant, and a clock that the suites move.
struct PayStore {
    static let start = Date(timeIntervalSince1970: 1_795_000_000)
    static let appID = "wxd930ea5d5a258f4f"
    static let merchantID = "1900000109"
    static let serial = "3A5B7C9D1E2F4A6B8C0D1E2F3A4B5C6D7E8F9A0B"
    static let apiV3Key = "0123456789abcdef0123456789ABCDEF"
    static let key = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) }
    static let webhook = "/webhooks/wechat/readmigo"

    let clock: SimulatedClock
    let server: SimulatedAppleServer
    let simulator: SimulatedWeChatPay
    let received: ReceivedDeliveries
    var account: StoreAccount

    /// - Parameter usesPublicKey: whether the merchant has WeChat Pay's public key.
    static func run(
        mode: SimulatedWeChatMode = .both,
        usesPublicKey: Bool = true,
        at clock: SimulatedClock = SimulatedClock(standingAt: Self.start),
        _ body: (PayStore) async throws -> Void
    ) async throws {
        var store = try PayStore(clock, mode)
        try await store.server.start()
        store.account.settings[WeChatSetting.payAddress] = store.server.url()
        if usesPublicKey {
            store.account.settings[WeChatSetting.payPublicKeyID] = store.simulator.publicKey.serial
            store.account.secrets[WeChatSetting.payPublicKey] = Secret(store.simulator.publicKey.pem)
        }
        do {
            try await body(store)
        } catch {
            await store.server.stop()
            throw error
        }
        await store.server.stop()
    }

    private init(_ clock: SimulatedClock, _ mode: SimulatedWeChatMode) throws {
        let key = try Self.key.get()
        self.clock = clock
        simulator = try SimulatedWeChatPay(
            SimulatedWeChatMerchant(
                appID: Self.appID,
                merchantID: Self.merchantID,
                serial: Self.serial,
                key: key.publicKey,
                apiV3Key: Self.apiV3Key
            ),
            mode: mode,
            clock: clock
        )
        let received = ReceivedDeliveries()
        self.received = received
        let webhook = SimulatedEndpoint("POST", Self.webhook) { request in
            StoreResponse(status: received.take(request))
        }
        server = SimulatedAppleServer(
            authority: try TestAuthority(),
            clock: clock,
            endpoints: simulator.endpoints + [webhook]
        )
        account = StoreAccount(
            store: .wechat,
            identifier: Self.appID,
            isSimulated: true,
            settings: [WeChatSetting.merchantID: Self.merchantID, WeChatSetting.merchantSerial: Self.serial],
            secrets: [
                WeChatSetting.merchantKey: Secret(key.pkcs8PEMRepresentation),
                WeChatSetting.apiV3Key: Secret(Self.apiV3Key),
            ]
        )
    }

    /// A client of its own, which knows no certificate yet.
    func pay(over transport: any StoreTransport = PatientTransport()) throws -> WeChatPay {
        WeChatPay(
            for: try #require(try WeChatPayConfiguration(account)),
            over: transport,
            clock: AppleServerClock(now: { [clock] in clock.now }, sleep: { _ in }, jitter: { 0 })
        )
    }

    func order(_ number: String = "SUB-20261118-0001", fen: Int64 = 600) -> CheckoutOrder {
        CheckoutOrder(
            number: number,
            description: "专业版 月付 🌸",
            amount: .fen(fen),
            expiresAt: clock.now.addingTimeInterval(900),
            notificationURL: server.url() + Self.webhook,
            returnURL: "https://example.com/back?a=b",
            payer: Secret("oUpF8uMuAJO_M2pxb1Q9zNjWeS6o"),
            clientAddress: "203.0.113.7"
        )
    }

    /// Opens and pays an order.
    ///
    /// - Returns: the refund of all of it, which nobody asked for yet.
    func paid(_ number: String = "SUB-20261118-0001", fen: Int64 = 600, by pay: WeChatPay) async throws -> StoreRefund {
        _ = try await pay.open(order(number, fen: fen), by: .wechatNative)
        let id = try simulator.pay(number)
        return StoreRefund(
            number: "R-\(number)",
            orderNumber: number,
            transactionID: id,
            amount: .fen(fen),
            total: .fen(fen),
            reason: "bought by mistake 😀",
            notificationURL: server.url() + Self.webhook
        )
    }
}

extension Money {
    static func fen(_ fen: Int64) -> Money {
        Money(minorUnits: fen, currency: Currency("CNY") ?? .unknown)
    }
}

/// The messages that arrived at the webhook.
final class ReceivedDeliveries: Sendable {
    private let state = Mutex((deliveries: [StoreDelivery](), status: 200))

    var all: [StoreDelivery] { state.withLock { $0.deliveries } }

    func answer(_ status: Int) { state.withLock { $0.status = status } }

    func take(_ request: SimulatedRequest) -> Int {
        state.withLock { state in
            let text = String(decoding: request.body, as: UTF8.self)
            state.deliveries.append(StoreDelivery(text, headers: request.headers))
            return state.status
        }
    }
}

/// Returns why a call came to nothing; nil where it did not.
func payFailure(_ work: () async throws -> Void) async -> StoreFailure? {
    do {
        try await work()
        return nil
    } catch {
        return error as? StoreFailure
    }
}
