import Billing
import Testing

@Suite("Revenue") struct RevenueTests {
    @Test(
        "a store's usual share: Apple 30 % in the first year and 15 % after, Google 15 %, WeChat Pay and Alipay 0.6 %"
    )
    func usualFees() {
        #expect(proceeds(of: 12_800, .standard(at: .apple)) == 8_960)
        #expect(proceeds(of: 12_800, .standard(at: .apple), isFirstYear: false) == 10_880)
        #expect(proceeds(of: 999, .standard(at: .google)) == 849)
        #expect(proceeds(of: 19_800, .standard(at: .wechat), isFirstYear: false) == 19_681)
        #expect(proceeds(of: 19_800, .standard(at: .alipay)) == 19_681)
    }

    @Test("half a unit is rounded away from zero, for what is given back as for what is charged")
    func halves() {
        let half = StoreFee.Share(firstYear: 5_000, later: 5_000)
        #expect(proceeds(of: 1, half) == 1)
        #expect(proceeds(of: -1, half) == -1)
        #expect(proceeds(of: 3, half) == 2)
    }

    @Test(
        "what is added up is rounded once: three thirds of a cent are a cent, and net is not the difference of two roundings"
    )
    func roundedOnce() {
        let third = revenue(charged: Revenue.parts / 3 + 1)
        #expect((third.gross, (third + third + third).gross) == (0, 1))
        let both = revenue(charged: Revenue.parts * 3 / 2, refunded: Revenue.parts * 2 / 5)
        #expect((both.gross, both.refunds, both.net) == (2, 0, 1))
    }

    @Test("of what was paid back outside the store the store keeps its share: it lowers proceeds by all of it")
    func paidElsewhere() {
        let fee = StoreFee.Share.standard(at: .apple)
        let atTheStore = revenue(charged: 10_000 * Revenue.parts, refunded: 10_000 * Revenue.parts, fee: fee)
        let elsewhere = Revenue(
            charged: (10_000 * Revenue.parts, 0),
            refunded: (0, 0, 10_000 * Revenue.parts),
            refundsOfCharges: 0,
            fee: fee
        )
        #expect((atTheStore.net, atTheStore.proceeds) == (0, 0))
        #expect((elsewhere.net, elsewhere.proceeds) == (0, -3_000))
    }

    @Test("what upgrades credit lowers net revenue and the store's share of it, and is no refund")
    func credits() {
        let revenue = Revenue(
            charged: (10_000 * Revenue.parts, 0),
            refunded: (0, 0, 0),
            credited: (4_000 * Revenue.parts, 0),
            refundsOfCharges: 0,
            fee: .standard(at: .apple)
        )
        #expect((revenue.gross, revenue.upgradeCredits, revenue.net, revenue.proceeds) == (10_000, 4_000, 6_000, 4_200))
        #expect((revenue.refunds, revenue.cashRefundRate) == (0, 0))
    }

    private func proceeds(of amount: Int64, _ fee: StoreFee.Share, isFirstYear: Bool = true) -> Int64 {
        let exact = Int128(amount) * Revenue.parts
        return Revenue(
            charged: isFirstYear ? (exact, 0) : (0, exact),
            refunded: (0, 0, 0),
            refundsOfCharges: 0,
            fee: fee
        ).proceeds
    }

    private func revenue(
        charged: Int128,
        refunded: Int128 = 0,
        fee: StoreFee.Share = StoreFee.Share(firstYear: 0, later: 0)
    ) -> Revenue {
        Revenue(charged: (charged, 0), refunded: (refunded, 0, 0), refundsOfCharges: 0, fee: fee)
    }

    @Test("net may be negative, and rates are of what there was")
    func rates() {
        var revenue = Revenue()
        #expect(revenue.cashRefundRate == nil && revenue.cohortRefundRate == nil)
        (revenue.gross, revenue.refunds) = (12_845_600, 321_100)
        (revenue.charges, revenue.refundedCharges) = (3, 1)
        #expect(revenue.net == 12_524_500)
        #expect(revenue.proceeds == 12_524_500)
        #expect(revenue.cashRefundRate == 250)
        #expect(revenue.cohortRefundRate == 3_333)
        revenue.refunds = 20_000_000
        #expect(revenue.net < 0)
        #expect(Revenue.rate(2, of: 3) == 6_667)
        #expect(Revenue.rate(-1, of: 3) == -3_333)
        #expect(Revenue.rate(.max, of: 1) == Int.max)
    }
}
