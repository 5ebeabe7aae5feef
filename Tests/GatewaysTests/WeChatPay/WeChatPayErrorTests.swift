import Billing
import Foundation
import StoreSimulator
import Testing

@testable import Gateways

@Suite("Each error of WeChat Pay is treated as its table says") struct WeChatPayErrorTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let status: Int
        let code: String
        /// When an order is opened, and when a refund is asked for.
        let open: WeChatPayTreatment
        let refund: WeChatPayTreatment

        var testDescription: String { "\(status) \(code)" }

        init(_ status: Int, _ code: String, _ open: WeChatPayTreatment, _ refund: WeChatPayTreatment? = nil) {
            (self.status, self.code, self.open, self.refund) = (status, code, open, refund ?? open)
        }
    }

    private static let rows = [
        Row(202, "USERPAYING", .later), Row(202, "ACCEPTED", .later), Row(400, "PARAM_ERROR", .final),
        Row(400, "INVALID_REQUEST", .final), Row(400, "APPID_MCHID_NOT_MATCH", .setting),
        Row(400, "MCH_NOT_EXISTS", .setting), Row(400, "ORDER_CLOSED", .final, .later),
        Row(401, "SIGN_ERROR", .setting),
        Row(403, "NO_AUTH", .setting), Row(403, "RULE_LIMIT", .final), Row(403, "TRADE_ERROR", .final),
        Row(403, "OUT_TRADE_NO_USED", .queryFirst), Row(403, "ORDERPAID", .queryFirst),
        Row(403, "ACCOUNT_ERROR", .final), Row(403, "NOT_ENOUGH", .topUp),
        Row(403, "USER_ACCOUNT_ABNORMAL", .later, .final), Row(403, "REQUEST_BLOCKED", .final),
        Row(404, "ORDER_NOT_EXIST", .later), Row(404, "RESOURCE_NOT_EXISTS", .later),
        Row(429, "FREQUENCY_LIMITED", .later), Row(429, "RATELIMIT_EXCEEDED", .later), Row(500, "SYSTEM_ERROR", .later),
        Row(500, "BANK_ERROR", .later), Row(500, "OPENID_MISMATCH", .final, .later),
        Row(500, "INVALID_TRANSACTIONID", .later, .final), Row(502, "SERVICE_UNAVAILABLE", .later),
        Row(503, "SERVICE_UNAVAILABLE", .later),
        // Without underscores, as of old.
        Row(500, "SYSTEMERROR", .later), Row(403, "NOAUTH", .setting), Row(404, "ORDERNOTEXIST", .later),
        Row(403, "NOTENOUGH", .topUp), Row(500, "BANKERROR", .later),
        // Known to nobody, and with a status that is not its own.
        Row(403, "SOMETHING_NEW", .later), Row(418, "PARAM_ERROR", .later), Row(404, "ORDER_CLOSED", .later),
    ]

    @Test("the errors, by status and name, with WeChat Pay's own words", arguments: rows)
    func error(row: Row) async throws {
        try await PayStore.run(mode: .publicKey) { store in
            let pay = try store.pay()
            let refund = try await store.paid(by: pay)
            let refusal = SimulatedWeChatRefusal(row.status, row.code, "基本账户余额不足，请充值")
            store.simulator.refuse(refusal, at: "/transactions/native", times: 3)
            // After a no the number is asked about, at an address that begins with the same.
            store.simulator.refuse(refusal, at: "/refund/domestic/refunds", times: row.refund == .final ? 1 : 3)
            let opening = await payFailure { _ = try await pay.open(store.order("SUB-2-OTHER"), by: .wechatNative) }
            let refunding = await payFailure { _ = try await pay.refund(refund) }
            for (failure, treatment) in [(opening, row.open), (refunding, row.refund)] {
                let failure = try #require(failure)
                #expect((failure.reason.underlying as? WeChatPayError)?.treatment == treatment)
                #expect(failure.message.contains("基本账户余额不足") && failure.message.contains(row.code))
                switch (failure, treatment) {
                case (.refused, .final), (.misconfigured, .setting), (.unanswered, .later), (.unanswered, .queryFirst),
                    (.unanswered, .topUp):
                    break
                default: Issue.record("\(treatment) became \(failure)")
                }
            }
            #expect(store.simulator.order("SUB-2-OTHER") == nil && store.simulator.refunds.isEmpty)
        }
    }

    @Test("a no that WeChat Pay has not signed, or signed wrongly, ends nothing")
    func unsigned() async throws {
        try await PayStore.run(mode: .publicKey) { store in
            let pay = try store.pay()
            let refund = try await store.paid(by: pay)
            let moods: [SimulatedWeChatMood?] = [
                nil, .unsigned, .probe, .otherKey, .unknownSerial, .stale(301), .stale(-301), .tampered,
            ]
            for mood in moods {
                store.simulator.refuse(.init(403, "USER_ACCOUNT_ABNORMAL", "用户账号注销"), at: "/domestic/refunds")
                if let mood { store.simulator.be(mood, at: "/domestic/refunds") }
                let failure = await payFailure { _ = try await pay.refund(refund) }
                #expect((failure?.refusal != nil) == (mood == nil), "\(String(describing: mood))")
                #expect(failure?.message.contains("USER_ACCOUNT_ABNORMAL") == true)
            }
            for mood in moods.compactMap(\.self) {
                store.simulator.refuse(.init(404, "ORDER_NOT_EXIST", "订单不存在"), at: "/out-trade-no/")
                store.simulator.be(mood, at: "/out-trade-no/")
                let failure = await payFailure { _ = try await pay.standing(of: refund.orderNumber) }
                #expect(failure != nil && failure?.refusal == nil)
            }
        }
    }

    @Test("questions have no final errors: that one cannot be answered says nothing of the order") func questions() {
        for endpoint in [WeChatPayEndpoint.query, .refundQuery, .certificates, .billFile] {
            for code in WeChatPayErrorCode.allCases { #expect(code.treatment(at: endpoint) != .final) }
        }
        for endpoint in WeChatPayEndpoint.allCases {
            for code in endpoint.refusals { #expect(code.treatment(at: endpoint) == .final) }
        }
    }

    @Test("a busy WeChat Pay is asked again at once, twice, and what is down at the other address")
    func attempts() {
        func pauses(_ error: WeChatPayError) -> (Int, Int) {
            var attempts = WeChatPayAttempts()
            var count = 0
            while attempts.next(after: error, jitter: 0) != nil { count += 1 }
            return (count, attempts.address)
        }
        #expect(pauses(WeChatPayError(.refund, httpStatus: 500, rawCode: "SYSTEM_ERROR")) == (2, 0))
        #expect(pauses(WeChatPayError(.refund, httpStatus: 503)) == (2, 2))
        let away = GatewayError(.unreachable, "Testing failure.")
        #expect(pauses(WeChatPayError(.refund, cause: away)) == (2, 2))
        let unsigned = GatewayError(.invalidSignature, "Testing failure.")
        #expect(pauses(WeChatPayError(.refund, httpStatus: 200, cause: unsigned)) == (2, 0))
        for status in [400, 401, 403, 404, 429] {
            #expect(pauses(WeChatPayError(.refund, httpStatus: status, rawCode: "NOT_ENOUGH")) == (0, 0))
        }
    }
}
