import Billing
import Gateways
import Jobs
import Operations
import Postgres
import Testing

@Suite("Bills with refunds that we had paid") struct BilledPayoutTests {
    @Test("a refund of ours that its store has not finished is no difference; one that nobody asked for is")
    func underWay() async throws {
        try await PayoutOffice.run { office in
            office.wechat.end(as: .processing)
            let number = try await office.approved(try await office.order())
            try await office.work()
            let shop = office.desk.wechat
            let order = try #require(shop.rows.first)
            let (ours, foreign) = (try await office.number(number), "OTHER_RF000001")
            shop.bendBills { bill in
                var bill = bill
                for (refund, fen) in [(ours, Int64(1_800)), (foreign, 100)] {
                    bill.rows.append(
                        shop.row(.refund, order.orderNumber, order.transactionID, fen, refund, at: order.at)
                    )
                }
                return bill
            }
            office.desk.advance(days: 1.5)
            for _ in 0..<2 {
                _ = try await office.backOffice.scheduleBills()
                _ = try await JobWorker(backOffice: office.backOffice).drain()
            }
            let found = try await office.office.lines(
                "SELECT concat_ws(' ', kind, refund_number) FROM bill_differences ORDER BY 1"
            )
            #expect(found == ["refunded_there \(foreign)"])
            #expect(try await office.office.lines("SELECT DISTINCT state FROM daily_bills") == ["compared"])
        }
    }
}
