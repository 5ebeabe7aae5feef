import Billing
import Foundation
import StoreSimulator
import Testing

@testable import Gateways

@Suite("Refunds that Alipay pays") struct AlipayRefundTests {
    @Test("the same number is paid once, however often it is sent, and its amount is its own")
    func once() async throws {
        let shop = try AlipayShop()
        let payment = try await shop.paid()
        let (first, second) = (shop.refund(of: payment, "R1", fen: 100), shop.refund(of: payment, "R2", fen: 250))
        #expect(try await shop.pay.standing(of: first) == nil)
        for _ in 0..<3 {
            let standing = try await shop.pay.refund(first)
            #expect(standing.state == .succeeded && standing.amount == AlipayShop.yuan(100))
            #expect(standing.succeededAt == AlipayShop.start)
        }
        #expect(try await shop.pay.refund(second).amount == AlipayShop.yuan(250))
        #expect(shop.alipay.refunds(of: payment.number) == 2 && shop.alipay.refunded(payment.number) == 350)
        #expect(try await shop.pay.standing(of: second)?.amount == AlipayShop.yuan(250))
    }

    @Test("a notification of a refund is a hint: what the query says is told, and nothing else is believed")
    func told() async throws {
        let shop = try AlipayShop()
        let payment = try await shop.paid()
        _ = try await shop.pay.refund(shop.refund(of: payment, "R1", fen: 100))
        shop.alipay.giveBack(250, of: payment.number, as: "2025-06.R2")
        let clock = shop.clock
        let gateway = AlipayGateway(
            transport: shop.transport,
            clock: AppleServerClock(now: { clock.now }, sleep: { _ in }, jitter: { 0 })
        )
        let bodies = shop.alipay.notices.dropFirst().map { shop.alipay.form($0) }
        #expect(bodies.count == 2)
        for (body, (number, fen)) in zip(bodies, [("R1", Int64(100)), ("2025-06.R2", 250)]) {
            let before = shop.transport.asked.count
            guard case .notice(.refund(let notice)) = try await gateway.resolve(body, for: shop.account) else {
                Issue.record("it is no refund")
                return
            }
            #expect(shop.transport.asked.dropFirst(before) == [AlipayCall.refundQuery.method])
            #expect(notice.number == number && notice.transactionID == payment.transactionID)
            // The amount of this refund alone, which the notification does not have.
            #expect(notice.standing.state == .succeeded && notice.standing.amount == AlipayShop.yuan(fen))
            #expect(notice.standing.succeededAt == AlipayShop.start)
        }
        let body = try #require(bodies.first)
        let unknown = await shop.failure {
            _ = try await gateway.resolve(body.replacing("out_biz_no=R1", with: "out_biz_no=R9"), for: shop.account)
        }
        // It is asked about again with the message, as Alipay may be late.
        #expect(unknown != nil && unknown?.refusal == nil)
        let nameless = body.split(separator: "&").filter { !$0.hasPrefix("out_biz_no=") }.joined(separator: "&")
        guard case .notice(.refund(let notice)) = try await gateway.resolve(nameless, for: shop.account) else {
            Issue.record("it is no refund")
            return
        }
        #expect(notice.number == nil && notice.standing.amount == nil)
        let strange = await shop.failure {
            _ = try await gateway.resolve(
                nameless.replacing(payment.transactionID, with: "2025061522001400020500000099"),
                for: shop.account
            )
        }
        #expect(strange?.refusal != nil)
        shop.transport.lose(.unreachable)
        #expect(await shop.failure { _ = try await gateway.resolve(body, for: shop.account) }?.refusal == nil)
    }

    @Test("fund_change=N is no failure: the query knows")
    func unchanged() async throws {
        let shop = try AlipayShop()
        let payment = try await shop.paid()
        shop.alipay.be(.fundUnchanged, at: AlipayCall.refund.method)
        #expect(try await shop.pay.refund(shop.refund(of: payment, fen: 100)).state == .succeeded)
        #expect(shop.transport.asked.suffix(2) == [AlipayCall.refund.method, AlipayCall.refundQuery.method])
        #expect(shop.alipay.refunds(of: payment.number) == 1)
    }

    @Test(
        "an outcome that nobody knows is not known yet: done all the same, it is found under its number, and not paid again"
    )
    func unknownOutcome() async throws {
        let shop = try AlipayShop()
        let payment = try await shop.paid()
        let lost = shop.refund(of: payment, "R1", fen: 100)
        shop.transport.lose(.unreachable)
        let noAnswer = await shop.failure { _ = try await shop.pay.refund(lost) }
        #expect(noAnswer?.isAway == true)
        shop.transport.lose(nil)
        #expect(try await shop.pay.standing(of: lost)?.state == .succeeded)
        let failed = shop.refund(of: payment, "R2", fen: 100)
        shop.alipay.be(
            .answerAfterEffect(code: "20000", subCode: "isp.unknow-error"),
            at: AlipayCall.refund.method
        )
        #expect(await shop.failure { _ = try await shop.pay.refund(failed) }?.refusal == nil)
        #expect(try await shop.pay.refund(failed).state == .succeeded)
        let forged = shop.refund(of: payment, "R3", fen: 100)
        for mood in [SimulatedAlipayMood.otherKey, .tampered, .unsigned, .twice, .gbk] {
            shop.alipay.be(mood, at: AlipayCall.refund.method)
            let failure = await shop.failure { _ = try await shop.pay.refund(forged) }
            #expect(failure != nil && failure?.refusal == nil, "\(mood)")
        }
        #expect(shop.alipay.refunds(of: payment.number) == 3 && shop.alipay.refunded(payment.number) == 300)
    }

    @Test("more than is left is said no to") func refused() async throws {
        let shop = try AlipayShop()
        let payment = try await shop.paid("P1")
        let tooMuch = await shop.failure { _ = try await shop.pay.refund(shop.refund(of: payment, fen: 12_801)) }
        #expect(tooMuch?.refusal?.code == 40_004)
        #expect(shop.alipay.refunds(of: "P1") == 0)
    }

    @Test("TRADE_CLOSED and TRADE_FINISHED say nothing of a refund: whether it was paid is asked under its number")
    func closed() async throws {
        let shop = try AlipayShop()
        let payment = try await shop.paid("P1")
        let (whole, other) = (shop.refund(of: payment, "R1", fen: 12_800), shop.refund(of: payment, "R2", fen: 1))
        _ = try await shop.pay.refund(whole)
        let again = await shop.failure { _ = try await shop.pay.refund(other) }
        #expect(again != nil && again?.refusal == nil)
        #expect(try await shop.pay.refund(whole).state == .succeeded)
        let late = try await shop.paid("P2")
        shop.alipay.finish("P2")
        let over = await shop.failure { _ = try await shop.pay.refund(shop.refund(of: late, "R3", fen: 1)) }
        #expect(over != nil && over?.refusal == nil)
        #expect(shop.alipay.refunds(of: "P2") == 0)
    }

    @Test(
        "sent again after a lost answer, while the query does not have it yet: the payment that it closed is no no",
        arguments: [
            "ACQ.TRADE_STATUS_ERROR", "ACQ.REASON_TRADE_STATUS_INVALID", "ACQ.TRADE_HAS_CLOSE",
        ]
    )
    func closedByItself(_ subCode: String) async throws {
        let shop = try AlipayShop()
        let payment = try await shop.paid()
        let whole = shop.refund(of: payment, fen: 12_800)
        shop.transport.lose(.unreachable)
        #expect(await shop.failure { _ = try await shop.pay.refund(whole) } != nil)
        shop.transport.lose(nil)
        // Alipay has paid it, and is slow to say so.
        shop.alipay.be(.answer(code: "10000", subCode: ""), at: AlipayCall.refundQuery.method, times: 2)
        #expect(try await shop.pay.standing(of: whole) == nil)
        shop.alipay.be(.answer(code: "40004", subCode: subCode), at: AlipayCall.refund.method)
        let failure = await shop.failure { _ = try await shop.pay.refund(whole) }
        #expect(failure != nil && failure?.refusal == nil)
        #expect(try await shop.pay.standing(of: whole)?.state == .succeeded)
        #expect(shop.alipay.refunded(payment.number) == 12_800)
    }

    @Test("a final no to a second attempt is none to the first, which is paid") func finalAfterEffect() async throws {
        let shop = try AlipayShop()
        let payment = try await shop.paid()
        let refund = shop.refund(of: payment, fen: 12_800)
        shop.alipay.be(
            .answerAfterEffect(code: "40004", subCode: "ACQ.REASON_TRADE_REFUND_FEE_ERR"),
            at: AlipayCall.refund.method
        )
        #expect(try await shop.pay.refund(refund).state == .succeeded)
    }

    @Test("the same number with another amount: what was paid under it is told, with its own amount")
    func discordant() async throws {
        let shop = try AlipayShop()
        let payment = try await shop.paid()
        _ = try await shop.pay.refund(shop.refund(of: payment, "R1", fen: 100))
        let other = try await shop.pay.refund(shop.refund(of: payment, "R1", fen: 200))
        #expect(other.state == .succeeded && other.amount == AlipayShop.yuan(100))
        #expect(shop.alipay.refunded(payment.number) == 100)
    }

    @Test("a signed answer about another refund is none about this one")
    func other() async throws {
        let shop = try AlipayShop()
        let payment = try await shop.paid()
        let (first, second) = (shop.refund(of: payment, "R1", fen: 100), shop.refund(of: payment, "R2", fen: 100))
        _ = try await shop.pay.refund(first)
        _ = try await shop.pay.standing(of: first)
        shop.transport.spoil(AlipayCall.refundQuery.method, with: shop.transport.last)
        let failure = await shop.failure { _ = try await shop.pay.standing(of: second) }
        #expect(failure != nil && failure?.refusal == nil)
    }
}
