import Billing
import CryptoExtras
import Foundation
import StoreSimulator
import Synchronization

@testable import Gateways

/// A shop at the simulated Alipay, asked without a network, with a clock that the suites move.
struct AlipayShop: Sendable {
    enum Mode: CaseIterable {
        case key
        case certificate
    }

    /// 2025-06-15 23:06:40 on Shanghai's clock.
    static let start = Date(timeIntervalSince1970: 1_750_000_000)
    static let keys = Result {
        (
            app: try _RSA.Signing.PrivateKey(keySize: .bits2048),
            alipay: try _RSA.Signing.PrivateKey(keySize: .bits2048)
        )
    }
    static let certificates = Result {
        try SimulatedAlipayCertificates(
            appKey: keys.get().app.publicKey,
            alipayKey: keys.get().alipay.publicKey
        )
    }

    let clock: SimulatedClock
    let alipay: SimulatedAlipay
    let transport: ShopTransport
    let account: StoreAccount
    let app: AlipayConfiguration
    let pay: AlipayPay

    init(_ mode: Mode = .key, webhook: (any StoreTransport)? = nil) throws {
        let (clock, keys) = (SimulatedClock(standingAt: Self.start), try Self.keys.get())
        self.clock = clock
        let certificates = mode == .certificate ? try Self.certificates.get() : nil
        alipay = SimulatedAlipay(
            appID: SignInStore.alipayID,
            appKey: keys.app.publicKey,
            key: keys.alipay,
            certificates: certificates,
            transport: webhook ?? HTTPStoreTransport(),
            now: { clock.now }
        )
        transport = ShopTransport(alipay.endpoints)
        account = Self.account(certificates)
        app = try Unwrapped(try AlipayConfiguration(account)).value
        let gateway = AlipayGateway(
            transport: transport,
            clock: AppleServerClock(now: { clock.now }, sleep: { _ in }, jitter: { 0 })
        )
        pay = try Unwrapped(try gateway.pay(of: account)).value
    }

    static func account(_ certificates: SimulatedAlipayCertificates?) -> StoreAccount {
        let keys = try? keys.get()
        var secrets = [AlipaySetting.privateKey: Secret(keys?.app.pkcs8PEMRepresentation ?? "")]
        if let certificates {
            secrets[AlipaySetting.appCertificate] = Secret(certificates.app)
            secrets[AlipaySetting.alipayCertificate] = Secret(certificates.alipay)
            secrets[AlipaySetting.alipayRootCertificate] = Secret(certificates.roots)
        } else {
            secrets[AlipaySetting.alipayPublicKey] = Secret(keys?.alipay.publicKey.pemRepresentation ?? "")
        }
        return StoreAccount(
            store: .alipay,
            identifier: SignInStore.alipayID,
            isSimulated: true,
            settings: [
                AlipaySetting.gateway: "http://127.0.0.1:1/gateway.do",
                AlipaySetting.sellerID: SimulatedAlipay.sellerID,
            ],
            secrets: secrets
        )
    }

    func order(_ number: String = "P20250615_0001", fen: Int64 = 12_800) -> CheckoutOrder {
        CheckoutOrder(
            number: number,
            description: "专业版 100% a+b&c=d 🌸",
            amount: Self.yuan(fen),
            expiresAt: clock.now.addingTimeInterval(900),
            notificationURL: "https://shop.example.com/webhooks/alipay/app",
            returnURL: "https://shop.example.com/pay/back"
        )
    }

    /// An order that was scanned and paid.
    func paid(_ number: String = "P20250615_0001", fen: Int64 = 12_800) async throws -> StorePayment {
        _ = try await pay.open(order(number, fen: fen), by: .alipayQR)
        alipay.pay(number)
        guard case .paid(let payment) = try await pay.standing(of: number) else { throw Absent() }
        return payment
    }

    func refund(of payment: StorePayment, _ number: String = "R0001", fen: Int64) -> StoreRefund {
        StoreRefund(
            number: number,
            orderNumber: payment.number,
            transactionID: payment.transactionID,
            amount: Self.yuan(fen),
            total: payment.amount,
            reason: "不喜欢"
        )
    }

    static func yuan(_ fen: Int64) -> Money { Money(minorUnits: fen, currency: AlipayAmount.currency) }

    /// Returns how a call failed; nil where it did not.
    func failure(_ work: () async throws -> Void) async -> StoreFailure? {
        do {
            try await work()
            return nil
        } catch {
            return error as? StoreFailure
        }
    }
}

struct Absent: Error {}

/// What has to be there.
struct Unwrapped<Value> {
    let value: Value

    init(_ value: Value?) throws {
        guard let value else { throw Absent() }
        self.value = value
    }
}

/// Hands questions to the simulated store's endpoints; answers can be spoiled on their way.
final class ShopTransport: StoreTransport {
    private let endpoints: [SimulatedEndpoint]
    private let state = Mutex(State())

    private struct State {
        var asked: [String] = []
        var last: StoreResponse?
        var spoiled: StoreResponse?
        var part = ""
        var error: GatewayError.Code?
    }

    init(_ endpoints: [SimulatedEndpoint]) {
        self.endpoints = endpoints
    }

    /// The methods that were called, and the paths of what is no call.
    var asked: [String] { state.withLock { $0.asked } }
    /// The last answer of the store's own.
    var last: StoreResponse? { state.withLock { $0.last } }

    /// From now on that is the answer to each question whose address has the part, and the store is not asked; nil for its own.
    func spoil(_ part: String, with answer: StoreResponse?) {
        state.withLock { ($0.part, $0.spoiled) = (part, answer) }
    }

    /// From now on what is asked is done, and no answer comes; nil for one.
    func lose(_ code: GatewayError.Code?) { state.withLock { $0.error = code } }

    func send(_ request: StoreRequest) async throws(GatewayError) -> StoreResponse {
        let spoiled: StoreResponse? = state.withLock { state in
            state.spoiled.flatMap { request.url.contains(state.part) ? $0 : nil }
        }
        if let spoiled { return spoiled }
        let target = request.url.replacing(/^https?:\/\/[^\/]*/, with: "")
        let question = SimulatedRequest(
            method: request.method,
            target: target,
            headers: ["host": "127.0.0.1:1"],
            body: request.body ?? Data()
        )
        guard let endpoint = endpoints.first(where: { $0.method == question.method && $0.path == question.path }) else {
            throw GatewayError(.unreachable, "There is no such endpoint.")
        }
        let answer = await endpoint.answer(question)
        let name = question.query.first { $0.name == "method" }?.value ?? question.path
        let error = state.withLock { state in
            state.asked.append(name)
            state.last = answer
            return state.error
        }
        if let error { throw GatewayError(error, "Testing failure.") }
        return answer
    }
}
