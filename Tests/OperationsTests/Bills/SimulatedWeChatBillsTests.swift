import Billing
import Foundation
import Gateways
import Jobs
import Operations
import Postgres
import Storage
import StoreSimulator
import Testing

@Suite("Bills as WeChat Pay makes them, beside the books") struct SimulatedWeChatBillsTests {
    /// Sells, gives back some of it, and lets the store make its bill of that day.
    private static func run(
        _ body: (PayoutOffice, SimulatedPayers, _ orders: [String], _ refunds: [String]) async throws -> Void
    ) async throws {
        try await SimulatedPayoutTests.run { office, payers, shop in
            var orders: [String] = []
            for _ in 0..<24 { orders.append(try await shop.order(by: .wechatNative)) }
            // The last six are given back.
            for order in orders.suffix(6) { _ = try await office.approved(order) }
            try await office.work(payers, after: 61)
            try await office.work(payers, after: 61)
            try await office.expectAllPaid(6)
            let numbers = try await office.office.lines(
                """
                SELECT k.number FROM checkouts k JOIN orders o ON o.transaction_id = k.transaction_id ORDER BY o.number
                """
            )
            let refunds = try await office.office.lines("SELECT number FROM refund_payouts ORDER BY number")
            #expect(numbers.count == 24 && refunds.count == 6)
            try await compare(office, payers, after: 1.5 * 86_400)
            try await body(office, payers, numbers, refunds)
        }
    }

    private static func compare(
        _ office: PayoutOffice,
        _ payers: SimulatedPayers,
        after seconds: TimeInterval
    ) async throws {
        office.office.clock.advance(by: seconds)
        payers.clock.advance(by: seconds)
        for _ in 0..<2 {
            _ = try await office.backOffice.scheduleBills()
            _ = try await JobWorker(backOffice: office.backOffice).drain()
        }
    }

    @Test("undisturbed books agree with the bill, and 20 planted differences are exactly those that are listed")
    func planted() async throws {
        try await Self.run { office, payers, numbers, refunds in
            let compared = "daily_bills WHERE store = 'wechat' AND state = 'compared' AND rows = 30"
            #expect(try await office.office.count(compared) == 1)
            #expect(try await office.office.count("bill_differences") == 0)
            let refunded = try await office.office.lines(
                "SELECT order_number FROM refund_payouts ORDER BY number"
            )
            let kept = numbers.filter { !refunded.contains($0) }
            var knobs = SimulatedWeChatBillKnobs()
            knobs.hidden = Set(kept[0..<5])
            for number in kept[5..<10] { knobs.amounts[number] = 1_234 }
            knobs.strays = (0..<4).map { ("STRAY-\($0)", 4_200, TestOffice.start) }
            knobs.hiddenRefunds = Set(refunds[0..<2])
            for number in refunds[2..<4] { knobs.refundAmounts[number] = 1_799 }
            knobs.strayRefunds = kept[10..<12].map { ("HAND-\($0)", $0, 600, TestOffice.start) }
            payers.wechat.set(knobs)
            _ = try await office.office.pool.query("UPDATE daily_bills SET state = 'incomplete', next_at = starts_at")
            try await Self.compare(office, payers, after: 0)
            let found = try await office.office.lines(
                "SELECT concat_ws(' ', kind, order_number) FROM bill_differences WHERE closed_at IS NULL ORDER BY 1"
            )
            let ofRefunds = try await office.office.lines(
                "SELECT order_number FROM refund_payouts ORDER BY number LIMIT 4"
            )
            let expected =
                kept[0..<5].map { "paid_here \($0)" } + kept[5..<10].map { "payment_amount \($0)" }
                + (0..<4).map { "paid_there STRAY-\($0)" } + ofRefunds[0..<2].map { "refunded_here \($0)" }
                + ofRefunds[2..<4].map { "refund_amount \($0)" } + kept[10..<12].map { "refunded_there \($0)" }
            #expect(expected.count == 20)
            #expect(found.count == 20 && Set(found) == Set(expected), "\(Set(found).symmetricDifference(expected))")

            // As it was, all of them are explained.
            payers.wechat.set(SimulatedWeChatBillKnobs())
            _ = try await office.office.pool.query("UPDATE daily_bills SET state = 'incomplete', next_at = starts_at")
            try await Self.compare(office, payers, after: 0)
            #expect(try await office.office.count("bill_differences WHERE closed_at IS NULL") == 0)
        }
    }

    @Test("a bill that nobody can read waits for people, and the next day's is compared meanwhile")
    func unreadable() async throws {
        try await Self.run { office, payers, numbers, _ in
            payers.wechat.bendBills { text in
                // A number with a byte that no database takes, in the first line alone.
                text.replacing(numbers[0], with: "SUB\u{0}", maxReplacements: 1)
            }
            _ = try await office.office.pool.query("UPDATE daily_bills SET state = 'incomplete', next_at = starts_at")
            try await Self.compare(office, payers, after: 0)
            #expect(
                try await office.office.lines(
                    "SELECT concat_ws(' ', state, rows, substring(unreadable[1] from ': .*')) FROM daily_bills WHERE store = 'wechat'"
                ) == ["incomplete 29 : 商户订单号 is no number."]
            )
            #expect(try await office.office.count("bill_differences") == 0)
            try await Self.compare(office, payers, after: 86_400)
            #expect(
                try await office.office.lines("SELECT state FROM daily_bills WHERE store = 'wechat' ORDER BY day")
                    == ["incomplete", "compared"]
            )
        }
    }
}
