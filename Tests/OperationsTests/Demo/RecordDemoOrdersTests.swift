import Billing
import Foundation
import Operations
import Postgres
import Storage
import Testing

@Suite("The demo's orders of the past") struct RecordDemoOrdersTests {
    private static let person = CustomerIntroduction(
        appAccountToken: UUID(uuidString: "7b1e6a52-9d0c-4f6e-8a35-2f4c8f0d1c11") ?? UUID(),
        name: "Li Na",
        email: "li.na@example.com"
    )

    @Test("are opened, paid and booked at their own time, stacked by it, and recorded once")
    func recorded() async throws {
        try await CheckoutOffice.run { office in
            let start = office.office.clock.read().addingTimeInterval(-400 * 86_400)
            let orders = [
                Self.order("A", at: start, paying: "4200000001"),
                Self.order("B", at: start.addingTimeInterval(10 * 86_400), paying: "4200000002"),
                Self.order("C", at: start.addingTimeInterval(11 * 86_400), paying: nil),
            ]
            office.backOffice.recording.turn(to: .whenSigned)
            for _ in 1...2 {
                try await office.backOffice.recordDemoOrders(orders, of: Self.person, toApp: "readmigo")
            }
            office.backOffice.recording.turn(to: .whenApplied)
            let recorded = try await office.office.lines(
                "SELECT (recorded_at = occurred_at)::text FROM ledger_entries ORDER BY occurred_at"
            )
            #expect(recorded == ["true", "true"])
            let periods = try await office.periods().map { $0.split(separator: " ") }
            #expect(periods.count == 2 && periods.last?[2] == periods.first?[3])
            let states = try await office.office.lines(
                "SELECT concat_ws(' ', left(number, 1), state, close_reason) FROM checkouts ORDER BY created_at"
            )
            #expect(states == ["A paid", "B paid", "C closed expired"])
            #expect(try await office.office.lines("SELECT id::text FROM jobs WHERE kind = 'checkout'").isEmpty)
            let sales = try await office.backOffice.demoSales(at: .wechat, app: "readmigo")
            #expect(sales.isEmpty, "what is older than a year is not remembered")
        }
    }

    @Test("that could not have been bought are left out")
    func refused() async throws {
        try await CheckoutOffice.run { office in
            let start = office.office.clock.read().addingTimeInterval(-40 * 86_400)
            var higher = Self.order("A", at: start, paying: "4200000001")
            higher.productID = "max.year"
            let lower = Self.order("B", at: start.addingTimeInterval(86_400), paying: "4200000002")
            try await office.backOffice.recordDemoOrders([higher, lower], of: Self.person, toApp: "readmigo")
            let sales = try await office.backOffice.demoSales(at: .wechat, app: "readmigo")
            #expect(sales.map(\.transactionID) == ["4200000001"])
        }
    }

    private static func order(_ letter: String, at moment: Date, paying transaction: String?) -> DemoOrder {
        DemoOrder(
            number: String(repeating: letter, count: 26),
            method: .wechatNative,
            productID: "pro.month",
            openedAt: moment,
            payment: transaction.map {
                DemoOrder.Payment(
                    transactionID: $0,
                    paidAt: moment.addingTimeInterval(60),
                    payer: Secret("oUpF8u"),
                    bank: "OTHERS",
                    kind: "NATIVE"
                )
            }
        )
    }
}
