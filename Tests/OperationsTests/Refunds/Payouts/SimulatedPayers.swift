import Billing
import CryptoExtras
import Foundation
import Operations
import StoreSimulator

@testable import Gateways

/// The simulated WeChat Pay and Alipay, asked without a network by their own clients.
struct SimulatedPayers: Sendable {
    static let merchantID = "1900000109"
    private static let serial = "3A5B7C9D1E2F4A6B8C0D1E2F3A4B5C6D7E8F9A0B"
    private static let apiV3Key = "0123456789abcdef0123456789ABCDEF"
    private static let keys = Result {
        (
            merchant: try _RSA.Signing.PrivateKey(keySize: .bits2048),
            alipay: try _RSA.Signing.PrivateKey(keySize: .bits2048)
        )
    }

    let clock: SimulatedClock
    let wechat: SimulatedWeChatPay
    let alipay: SimulatedAlipay
    let wechatPay: WeChatPay
    let alipayPay: AlipayPay

    init(at now: Date) throws {
        let keys = try Self.keys.get()
        let clock = SimulatedClock(standingAt: now)
        self.clock = clock
        let access = AppleServerClock(now: { clock.now }, sleep: { _ in }, jitter: { 0 })
        wechat = try SimulatedWeChatPay(
            SimulatedWeChatMerchant(
                appID: "wxd930ea5d5a258f4f",
                merchantID: Self.merchantID,
                serial: Self.serial,
                key: keys.merchant.publicKey,
                apiV3Key: Self.apiV3Key
            ),
            mode: .publicKey,
            clock: clock,
            transport: EndpointTransport([])
        )
        var account = StoreAccount(
            store: .wechat,
            identifier: "wxd930ea5d5a258f4f",
            isSimulated: true,
            settings: [
                WeChatSetting.merchantID: Self.merchantID, WeChatSetting.merchantSerial: Self.serial,
                WeChatSetting.payAddress: "http://127.0.0.1:1",
            ],
            secrets: [
                WeChatSetting.merchantKey: Secret(keys.merchant.pkcs8PEMRepresentation),
                WeChatSetting.apiV3Key: Secret(Self.apiV3Key),
            ]
        )
        account.settings[WeChatSetting.payPublicKeyID] = wechat.publicKey.serial
        account.secrets[WeChatSetting.payPublicKey] = Secret(wechat.publicKey.pem)
        guard let merchant = try WeChatPayConfiguration(account) else {
            throw OperationsError(.misconfigured, "The simulated merchant has no configuration.")
        }
        wechatPay = WeChatPay(for: merchant, over: EndpointTransport(wechat.endpoints), clock: access)

        alipay = SimulatedAlipay(
            appID: "2021004105652035",
            appKey: keys.merchant.publicKey,
            key: keys.alipay,
            certificates: nil,
            transport: EndpointTransport([]),
            now: { clock.now }
        )
        let seller = StoreAccount(
            store: .alipay,
            identifier: "2021004105652035",
            isSimulated: true,
            settings: [
                AlipaySetting.gateway: "http://127.0.0.1:1/gateway.do",
                AlipaySetting.sellerID: SimulatedAlipay.sellerID,
            ],
            secrets: [
                AlipaySetting.privateKey: Secret(keys.merchant.pkcs8PEMRepresentation),
                AlipaySetting.alipayPublicKey: Secret(keys.alipay.publicKey.pemRepresentation),
            ]
        )
        guard let app = try AlipayConfiguration(seller),
            let pay = AlipayPay(for: app, over: EndpointTransport(alipay.endpoints), clock: access)
        else { throw OperationsError(.misconfigured, "The simulated seller has no configuration.") }
        alipayPay = pay
    }
}

/// A store whose orders and refunds are one service's.
struct ServedStore: StoreGateway {
    let store: Store
    let server: any CheckoutServer & RefundServer
    let identifier = (name: "merchant id", field: "mchid")

    init(_ store: Store, _ server: any CheckoutServer & RefundServer) {
        (self.store, self.server) = (store, server)
    }

    func check(_ account: StoreAccount) throws(GatewayError) {}

    func open(_ delivery: StoreDelivery) throws(GatewayError) -> any UnverifiedMessage {
        throw GatewayError(.malformed, "It takes in nothing.")
    }

    func checkouts(of account: StoreAccount) throws(GatewayError) -> (any CheckoutServer)? { server }

    func refunds(of account: StoreAccount) throws(GatewayError) -> (any RefundServer)? { server }

    func bills(of account: StoreAccount) throws(GatewayError) -> (any BillSource)? { server as? any BillSource }
}

/// Hands questions to a simulated store's endpoints.
private struct EndpointTransport: StoreTransport {
    private let endpoints: [SimulatedEndpoint]

    init(_ endpoints: [SimulatedEndpoint]) {
        self.endpoints = endpoints
    }

    func send(_ request: StoreRequest) async throws(GatewayError) -> StoreResponse {
        var headers = ["host": "127.0.0.1:1"]
        for (name, value) in request.headers { headers[name.lowercased()] = value }
        let question = SimulatedRequest(
            method: request.method,
            target: request.url.replacing(/^https?:\/\/[^\/]*/, with: ""),
            headers: headers,
            body: request.body ?? Data()
        )
        let endpoint = endpoints.first { endpoint in
            endpoint.method == question.method
                && (endpoint.path.hasSuffix("*")
                    ? question.path.hasPrefix(endpoint.path.dropLast()) : question.path == endpoint.path)
        }
        guard let endpoint else { throw GatewayError(.unreachable, "There is no such endpoint.") }
        return await endpoint.answer(question)
    }
}
