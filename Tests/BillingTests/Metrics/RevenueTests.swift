import Billing
import Testing

@Suite("Revenue") struct RevenueTests {
    @Test(
        "a store's usual share: Apple 30 % in the first year and 15 % after, Google 15 %, WeChat Pay and Alipay 0.6 %"
    )
    func usualFees() {
        #expect(StoreFee.standard(at: .apple).share(of: 12_800, isFirstYear: true) == 3_840)
        #expect(StoreFee.standard(at: .apple).share(of: 12_800, isFirstYear: false) == 1_920)
        #expect(StoreFee.standard(at: .google).share(of: 999, isFirstYear: true) == 150)
        #expect(StoreFee.standard(at: .wechat).share(of: 19_800, isFirstYear: false) == 119)
        #expect(StoreFee.standard(at: .alipay).share(of: 19_800, isFirstYear: true) == 119)
    }

    @Test("half a unit is rounded away from zero, for what is given back as for what is charged")
    func halves() {
        let half = StoreFee(firstYear: 5_000, later: 5_000)
        #expect(half.share(of: 1, isFirstYear: true) == 1)
        #expect(half.share(of: -1, isFirstYear: true) == -1)
        #expect(half.share(of: 3, isFirstYear: true) == 2)
        #expect(half.share(of: .max, isFirstYear: true) == 4_611_686_018_427_387_904)
        #expect(StoreFee(firstYear: 10_000, later: 0).share(of: .min, isFirstYear: true) == .min)
    }

    @Test("net may be negative, and rates are of what there was")
    func rates() {
        var revenue = Revenue()
        #expect(revenue.cashRefundRate == nil && revenue.cohortRefundRate == nil)
        (revenue.gross, revenue.refunds, revenue.fees) = (12_845_600, 321_100, 1_000)
        (revenue.charges, revenue.refundedCharges) = (3, 1)
        #expect(revenue.net == 12_524_500)
        #expect(revenue.proceeds == 12_523_500)
        #expect(revenue.cashRefundRate == 250)
        #expect(revenue.cohortRefundRate == 3_333)
        revenue.refunds = 20_000_000
        #expect(revenue.net < 0)
        #expect(Revenue.rate(2, of: 3) == 6_667)
        #expect(Revenue.rate(-1, of: 3) == -3_333)
        #expect(Revenue.rate(.max, of: 1) == Int.max)
    }
}
