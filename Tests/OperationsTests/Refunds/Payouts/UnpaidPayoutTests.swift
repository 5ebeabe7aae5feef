import Billing
import Foundation
import Gateways
import Operations
import Postgres
import Storage
import TestSupport
import Testing

@Suite("A refund that its store keeps saying it has not paid") struct UnpaidPayoutTests {
    @Test("is left to people after a day of such answers, and never before") func left() async throws {
        try await PayoutOffice.run { office in
            office.wechat.beDeaf(true)
            let number = try await office.approved(try await office.order())
            try await office.work()
            for _ in 0..<23 {
                office.office.clock.advance(by: 3_600)
                try await office.work()
                #expect(try await office.payouts() == ["RF-000001 approved sent"])
                #expect(await rejectionReason { try await office.payByHand(number) }?.code == .conflict)
            }
            let asked = office.wechat.asked.count
            #expect(asked > 20 && Set(office.wechat.asked).count == 1)
            // In the last hour it is asked about, and not sent.
            office.office.clock.advance(by: 3_600)
            try await office.work()
            #expect(office.wechat.asked.count == asked)
            office.office.clock.advance(by: 3_600)
            try await office.work()
            #expect(try await office.payouts() == ["RF-000001 approved unpaid"])
            #expect(office.wechat.asked.count == asked)
            #expect(try await office.steps(number).last == "unpaid: The store did not answer.")
            #expect(try await office.office.count("jobs WHERE kind = 'refund_payout' AND state <> 'completed'") == 0)
            try await office.payByHand(number)
            try await office.work()
            #expect(try await office.payouts() == ["RF-000001 processed withdrawn"])
            #expect(office.wechat.paid == [:])
        }
    }

    @Test("is not left to people by silence: only the store's own word counts") func silence() async throws {
        try await PayoutOffice.run { office in
            office.wechat.fail(.silent)
            let number = try await office.approved(try await office.order())
            try await office.work()
            for _ in 0..<30 {
                office.wechat.fail(.away)
                office.office.clock.advance(by: 3_600)
                try await office.work()
            }
            #expect(try await office.payouts() == ["RF-000001 approved sent"])
            #expect(await rejectionReason { try await office.payByHand(number) }?.code == .conflict)
            // It had paid at the first question.
            try await office.work()
            #expect(try await office.booked() == ["wechat-1": 1_800])
        }
    }

    @Test("is sent again under the same number, by those who may decide, with an entry in the log") func sentAgain()
        async throws
    {
        try await PayoutOffice.run { office in
            let number = try await office.unpaid()
            #expect(await rejectionReason { try await office.sendAgain(number, by: office.sue) }?.code == .forbidden)
            try await office.sendAgain(number)
            #expect(await rejectionReason { try await office.sendAgain(number) }?.code == .conflict)
            #expect(await rejectionReason { try await office.payByHand(number) }?.code == .conflict)
            office.wechat.beDeaf(false)
            try await office.work()
            #expect(try await office.payouts() == ["RF-000001 processed paid"])
            #expect(Set(office.wechat.asked).count == 1 && office.wechat.differing == [])
            #expect(try await office.booked() == ["wechat-1": 1_800])
            #expect(
                try await office.office.lines(
                    "SELECT concat_ws(' ', actor, object_id) FROM audit_entries WHERE action = 'refund.send'"
                ) == ["ada@example.com RF-000001"]
            )
        }
    }

    @Test("is cancelled, or paid after all when the store says so") func ends() async throws {
        try await PayoutOffice.run { office in
            let number = try await office.unpaid()
            let notice = StoreRefundNotice(
                orderNumber: "ANY",
                transactionID: "wechat-1",
                number: try await office.number(number),
                merchantID: "shop-wechat",
                standing: StoreRefundStanding(.succeeded, amount: .yuan(18))
            )
            #expect(try await office.backOffice.settle(notice, at: .wechat, of: office.app) == .settled)
            #expect(try await office.payouts() == ["RF-000001 processed paid"])
            #expect(try await office.booked() == ["wechat-1": 1_800])
        }
        try await PayoutOffice.run { office in
            let number = try await office.unpaid()
            _ = try await office.cancel(number)
            #expect(try await office.payouts() == ["RF-000001 cancelled withdrawn"])
        }
    }

    @Test(
        "and that the customer's account does not take goes to another account, asked for once, with the store's words"
    )
    func settled() async throws {
        try await PayoutOffice.run { office in
            office.wechat.end(as: .abnormal)
            let number = try await office.approved(try await office.order())
            #expect(await rejectionReason { try await office.settle(number) }?.code == .conflict)
            try await office.work()
            let card = RefundSettlementRoute(
                way: .customer,
                bank: "ICBC_DEBIT",
                account: Secret("6222 0200 0011"),
                name: Secret("王 芳")
            )
            #expect(try await Self.fields(RefundSettlementRoute(way: nil), number, office) == ["way"])
            let empty = RefundSettlementRoute(way: .customer)
            #expect(try await Self.fields(empty, number, office) == ["bank", "account", "name"])
            let wrong = RefundSettlementRoute(way: .customer, bank: "icbc", account: Secret("12x"), name: Secret("W"))
            #expect(try await Self.fields(wrong, number, office) == ["bank", "account"])
            #expect(await rejectionReason { try await office.settle(number, card, by: office.sue) }?.code == .forbidden)
            // A no leads back, with the store's words.
            office.wechat.fail(.refuses("NOT_ENOUGH: top up"))
            try await office.settle(number, card)
            #expect(try await office.payouts() == ["RF-000001 approved abnormal"])
            #expect(try await office.steps(number).last == "abnormal: NOT_ENOUGH: top up")
            try await office.settle(number, card)
            #expect(try await office.payouts() == ["RF-000001 approved processing"])
            #expect(
                office.wechat.routes == [
                    .customer(bank: "ICBC_DEBIT", account: Secret("622202000011"), name: Secret("王 芳"))
                ]
            )
            #expect(await rejectionReason { try await office.payByHand(number) }?.code == .conflict)
            office.wechat.settle(as: .succeeded)
            try await office.work()
            #expect(try await office.payouts() == ["RF-000001 processed paid"])
            #expect(try await office.booked() == ["wechat-1": 1_800])
            // The account is in no row of ours.
            let kept = try await office.office.lines(
                "SELECT concat_ws(' ', before, after, reason) FROM audit_entries WHERE action = 'refund.settle'"
            )
            #expect(kept.count == 2 && !kept.contains { $0.contains("6222") || $0.contains("王") })
        }
    }

    /// Returns the fields for which another account is refused.
    private static func fields(
        _ route: RefundSettlementRoute,
        _ number: String,
        _ office: PayoutOffice
    ) async throws -> [String] {
        let refused = await rejectionReason { try await office.settle(number, route) }
        return try #require(refused).problems.map(\.field)
    }

    @Test("another account whose answer is lost is asked about, and an older word about the customer's changes nothing")
    func lostSettlement() async throws {
        try await PayoutOffice.run { office in
            office.wechat.end(as: .abnormal)
            let number = try await office.approved(try await office.order())
            try await office.work()
            office.wechat.fail(.silent)
            try await office.settle(number)
            #expect(try await office.payouts() == ["RF-000001 approved processing"])
            let late = StoreRefundNotice(
                orderNumber: "ANY",
                transactionID: "wechat-1",
                number: try await office.number(number),
                merchantID: "shop-wechat",
                standing: StoreRefundStanding(.abnormal, amount: .yuan(18))
            )
            #expect(try await office.backOffice.settle(late, at: .wechat, of: office.app) == .known)
            #expect(await rejectionReason { try await office.payByHand(number) }?.code == .conflict)
            office.wechat.settle(as: .succeeded)
            try await office.work()
            #expect(try await office.booked() == ["wechat-1": 1_800])
            #expect(office.wechat.routes == [.merchant])
        }
    }
}

extension PayoutOffice {
    /// An approved refund that the store has said for more than a day to know nothing of.
    fileprivate func unpaid() async throws -> String {
        wechat.beDeaf(true)
        let number = try await approved(try await order())
        for seconds in [0, 60, 86_460] {
            office.clock.advance(by: TimeInterval(seconds))
            try await work()
        }
        #expect(try await payouts() == ["RF-000001 approved unpaid"])
        return number
    }
}
