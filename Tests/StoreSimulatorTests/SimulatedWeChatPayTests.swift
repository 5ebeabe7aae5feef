import Billing
import Foundation
import Synchronization
import Testing

@testable import Gateways
@testable import StoreSimulator

@Suite("The simulated WeChat Pay") struct SimulatedWeChatPayTests {
    private static let start = Date(timeIntervalSince1970: 1_795_000_000)
    private static let signer = Result { try SimulatedWeChatSigner(publicKeyID: "PUB_KEY_ID_MERCHANT") }

    /// Answers everything with one status, and keeps what was asked.
    private final class Receiver: StoreTransport {
        let state = Mutex((status: Int?.some(200), asked: [StoreRequest]()))

        func send(_ request: StoreRequest) async throws(GatewayError) -> StoreResponse {
            let status = state.withLock { state in
                state.asked.append(request)
                return state.status
            }
            guard let status else { throw GatewayError(.unreachable, "Testing failure.") }
            return StoreResponse(status: status)
        }
    }

    private let clock = SimulatedClock(standingAt: Self.start)
    private let receiver = Receiver()
    private let pay: SimulatedWeChatPay

    init() throws {
        pay = try SimulatedWeChatPay(
            SimulatedWeChatMerchant(
                appID: "wxd930ea5d5a258f4f",
                merchantID: "1900000109",
                serial: "3A5B7C9D1E2F",
                key: try Self.signer.get().publicKey,
                apiV3Key: "0123456789abcdef0123456789ABCDEF"
            ),
            clock: clock,
            transport: receiver
        )
    }

    private func ask(
        _ method: String,
        _ target: String,
        _ body: JSON? = nil,
        nonce: String = UUID().uuidString.replacing("-", with: ""),
        at date: Date? = nil,
        bend: (inout String) -> Void = { _ in }
    ) async throws -> StoreResponse {
        let signer = WeChatPaySigner(
            merchantID: "1900000109",
            serial: "3A5B7C9D1E2F",
            key: try Self.signer.get().key
        )
        var authorization = try signer.authorization(
            method,
            target,
            body?.bytes ?? [],
            timestamp: Int64((date ?? clock.now).timeIntervalSince1970),
            nonce: nonce
        )
        bend(&authorization)
        let request = SimulatedRequest(
            method: method,
            target: target,
            headers: ["authorization": authorization, "host": "127.0.0.1"],
            body: Data(body?.bytes ?? [])
        )
        let endpoint = try #require(pay.endpoints.first { $0.matches(request) })
        return await endpoint.answer(request)
    }

    private func order(_ number: String = "SUB-0001") -> JSON {
        [
            "appid": "wxd930ea5d5a258f4f", "mchid": "1900000109", "description": "Pro", "out_trade_no": .string(number),
            "notify_url": "https://example.com/webhooks/wechat/a", "amount": ["total": 600, "currency": "CNY"],
        ]
    }

    @Test("a nonce is taken once in ten minutes, a time within five, and a signature over what was sent")
    func signatures() async throws {
        let target = "/v3/pay/transactions/out-trade-no/SUB-0001?mchid=1900000109"
        #expect(try await ask("GET", target, nonce: "A").status == 404)
        let again = try await ask("GET", target, nonce: "A")
        #expect(again.status == 401 && String(decoding: again.body, as: UTF8.self).contains("SIGN_ERROR"))
        clock.advance(by: 601)
        #expect(try await ask("GET", target, nonce: "A").status == 404)
        for (seconds, status) in [(300.0, 404), (-300, 404), (301, 401), (-301, 401)] {
            #expect(try await ask("GET", target, at: clock.now.addingTimeInterval(seconds)).status == status)
        }
        for (text, other) in [("1900000109", "1900000110"), ("3A5B", "3A5C"), ("nonce_str=\"", "nonce_str=\"x")] {
            #expect(try await ask("GET", target) { $0 = $0.replacing(text, with: other) }.status == 401)
        }
    }

    @Test("what WeChat Pay would not take is refused: unknown members, emoji, a query in the address, another app")
    func requests() async throws {
        let target = "/v3/pay/transactions/native"
        for (name, value) in [
            ("unknown", "x"), ("description", "Pro 🌸"), ("notify_url", "https://example.com/?a=b"), ("appid", "wx1"),
            ("out_trade_no", "a b c d e f"), ("mchid", "1900000110"),
        ] {
            var body = order()
            body[name] = .string(value)
            #expect(try await ask("POST", target, body).status == 400, "\(name)")
        }
        for total: JSON in [0, -1, "600", .number(1.5), .null] {
            var body = order()
            body["amount"]?["total"] = total
            #expect(try await ask("POST", target, body).status == 400, "\(total)")
        }
        #expect(try await ask("POST", target, order()).status == 200)
        #expect(try await ask("POST", "/v3/pay/transactions/h5", order("SUB-0002")).status == 400)
        #expect(try await ask("POST", "/v3/unknown", order()).status == 404)
    }

    @Test("a notification comes at once, and fifteen times more within 24 hours and 4 minutes")
    func schedule() async throws {
        _ = try await ask("POST", "/v3/pay/transactions/native", order())
        try pay.pay("SUB-0001")
        receiver.state.withLock { $0.status = 500 }
        await pay.deliverDue()
        #expect(pay.messages[0].attempts == [.init(date: Self.start, status: 500)])
        for pause in SimulatedWeChatMessage.pauses {
            clock.advance(by: pause - 1)
            let before = pay.messages[0].attempts.count
            await pay.deliverDue()
            #expect(pay.messages[0].attempts.count == before)
            clock.advance(by: 1)
            await pay.deliverDue()
            #expect(pay.messages[0].attempts.count == before + 1)
        }
        #expect(clock.now == Self.start.addingTimeInterval(86_400 + 240))
        clock.advance(by: 10 * 86_400)
        await pay.deliverDue()
        #expect(pay.messages[0].attempts.count == 16 && !pay.messages[0].isTaken)
        #expect(Set(receiver.state.withLock { $0.asked.map { $0.headers["wechatpay-nonce"] } }).count == 16)
    }

    @Test("one that is taken ends, with 200 or 204; dropped, doubled and delayed ones are as they are")
    func moods() async throws {
        for (number, status) in [("SUB-0001", 200), ("SUB-0002", 204), ("SUB-0003", 200), ("SUB-0004", 200)] {
            _ = try await ask("POST", "/v3/pay/transactions/native", order(number))
            try pay.pay(number)
            receiver.state.withLock { $0.status = status }
            switch number {
            case "SUB-0002": pay.spoil(.twice)
            case "SUB-0003": pay.spoil(.delayed(100))
            case "SUB-0004": pay.spoil(.dropped)
            default: break
            }
            await pay.deliverDue()
        }
        #expect(pay.messages.map(\.isTaken) == [true, true, false, false])
        #expect(receiver.state.withLock { $0.asked.count } == 3)
        clock.advance(by: 15)
        await pay.deliverDue()
        #expect(pay.messages.map(\.isTaken) == [true, true, false, true])
        clock.advance(by: 85)
        await pay.deliverDue()
        #expect(pay.messages.map(\.isTaken) == [true, true, true, true])
    }

    @Test("refunds end as they are told to, within WeChat Pay's limits, and are told") func refunds() async throws {
        _ = try await ask("POST", "/v3/pay/transactions/native", order())
        func refund(
            _ number: String,
            _ fen: Int64,
            to url: String = "https://example.com/webhooks/wechat/a"
        ) async throws -> StoreResponse {
            let amount: JSON = ["refund": .integer(fen), "total": 600, "currency": "CNY"]
            let body: JSON = [
                "out_trade_no": "SUB-0001", "out_refund_no": .string(number), "notify_url": .string(url),
                "amount": amount,
            ]
            return try await ask("POST", "/v3/refund/domestic/refunds", body)
        }
        #expect(try await refund("R-0", 100).status == 403)
        try pay.pay("SUB-0001")
        #expect(try await refund("R-1", 600, to: "https://example.com/?a=b").status == 400)
        pay.setRefunds(endingAs: "CLOSED", after: 30)
        #expect(try await refund("R-1", 600).status == 200)
        #expect(try await refund("R-1", 600).status == 200)
        #expect(try await refund("R-1", 599).status == 400)
        #expect(try await refund("R-2", 100).status == 429)
        clock.advance(by: 60)
        await pay.deliverDue()
        #expect(pay.refund("R-1")?.state == "CLOSED")
        pay.setRefunds(endingAs: "SUCCESS", after: nil)
        #expect(try await refund("R-2", 400).status == 200)
        clock.advance(by: 60)
        #expect(try await refund("R-3", 201).status == 400)
        #expect(pay.refund("R-2")?.state == "PROCESSING")
        pay.settle("R-2", as: "ABNORMAL")
        pay.setRefundURL("https://example.com/webhooks/wechat/platform")
        try pay.refundByHand(200, of: "SUB-0001", as: "HAND-1")
        pay.settle("HAND-1", as: "SUCCESS")
        await pay.deliverDue()
        let types = ["TRANSACTION.SUCCESS", "REFUND.CLOSED", "REFUND.ABNORMAL", "REFUND.SUCCESS"]
        #expect(pay.messages.map(\.type) == types)
        clock.advance(by: 366 * 86_400)
        #expect(try await refund("R-4", 1).status == 403)
    }

    @Test("a refund is told to its own address or the merchant platform's, and never to its order's")
    func refundAddresses() async throws {
        let (own, platform) = ("https://example.com/webhooks/own", "https://example.com/webhooks/platform")
        pay.setRefunds(endingAs: "SUCCESS")
        for (number, url, entered, told) in [
            ("SUB-0001", nil, nil, nil), ("SUB-0002", own, nil, own), ("SUB-0003", nil, platform, platform),
            ("SUB-0004", own, platform, own),
        ] as [(String, String?, String?, String?)] {
            var opened = order()
            opened["out_trade_no"] = .string(number)
            _ = try await ask("POST", "/v3/pay/transactions/native", opened)
            try pay.pay(number)
            pay.setRefundURL(entered)
            var body: JSON = [
                "out_trade_no": .string(number), "out_refund_no": .string("R-\(number)"),
                "amount": ["refund": 600, "total": 600, "currency": "CNY"],
            ]
            if let url { body["notify_url"] = .string(url) }
            #expect(try await ask("POST", "/v3/refund/domestic/refunds", body).status == 200)
            await pay.deliverDue()
            let messages = pay.messages.filter {
                $0.type == "REFUND.SUCCESS" && $0.content["out_trade_no"]?.string == number
            }
            #expect(messages.map(\.url) == [told].compactMap(\.self), "\(number)")
        }
    }

    @Test("from another process somebody pays, gives back and rotates the certificate; nonsense is refused")
    func desk() async throws {
        _ = try await ask("POST", "/v3/pay/transactions/native", order())
        func tell(_ method: String, _ path: String, _ body: JSON = [:]) async throws -> StoreResponse {
            let request = SimulatedRequest(
                method: method,
                target: "/simulator/wechat/\(path)",
                headers: [:],
                body: Data(body.bytes)
            )
            return await (try #require(pay.endpoints.first { $0.matches(request) })).answer(request)
        }
        #expect(try await tell("POST", "pay", ["out_trade_no": "SUB-NOBODY"]).status == 400)
        #expect(try await tell("POST", "pay", ["out_trade_no": "SUB-0001"]).status == 200)
        #expect(try await tell("POST", "pay", ["out_trade_no": "SUB-0001"]).status == 400)
        #expect(receiver.state.withLock { $0.asked.map(\.url) } == ["https://example.com/webhooks/wechat/a"])
        let byHand: JSON = ["out_trade_no": "SUB-0001", "out_refund_no": "HAND-1", "refund": 600]
        #expect(try await tell("POST", "refund", byHand).status == 200)
        #expect(try await tell("POST", "settle", ["out_refund_no": "HAND-1", "status": "PAID"]).status == 400)
        #expect(try await tell("POST", "settle", ["out_refund_no": "HAND-2", "status": "SUCCESS"]).status == 400)
        #expect(try await tell("POST", "settle", ["out_refund_no": "HAND-1", "status": "ABNORMAL"]).status == 200)
        #expect(pay.refund("HAND-1")?.state == "ABNORMAL")
        #expect(try await tell("POST", "rotate").status == 200)
        #expect(pay.certificates.count == 2)
        let orders = try JSON(parsing: Array(try await tell("GET", "orders").body))
        guard case .array(let listed) = orders else { throw SimulatedWeChatRefusal.orderUnknown }
        #expect(listed.count == 1 && listed[0]["trade_state"] == "REFUND")
        let messages = try JSON(parsing: Array(try await tell("GET", "notifications").body))
        guard case .array(let told) = messages else { throw SimulatedWeChatRefusal.orderUnknown }
        // A refund that is made on the platform names no address.
        #expect(told.count == 1)
    }
}
