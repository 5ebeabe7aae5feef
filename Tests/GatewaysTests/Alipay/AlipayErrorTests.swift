import Billing
import Foundation
import StoreSimulator
import Testing

@testable import Gateways

/// Each row of the table of errors (payments.md, 1C).
@Suite("Alipay's errors") struct AlipayErrorTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let code: String
        let subCode: String
        let verdict: AlipayVerdict
        let treatment: String
        /// Of a refund, where that is another.
        let verdictOfRefund: AlipayVerdict

        var testDescription: String { "\(code) \(subCode): \(treatment)" }

        init(
            _ code: String,
            _ subCode: String,
            _ verdict: AlipayVerdict,
            _ treatment: String,
            _ verdictOfRefund: AlipayVerdict? = nil
        ) {
            (self.code, self.subCode, self.verdict, self.treatment) = (code, subCode, verdict, treatment)
            self.verdictOfRefund = verdictOfRefund ?? verdict
        }
    }

    static let rows = [
        Row("20000", "isp.unknow-error", .unknownOutcome, "query, then repeat the identical request"),
        Row("20000", "aop.unknow-error", .unknownOutcome, "query, then repeat the identical request"),
        Row("40004", "ACQ.SYSTEM_ERROR", .unknownOutcome, "query, then repeat the identical request"),
        Row("40004", "aop.ACQ.SYSTEM_ERROR", .unknownOutcome, "query, then repeat the identical request"),
        Row("20001", "aop.invalid-auth-token", .setting, "a token that is over"),
        Row("40001", "isv.missing-method", .setting, "configuration or input"),
        Row("40002", "isv.invalid-signature", .setting, "configuration or input"),
        Row("40002", "isv.invalid-app-id", .setting, "configuration or input"),
        Row("40002", "isv.invalid-timestamp", .setting, "configuration or input"),
        Row("40003", "isv.user-limited", .final, "no retry"),
        Row("40004", "ACQ.TRADE_HAS_SUCCESS", .queryFirst, "the query says paid"),
        Row("40004", "ACQ.TRADE_HAS_CLOSE", .final, "a new number; a refund may have closed it: query", .queryFirst),
        Row("40004", "ACQ.TRADE_NOT_EXIST", .notThere, "still waiting"),
        Row("40004", "ACQ.TRADE_STATUS_ERROR", .queryFirst, "query"),
        Row("40004", "ACQ.REASON_TRADE_STATUS_INVALID", .queryFirst, "query"),
        Row("40004", "ACQ.CONTEXT_INCONSISTENT", .final, "the same number with other parameters"),
        Row("40004", "ACQ.SELLER_BALANCE_NOT_ENOUGH", .later, "later, under the same number"),
        Row("40004", "ACQ.REFUND_AMT_NOT_EQUAL_TOTAL", .final, "a partial refund without its number"),
        Row("40004", "ACQ.REASON_TRADE_REFUND_FEE_ERR", .final, "more than is left"),
        Row(
            "40004",
            "ACQ.DISCORDANT_REPEAT_REQUEST",
            .queryFirst,
            "the same number with another amount: what was paid is asked for"
        ),
        Row("40005", "isv.app-call-limited", .later, "less often"),
        Row("40006", "isv.insufficient-isv-permissions", .setting, "a contract"),
        Row("40004", "ACQ.SOMETHING_NEW", .unlisted, "not known yet"),
        Row("77777", "new", .unlisted, "not known yet"),
    ]

    @Test("it is said, signed, to a refund of what is paid: nothing ends but by what is final", arguments: rows)
    func refunds(_ row: Row) async throws {
        let shop = try AlipayShop()
        #expect(AlipayVerdict(code: row.code, subCode: row.subCode, to: .precreate) == row.verdict)
        #expect(AlipayVerdict(code: row.code, subCode: row.subCode, to: .refund) == row.verdictOfRefund)
        let payment = try await shop.paid()
        shop.alipay.be(.answer(code: row.code, subCode: row.subCode), at: AlipayCall.refund.method)
        let refund = shop.refund(of: payment, fen: 100)
        let failure = try #require(await shop.failure { _ = try await shop.pay.refund(refund) })
        #expect((failure.refusal != nil) == (row.verdictOfRefund == .final), "\(failure)")
        if case .misconfigured = failure {
            #expect(row.verdict == .setting)
        } else {
            #expect(row.verdict != .setting)
        }
        #expect(failure.isAway == (row.verdict == .later || row.verdict == .unknownOutcome))
        #expect(failure.message.contains(row.subCode))
        // Under the same number it is paid once, whatever was said.
        #expect(try await shop.pay.refund(refund).state == .succeeded)
        #expect(shop.alipay.refunded(payment.number) == 100)
    }

    @Test("it is said to an order that is opened, queried or closed", arguments: rows)
    func orders(_ row: Row) async throws {
        let shop = try AlipayShop()
        let order = shop.order()
        for call in [AlipayCall.precreate, .query, .close] {
            shop.alipay.be(.answer(code: row.code, subCode: row.subCode), at: call.method)
            let failure = await shop.failure {
                switch call {
                case .precreate: _ = try await shop.pay.open(order, by: .alipayQR)
                case .query: #expect(try await shop.pay.standing(of: order.number) == .unknown)
                default: _ = try await shop.pay.close(order.number)
                }
            }
            // Of what Alipay does not know the query says so; a close that cannot be asks how it stands.
            let isAnswered =
                call == .query && row.verdict == .notThere
                || call == .close && [.notThere, .queryFirst, .final].contains(row.verdict)
            #expect((failure == nil) == isAnswered, "\(call): \(String(describing: failure))")
            if !isAnswered { #expect((failure?.refusal != nil) == (row.verdict == .final)) }
        }
    }

    @Test("without a signature it ends nothing, whatever it is", arguments: rows)
    func unsigned(_ row: Row) async throws {
        let shop = try AlipayShop()
        let payment = try await shop.paid()
        let refund = shop.refund(of: payment, fen: 100)
        for call in [AlipayCall.precreate, .query, .close, .refund, .refundQuery, .billAddress] {
            shop.alipay.be(.refusal(code: row.code, subCode: row.subCode, signed: false), at: call.method)
            let failure = await shop.failure {
                switch call {
                case .precreate: _ = try await shop.pay.open(shop.order("P9"), by: .alipayQR)
                case .query: _ = try await shop.pay.standing(of: payment.number)
                case .close: _ = try await shop.pay.close(payment.number)
                case .refund: _ = try await shop.pay.refund(refund)
                case .refundQuery: _ = try await shop.pay.standing(of: refund)
                default: _ = try await shop.pay.bill(of: BusinessDay(AlipayShop.start, in: AlipayTime.zone))
                }
            }
            #expect(failure != nil, "\(call) takes it for an answer")
            #expect(failure?.refusal == nil, "\(call) ends by it")
        }
    }

    @Test("10003: the order is there, and its customer is paying")
    func paying() {
        #expect(AlipayVerdict(code: "10003", subCode: nil, to: .precreate) == .paying)
        #expect(AlipayVerdict(code: "10000", subCode: nil, to: .precreate) == .done)
        #expect(AlipayVerdict(code: nil, subCode: nil, to: .precreate) == .unlisted)
    }
}
