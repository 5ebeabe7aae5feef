import Billing
import Foundation
import StoreSimulator
import TestSupport
import Testing

@testable import Gateways

@Suite("What is not Alipay's answer is not its no") struct AlipaySpoiledAnswerTests {
    @Test(
        "whatever comes in the place of an answer, nothing ends by it, and the next good one is taken",
        arguments: [AlipayCall.precreate, .query, .close, .refund, .refundQuery, .billAddress],
        AlipayShop.Mode.allCases
    )
    func spoiled(_ call: AlipayCall, _ mode: AlipayShop.Mode) async throws {
        let shop = try AlipayShop(mode)
        let payment = try await shop.paid()
        _ = try await shop.pay.open(shop.order("P2"), by: .alipayQR)
        shop.alipay.scan("P2")
        let refund = shop.refund(of: payment, fen: 100)
        shop.clock.advance(by: 2 * 86_400)
        func ask() async throws {
            switch call {
            case .precreate: _ = try await shop.pay.open(shop.order("P3"), by: .alipayQR)
            case .query: _ = try await shop.pay.standing(of: payment.number)
            case .close: _ = try await shop.pay.close("P2")
            case .refund: _ = try await shop.pay.refund(refund)
            case .refundQuery: _ = try await shop.pay.standing(of: refund)
            case .billAddress:
                _ = try await shop.pay.bill(of: BusinessDay(AlipayShop.start, in: AlipayTime.zone))
            case .page, .wap, .app: break
            }
        }
        try await ask()
        let good = try await Self.answer(to: call, shop, payment, refund)
        for (name, answer) in Self.spoiled(good, call) {
            shop.transport.spoil("method=\(call.method)&", with: answer)
            let failure = await shop.failure { try await ask() }
            #expect(failure != nil, "\(name) passed for an answer")
            #expect(failure?.refusal == nil, "\(name) ends it: \(String(describing: failure))")
            #expect(failure?.message.isEmpty == false)
        }
        shop.transport.spoil("", with: nil)
        try await ask()
    }

    /// The last answer to the call alone; that of a bill's address comes before the bill.
    private static func answer(
        to call: AlipayCall,
        _ shop: AlipayShop,
        _ payment: StorePayment,
        _ refund: StoreRefund
    ) async throws -> StoreResponse {
        let content: JSON =
            switch call {
            case .billAddress: ["bill_type": "trade", "bill_date": "2025-06-15"]
            case .close: ["out_trade_no": "P2"]
            case .precreate:
                [
                    "out_trade_no": "P3", "total_amount": "128.00",
                    "subject": .string(AlipayPay.subject(shop.order().description)),
                ]
            default:
                [
                    "out_trade_no": .string(payment.number), "trade_no": .string(payment.transactionID),
                    "out_request_no": .string(refund.number), "refund_amount": "1.00",
                ]
            }
        return try await shop.transport.send(try shop.pay.signed(call, content).request(to: shop.app.gateway))
    }

    private static func spoiled(_ good: StoreResponse, _ call: AlipayCall) -> [(name: String, answer: StoreResponse)] {
        let name = call.method.replacing(".", with: "_") + "_response"
        let text = String(decoding: good.body, as: UTF8.self)
        func with(_ body: String, _ status: Int = 200) -> StoreResponse {
            StoreResponse(status: status, body: Data(body.utf8))
        }
        let gbk =
            Data(#"{"error_response":{"code":"40004","sub_code":"ACQ.TRADE_HAS_CLOSE","sub_msg":""#.utf8)
            + Data(GBK.bytes("交易已关闭")) + Data(#""}}"#.utf8)
        let no = #"{"code":"40004","msg":"Business Failed","sub_code":"ACQ.REASON_TRADE_REFUND_FEE_ERR"}"#
        var all: [(name: String, answer: StoreResponse)] = [
            ("a page", with("<html><body>Moved, or please pay</body></html>")), ("nothing", with("")),
            ("null", with("null")), ("a list", with("[]")), ("an empty object", with("{}")), ("a text", with(#""OK""#)),
            ("an unsigned error_response", with(#"{"error_response":\#(no)}"#)),
            ("an unsigned no of the call's own", with(#"{"\#(name)":\#(no)}"#)),
            ("a no with a signature that is none", with(#"{"\#(name)":\#(no),"sign":"AAAA"}"#)),
            (
                "a no with the signature of another answer",
                with(text.replacing(/\{"code.*?\},/, with: "\(no),", maxReplacements: 1))
            ),
            ("an error in GBK", StoreResponse(status: 200, body: gbk)),
            ("a success without a signature", with(text.replacing(/,"sign":"[^"]*"/, with: ""))),
            (
                "slashes that are escaped no more, or spaces that are new",
                with(text.replacing("{\"code\"", with: "{ \"code\""))
            ),
            (
                "the response twice",
                with(text.replacing("{\"\(name)\"", with: "{\"\(name)\":{\"code\":\"10000\"},\"\(name)\""))
            ),
            ("something behind it", with(text + "x")),
        ]
        for status in [204, 301, 302, 400, 401, 403, 404, 418, 429, 451, 500, 502, 503, 504] {
            all.append(("a page with \(status)", with("<html></html>", status)))
            all.append(("the answer with \(status)", StoreResponse(status: status, body: good.body)))
        }
        let step = TestScale.isWhole ? 1 : max(1, good.body.count / 150)
        for count in 1..<good.body.count where count < 80 || count > good.body.count - 80 || count.isMultiple(of: step)
        {
            all.append(("cut at \(count)", StoreResponse(status: 200, body: good.body.prefix(count))))
        }
        return all
    }

    @Test(
        "the keys of the answer may stand in another order, and its slashes stay escaped",
        arguments: AlipayShop.Mode.allCases
    )
    func reordered(_ mode: AlipayShop.Mode) async throws {
        let shop = try AlipayShop(mode)
        shop.alipay.be(.signFirst, at: AlipayCall.precreate.method)
        guard case .qr(let code) = try await shop.pay.open(shop.order(), by: .alipayQR) else {
            Issue.record("it is no code")
            return
        }
        #expect(code.hasPrefix("https://qr"))
        let body = shop.transport.last.map { String(decoding: $0.body, as: UTF8.self) } ?? ""
        #expect(body.contains(#"https:\/\/qr.alipay.com"#) && body.hasPrefix(#"{"sign":"#))
    }

    @Test("a certificate that nobody has here signs nothing, and the message says what to fetch")
    func otherCertificate() async throws {
        let shop = try AlipayShop(.certificate)
        shop.alipay.be(.otherCertificate, at: AlipayCall.precreate.method)
        let failure = await shop.failure { _ = try await shop.pay.open(shop.order(), by: .alipayQR) }
        #expect(failure?.refusal == nil)
        #expect(failure?.message.contains("console") == true)
    }
}
