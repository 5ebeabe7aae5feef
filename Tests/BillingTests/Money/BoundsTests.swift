import Billing
import Foundation
import Testing

@Suite("the bounds of what can be reckoned with") struct BoundsTests {
    @Test("sums of money that do not fit stop at the bounds instead of ending the process")
    func sums() {
        let most = Int128(Int64.max) * Revenue.parts
        let revenue = Revenue(
            charged: (most, most),
            refunded: (-most, -most, -most),
            refundsOfCharges: most,
            fee: StoreFee.Share(firstYear: 10_000, later: 10_000)
        )
        let sum = revenue + revenue
        #expect((sum.gross, sum.refunds, sum.refundsOfCharges) == (.max, .min, .max))
        #expect((sum.net, sum.proceeds) == (.max, .max))
        var movement = Movement(start: .max)
        movement.add(.max, .expansion)
        movement.add(.max, .expansion)
        #expect(movement[.expansion] == .max)
        #expect(movement.end == .max)
        movement.add(.min, .churned)
        #expect(movement.end == .max - 1)
        #expect(Int64.max.times(12) == .max && Int64.min.times(12) == .min && Int64.max.minus(-1) == .max)
        #expect([Int64.max, 1, -2].boundedSum == .max - 1)
    }

    @Test("what a customer pays a month may be anything, and changes by anything")
    func monthly() throws {
        let cell = MetricsCell(product: UUID(), country: "CHN", currency: .cny)
        let periods = [Int64.max, 1, .max].enumerated().map { index, price in
            MetricsPeriod(
                subscription: Subscription.ID(UUID()),
                access: AccessPeriod(
                    transactionID: "t\(index)",
                    productID: "p",
                    startsAt: .day(Double(index)),
                    endsAt: .day(Double(index) + 2),
                    price: Money(minorUnits: price, currency: .cny),
                    storefront: "CHN"
                ),
                cell: cell,
                planRank: 1,
                length: BillingPeriod(1, .month)
            )
        }
        let entries = CustomerMetrics(periods, in: .gmt).entries.filter { $0.measure == .mrr }
        #expect(!entries.isEmpty)
    }

    @Test(
        "a day that is centuries away can be told from one that is none",
        arguments: [
            ("1970-01-01", nil), ("2999-12-31", nil), ("29991231", nil), ("1969-12-31", .beforeFirst),
            ("0001-01-01", .beforeFirst), ("0000-01-01", .beforeFirst), ("3000-01-01", .afterLast),
            ("9999-12-31", .afterLast), ("99991231", .afterLast), ("9999-12-32", .notADay), ("2026-02-29", .notADay),
            ("", .notADay), ("999999-12-31", .notADay), ("-001-01-01", .notADay),
        ] as [(String, BusinessDay.Unreadable?)]
    )
    func days(_ text: String, _ reason: BusinessDay.Unreadable?) throws {
        #expect((BusinessDay(text) == nil) == (reason != nil))
        guard let reason else { return }
        #expect(throws: reason) { try BusinessDay(reading: text) }
    }
}
