import Billing
import Foundation
import Operations
import Postgres
import Storage
import Testing

@Suite("The share of payment services") struct PaymentServiceShareTests {
    /// The share that the order of a month of Pro for 18.00 has at each shop, and the proceeds of both in fen.
    private func shares(_ fee: StoreFee?) async throws -> [String] {
        var lines: [String] = []
        try await CheckoutOffice.run { office in
            if let fee {
                var catalog = try CheckoutOffice.catalog()
                catalog.fees[.wechat] = fee
                _ = try await office.backOffice.applyCatalog(catalog)
            }
            let customer = try await office.office.customer("mei")
            for method in [CheckoutMethod.wechatNative, .alipayQR] {
                try await office.buy(by: method, for: customer)
            }
            let details = try await office.office.lines("SELECT number FROM orders ORDER BY store DESC")
            for number in details {
                let order = try await office.office.database.read { reader in
                    try await reader.screens.order(number: number, app: office.app, seesPersonalData: true)
                }
                lines.append("\(order?.order.store.rawValue ?? "") \(order?.order.storeShare?.basisPoints ?? -1)")
            }
            let days = BusinessDay(TestOffice.start, in: .gmt)
            let question = RevenueQuery(
                filter: MetricsFilter(),
                from: days.advanced(by: -2),
                through: days.advanced(by: 2),
                grain: .month
            )
            let answer = try await office.office.database.read { reader in
                try await reader.metrics.revenue(question, app: office.app)
            }
            lines.append("proceeds \(answer.cells.reduce(Revenue()) { $0 + $1.revenue }.proceeds)")
        }
        return lines
    }

    @Test("a bought period's order has the share of 0.6 %, and a catalogue's own where it says one")
    func orders() async throws {
        #expect(try await shares(nil) == ["wechat 60", "alipay 60", "proceeds 3578"])
        #expect(try await shares(StoreFee(firstYear: 38, later: 38)) == ["wechat 38", "alipay 60", "proceeds 3582"])
    }
}
