import Billing
import Foundation
import Gateways
import Jobs
import Operations
import Postgres
import Storage
import StoreSimulator
import TestSupport
import Testing

@Suite("Refunds at the simulated WeChat Pay and Alipay") struct SimulatedPayoutTests {
    private static let refunds = "/v3/refund/domestic/refunds"

    @Test("at WeChat Pay: an answer that cannot be verified is asked for, PROCESSING followed, and each is paid once")
    func wechat() async throws {
        try await Self.run { office, payers, shop in
            payers.wechat.setRefunds(endingAs: "SUCCESS", after: 90)
            let moods: [SimulatedWeChatMood] = [.probe, .otherKey, .unsigned, .tampered, .stale(301), .unknownSerial]
            for mood in moods {
                let order = try await shop.order(by: .wechatNative)
                payers.wechat.be(mood, at: Self.refunds)
                _ = try await office.approved(order)
                for _ in 0..<4 { try await office.work(payers, after: 61) }
            }
            payers.wechat.setBalance(0)
            _ = try await office.approved(try await shop.order(by: .wechatNative))
            try await office.work(payers, after: 61)
            #expect(try await office.payouts().last?.hasSuffix("approved sent") == true)
            // Somebody tops the balance up: the same number is paid.
            payers.wechat.setBalance(nil)
            for _ in 0..<3 { try await office.work(payers, after: 61) }
            #expect(payers.wechat.refunds.count == moods.count + 1)
            #expect(payers.wechat.refunds.allSatisfy { $0.state == "SUCCESS" })
            try await office.expectAllPaid(moods.count + 1)
        }
    }

    @Test("at WeChat Pay: CLOSED and ABNORMAL wait for people, a refusal says WeChat Pay's words")
    func wechatEnds() async throws {
        try await Self.run { office, payers, shop in
            payers.wechat.setRefunds(endingAs: "ABNORMAL", after: 0)
            let abnormal = try await office.approved(try await shop.order(by: .wechatNative))
            try await office.work(payers, after: 61)
            try await office.work(payers, after: 61)
            payers.wechat.setRefunds(endingAs: "CLOSED", after: 0)
            _ = try await office.approved(try await shop.order(by: .wechatNative))
            try await office.work(payers, after: 61)
            try await office.work(payers, after: 61)
            #expect(try await office.payouts() == ["RF-000001 approved abnormal", "RF-000002 approved closed"])
            payers.wechat.settle(try await office.number(abnormal), as: "SUCCESS")
            try await office.work(payers, after: 61)
            payers.wechat.refuse(SimulatedWeChatRefusal(403, "RULE_LIMIT", "业务规则限制"), at: Self.refunds)
            let refused = try await office.approved(try await shop.order(by: .wechatNative))
            try await office.work(payers, after: 61)
            #expect(
                try await office.payouts() == [
                    "RF-000001 processed paid", "RF-000002 approved closed", "RF-000003 approved refused",
                ]
            )
            #expect(try await office.steps(refused).last?.contains("业务规则限制") == true)
            #expect(try await office.booked().values.reduce(0, +) == 1_800)
        }
    }

    @Test("at Alipay: a lost or doubtful answer is asked for under its number, and parts are each paid once")
    func alipay() async throws {
        try await Self.run { office, payers, shop in
            let moods: [SimulatedAlipayMood] = [
                .fundUnchanged, .answerAfterEffect(code: "20000", subCode: "isp.unknow-error"), .tampered, .otherKey,
                .unsigned, .answer(code: "40004", subCode: "ACQ.SELLER_BALANCE_NOT_ENOUGH"),
            ]
            for mood in moods {
                let order = try await shop.order(by: .alipayQR)
                payers.alipay.be(mood, at: "alipay.trade.refund")
                _ = try await office.approved(order, .partial, .yuan(5))
                for _ in 0..<4 { try await office.work(payers, after: 61) }
                _ = try await office.approved(order, .partial, .yuan(6))
                for _ in 0..<2 { try await office.work(payers, after: 61) }
            }
            try await office.expectAllPaid(2 * moods.count)
            let refunded = try await office.office.lines("SELECT number FROM checkouts").map(payers.alipay.refunded)
            #expect(refunded == moods.map { _ in 1_100 })
        }
    }

    static func run(
        _ body: (PayoutOffice, SimulatedPayers, SimulatedShop) async throws -> Void
    ) async throws {
        try await TestOffice.run { office in
            let payers = try SimulatedPayers(at: office.clock.read())
            let backOffice = office.anotherServer(
                secret: TestOffice.secret,
                gateways: StoreGateways([
                    AppleGateway(), ServedStore(.wechat, payers.wechatPay), ServedStore(.alipay, payers.alipayPay),
                ])
            )
            var catalog = try CheckoutOffice.catalog()
            catalog.accounts[.wechat]?.identifier = "wxd930ea5d5a258f4f"
            catalog.accounts[.wechat]?.settings = ["merchant": SimulatedPayers.merchantID]
            catalog.accounts[.alipay]?.identifier = "2021004105652035"
            catalog.accounts[.alipay]?.settings = ["seller": SimulatedAlipay.sellerID]
            _ = try await backOffice.applyCatalog(catalog)
            let (wechat, alipay) = (ScriptedShop(.wechat), ScriptedShop(.alipay))
            let desk = CheckoutOffice(
                office: office,
                backOffice: backOffice,
                wechat: wechat,
                alipay: alipay,
                app: try await office.app()
            )
            let payout = PayoutOffice(
                desk: desk,
                wechat: ScriptedPayer(),
                alipay: ScriptedPayer(),
                ada: try await office.hire("ada", .admin),
                bea: try await office.hire("bea", .admin),
                sue: try await office.hire("sue", .support)
            )
            try await body(payout, payers, SimulatedShop(desk: desk, payers: payers))
        }
    }
}

/// Buys at the simulated stores.
struct SimulatedShop: Sendable {
    let desk: CheckoutOffice
    let payers: SimulatedPayers

    /// Buys a month of Pro, and returns the order's number.
    func order(by method: CheckoutMethod) async throws -> String {
        let customer = try await desk.office.customer("c\(UUID().uuidString.prefix(8))")
        let number = try await desk.open(by: method, for: customer).checkout.number
        switch method.store {
        case .wechat: try payers.wechat.pay(number)
        default: payers.alipay.pay(number)
        }
        try await desk.watch()
        let checkout = try await desk.checkout(number)
        return try #require(
            try await desk.office.lines(
                "SELECT number FROM orders WHERE transaction_id = \(checkout.transactionID ?? "")"
            ).first
        )
    }
}

extension PayoutOffice {
    /// Lets time pass here and at the stores, and has the jobs that pay refunds run.
    func work(_ payers: SimulatedPayers, after seconds: TimeInterval) async throws {
        office.clock.advance(by: seconds)
        payers.clock.advance(by: seconds)
        await payers.wechat.deliverDue()
        try await work()
    }

    /// Expects that all payouts are paid, and the books say so.
    func expectAllPaid(_ count: Int) async throws {
        #expect(
            try await payouts().map { String($0.split(separator: " ").dropFirst().joined(separator: " ")) }
                == Array(repeating: "processed paid", count: count)
        )
        #expect(
            try await office.lines(
                """
                SELECT y.number
                FROM refund_payouts y
                JOIN refund_requests r ON r.id = y.refund_id
                WHERE (SELECT coalesce(sum(t.amount), 0) FROM ledger_entries t
                    WHERE t.order_id = r.order_id AND t.reference = 'request:' || r.number) <> -y.amount
                """
            ) == []
        )
    }
}
