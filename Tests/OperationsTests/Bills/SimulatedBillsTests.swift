import Billing
import CryptoExtras
import Foundation
import Jobs
import Operations
import Postgres
import Storage
import StoreSimulator
import Testing

@testable import Gateways

@Suite("Bills as Alipay makes them, beside the books") struct SimulatedBillsTests {
    /// A shop at the simulated Alipay, whose notifications nobody gets: orders are known by asking.
    private struct Shop {
        let clock: SimulatedClock
        let alipay: SimulatedAlipay
        let gateway: DirectAlipay
        let account: StoreAccount

        init(at start: Date) throws {
            let clock = SimulatedClock(standingAt: start)
            self.clock = clock
            let (app, store) = (
                try _RSA.Signing.PrivateKey(keySize: .bits2048), try _RSA.Signing.PrivateKey(keySize: .bits2048)
            )
            alipay = SimulatedAlipay(
                appID: "2021000000000001",
                appKey: app.publicKey,
                key: store,
                certificates: nil,
                transport: HTTPStoreTransport(),
                now: { clock.now }
            )
            account = StoreAccount(
                store: .alipay,
                identifier: "2021000000000001",
                isSimulated: true,
                settings: [
                    AlipaySetting.gateway: "http://127.0.0.1:1/gateway.do",
                    AlipaySetting.sellerID: SimulatedAlipay.sellerID,
                ],
                secrets: [
                    AlipaySetting.privateKey: Secret(app.pkcs8PEMRepresentation),
                    AlipaySetting.alipayPublicKey: Secret(store.publicKey.pemRepresentation),
                ]
            )
            let client = AlipayGateway(
                transport: DirectTransport(endpoints: alipay.endpoints),
                clock: AppleServerClock(now: { clock.now }, sleep: { _ in }, jitter: { 0 })
            )
            gateway = DirectAlipay(pay: try #require(try client.pay(of: account)))
        }
    }

    private func run(_ body: (CheckoutOffice, Shop, [String]) async throws -> Void) async throws {
        try await CheckoutOffice.run { office in
            let shop = try Shop(at: office.office.clock.read())
            let backOffice = office.office.anotherServer(
                secret: TestOffice.secret,
                gateways: StoreGateways([AppleGateway(), office.wechat, shop.gateway])
            )
            let own = CheckoutOffice(
                office: office.office,
                backOffice: backOffice,
                wechat: office.wechat,
                alipay: office.alipay,
                app: office.app
            )
            var catalog = try CheckoutOffice.catalog()
            catalog.accounts[.alipay] = shop.account
            _ = try await backOffice.applyCatalog(catalog)
            var numbers: [String] = []
            for index in 0..<24 {
                let customer = try await own.office.customer("mei-\(index)")
                let number = try await own.open(by: .alipayQR, for: customer).checkout.number
                _ = shop.alipay.scan(number)
                _ = shop.alipay.pay(number)
                numbers.append(number)
            }
            try await own.watch()
            #expect(try await own.office.count("checkouts WHERE state = 'paid'") == 24)
            try await body(own, shop, numbers)
        }
    }

    private func compare(_ office: CheckoutOffice, _ shop: Shop, days: Double) async throws {
        office.advance(days: days)
        shop.clock.advance(by: days * 86_400)
        for _ in 0..<2 {
            _ = try await office.backOffice.scheduleBills()
            _ = try await JobWorker(backOffice: office.backOffice).drain()
        }
    }

    @Test("undisturbed books agree with the bill, and 20 planted differences are exactly those that are listed")
    func planted() async throws {
        try await run { office, shop, numbers in
            try await compare(office, shop, days: 1.5)
            #expect(try await office.office.count("daily_bills WHERE state = 'compared' AND rows = 24") == 1)
            #expect(try await office.office.count("bill_differences") == 0)
            var knobs = SimulatedAlipayBillKnobs()
            knobs.hidden = Set(numbers[0..<7])
            for number in numbers[7..<14] { knobs.amounts[number] = 1_234 }
            knobs.strays = (0..<6).map { ("STRAY\($0)", 4_200, TestOffice.start) }
            shop.alipay.set(knobs)
            _ = try await office.office.pool.query("UPDATE daily_bills SET state = 'incomplete', next_at = starts_at")
            try await compare(office, shop, days: 0)
            let found = try await office.office.lines(
                "SELECT concat_ws(' ', kind, order_number) FROM bill_differences WHERE closed_at IS NULL ORDER BY 1"
            )
            let expected =
                numbers[0..<7].map { "paid_here \($0)" } + numbers[7..<14].map { "payment_amount \($0)" }
                + (0..<6).map { "paid_there STRAY\($0)" }
            #expect(expected.count == 20)
            #expect(Set(found) == Set(expected) && found.count == 20)
        }
    }

    @Test("a bill with a torn last line tells of nothing that is missing, and is whole the next time")
    func torn() async throws {
        try await run { office, shop, _ in
            var knobs = SimulatedAlipayBillKnobs()
            knobs.isTorn = true
            shop.alipay.set(knobs)
            try await compare(office, shop, days: 1.5)
            #expect(try await office.office.lines("SELECT state FROM daily_bills") == ["incomplete"])
            #expect(try await office.office.count("bill_differences") == 0)
            shop.alipay.set(SimulatedAlipayBillKnobs())
            try await compare(office, shop, days: 0.55)
            #expect(try await office.office.count("daily_bills WHERE state = 'compared' AND rows = 24") == 1)
            #expect(try await office.office.count("bill_differences") == 0)
        }
    }
}

/// The simulated Alipay as a gateway of its own.
private struct DirectAlipay: StoreGateway {
    let store = Store.alipay
    let identifier = (name: "app id", field: "app_id")
    let pay: AlipayPay

    func check(_ account: StoreAccount) throws(GatewayError) {}

    func open(_ delivery: StoreDelivery) throws(GatewayError) -> any UnverifiedMessage {
        throw GatewayError(.malformed, "It takes in nothing.")
    }

    func checkouts(of account: StoreAccount) throws(GatewayError) -> (any CheckoutServer)? { pay }

    func bills(of account: StoreAccount) throws(GatewayError) -> (any BillSource)? { pay }
}

/// Hands questions to simulated endpoints.
private struct DirectTransport: StoreTransport {
    let endpoints: [SimulatedEndpoint]

    func send(_ request: StoreRequest) async throws(GatewayError) -> StoreResponse {
        let question = SimulatedRequest(
            method: request.method,
            target: request.url.replacing(/^https?:\/\/[^\/]*/, with: ""),
            headers: ["host": "127.0.0.1:1"],
            body: request.body ?? Data()
        )
        guard let endpoint = endpoints.first(where: { $0.method == question.method && $0.path == question.path }) else {
            throw GatewayError(.unreachable, "There is no such endpoint.")
        }
        return await endpoint.answer(question)
    }
}
