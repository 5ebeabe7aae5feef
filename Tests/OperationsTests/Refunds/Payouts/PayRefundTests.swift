import Billing
import Foundation
import Gateways
import Operations
import Postgres
import Storage
import TestSupport
import Testing

@Suite("An approved refund at a store that pays for us") struct PayRefundTests {
    @Test("is sent, paid and booked by the store, with its steps, and access ends with it") func life() async throws {
        try await PayoutOffice.run { office in
            let customer = try await office.office.customer("mei")
            let order = try await office.order(for: customer)
            let number = try await office.approved(order)
            #expect(try await office.payouts() == ["RF-000001 approved waiting"])
            try await office.work()
            #expect(try await office.payouts() == ["RF-000001 processed paid"])
            #expect(try await office.steps(number) == ["waiting", "sent", "paid"])
            #expect(office.wechat.asked.count == 1 && office.wechat.paid == ["wechat-1": 1_800])
            #expect(try await office.booked() == ["wechat-1": 1_800])
            #expect(try await office.orderStatus(order) == "refunded 1800")
            let asked = try #require(office.wechat.refunds.values.first)
            #expect(asked.amount == .yuan(18) && asked.total == .yuan(18) && asked.reason == "pro.month")
            #expect(asked.number == "\(asked.orderNumber)_RF000001")
            #expect(asked.notificationURL == "https://office.example.com/webhooks/wechat/readmigo")
            #expect(try await office.desk.plan(customer) == nil)
            #expect(
                try await office.office.lines(
                    "SELECT concat_ws(' ', finished_as, payer, payment_reference) FROM refund_requests"
                ) == ["wechat store 501"]
            )
            #expect(
                try await office.office.lines(
                    "SELECT actor FROM audit_entries WHERE action = 'refund.process'"
                ) == ["wechat"]
            )
            #expect(try await office.office.count("jobs WHERE kind = 'refund_payout' AND state <> 'completed'") == 0)
        }
    }

    @Test("that the store is processing is asked for until it is paid, and booked once") func processing() async throws
    {
        try await PayoutOffice.run { office in
            office.wechat.end(as: .processing)
            let order = try await office.order()
            let number = try await office.approved(order)
            for _ in 0..<3 { try await office.work() }
            #expect(try await office.payouts() == ["RF-000001 approved processing"])
            #expect(try await office.booked() == [:] && office.wechat.asked.count == 1)
            office.wechat.settle(as: .succeeded)
            for _ in 0..<2 { try await office.work() }
            #expect(try await office.steps(number) == ["waiting", "sent", "processing", "paid"])
            #expect(try await office.booked() == ["wechat-1": 1_800])
        }
    }

    @Test("whose answer was lost is asked for under its number, and never sent under another") func lostAnswer()
        async throws
    {
        try await PayoutOffice.run { office in
            office.wechat.fail(.silent)
            let number = try await office.approved(try await office.order())
            try await office.work()
            #expect(try await office.payouts() == ["RF-000001 approved sent"])
            #expect(try await office.steps(number).last == "sent: The store did not answer.")
            // It did not hear the question either, and then hears it.
            office.wechat.fail(.away)
            try await office.work()
            try await office.work()
            #expect(try await office.payouts() == ["RF-000001 processed paid"])
            #expect(office.wechat.asked.count == 1 && office.wechat.differing == [])
            #expect(try await office.booked() == office.wechat.paid)
        }
    }

    @Test("that never arrived is sent again under the same number, with the same words") func neverArrived()
        async throws
    {
        try await PayoutOffice.run { office in
            office.wechat.fail(.away, .away, .away)
            _ = try await office.approved(try await office.order())
            for _ in 0..<4 { try await office.work() }
            #expect(try await office.payouts() == ["RF-000001 processed paid"])
            #expect(Set(office.wechat.refunds.keys).count == 1 && office.wechat.differing == [])
            #expect(try await office.booked() == office.wechat.paid)
        }
    }

    @Test("that the store refuses says so in the store's words, and is then paid by hand or cancelled")
    func refused() async throws {
        try await PayoutOffice.run { office in
            office.wechat.fail(.refuses("RULE_LIMIT"), .refuses("TRADE_ERROR"))
            let orders = [try await office.order(), try await office.order()]
            let numbers = [try await office.approved(orders[0]), try await office.approved(orders[1])]
            try await office.work()
            #expect(try await office.payouts() == ["RF-000001 approved refused", "RF-000002 approved refused"])
            var words: Set<String> = []
            for number in numbers { words.formUnion(try await office.steps(number).suffix(1)) }
            #expect(words == ["refused: RULE_LIMIT", "refused: TRADE_ERROR"])
            #expect(try await office.booked() == [:])
            try await office.payByHand(numbers[0])
            _ = try await office.cancel(numbers[1])
            #expect(try await office.payouts() == ["RF-000001 processed withdrawn", "RF-000002 cancelled withdrawn"])
            try await office.work()
            #expect(office.wechat.paid == [:])
        }
    }

    @Test("that the store closes is free again: another request has another number") func closed() async throws {
        try await PayoutOffice.run { office in
            office.wechat.end(as: .closed)
            let order = try await office.order()
            let first = try await office.approved(order)
            try await office.work()
            #expect(try await office.payouts() == ["RF-000001 approved closed"])
            _ = try await office.cancel(first)
            office.wechat.end(as: .succeeded)
            office.office.clock.advance(by: 61)
            _ = try await office.approved(order)
            try await office.work()
            #expect(try await office.payouts() == ["RF-000001 cancelled withdrawn", "RF-000002 processed paid"])
            #expect(office.wechat.refunds.count == 2 && office.wechat.paid == ["wechat-1": 1_800])
        }
    }

    @Test("that the customer's account does not take is followed, and settled at the store or by hand")
    func abnormal() async throws {
        try await PayoutOffice.run { office in
            office.wechat.end(as: .abnormal)
            let numbers = [
                try await office.approved(try await office.order()),
                try await office.approved(try await office.order()),
            ]
            try await office.work()
            #expect(try await office.payouts() == ["RF-000001 approved abnormal", "RF-000002 approved abnormal"])
            #expect(await rejectionReason { try await office.cancel(numbers[0]) }?.code == .conflict)
            try await office.payByHand(numbers[0])
            office.wechat.settle(as: .succeeded, only: try await office.number(numbers[1]))
            try await office.work()
            #expect(try await office.payouts() == ["RF-000001 processed withdrawn", "RF-000002 processed paid"])
            #expect(try await office.booked().values.reduce(0, +) == 3_600)
        }
    }

    @Test("cannot be paid by hand or cancelled while the store may be paying it") func openOutcome() async throws {
        try await PayoutOffice.run { office in
            office.wechat.fail(.silent)
            let number = try await office.approved(try await office.order())
            try await office.work()
            let byHand = await rejectionReason { try await office.payByHand(number) }
            #expect(byHand?.code == .conflict && byHand?.message.contains("may pay twice") == true)
            #expect(await rejectionReason { try await office.cancel(number) }?.code == .conflict)
            try await office.work()
            #expect(await rejectionReason { try await office.payByHand(number) }?.code == .conflict)
            #expect(try await office.booked() == ["wechat-1": 1_800])
        }
    }

    @Test("is paid by hand before it was sent, and is then never sent") func byHandFirst() async throws {
        try await PayoutOffice.run { office in
            let number = try await office.approved(try await office.order())
            try await office.payByHand(number)
            try await office.work()
            #expect(try await office.payouts() == ["RF-000001 processed withdrawn"])
            #expect(office.wechat.asked == [])
        }
    }

    @Test("in parts is sent a minute apart at WeChat Pay, and each part is booked once") func parts() async throws {
        try await PayoutOffice.run { office in
            let order = try await office.order()
            for _ in 0..<3 { _ = try await office.approved(order, .partial, .yuan(5)) }
            try await office.work()
            #expect(office.wechat.refunds.count == 1)
            for _ in 0..<2 {
                office.office.clock.advance(by: 61)
                try await office.work()
            }
            #expect(office.wechat.refunds.count == 3 && office.wechat.paid == ["wechat-1": 1_500])
            #expect(try await office.booked() == ["wechat-1": 1_500])
            #expect(try await office.orderStatus(order) == "partially_refunded 1500")
        }
    }

    @Test("of a year ago is not sent, and waits for people") func tooOld() async throws {
        try await PayoutOffice.run { office in
            let order = try await office.order()
            office.desk.advance(days: 366)
            let number = try await office.approved(order)
            try await office.work()
            #expect(try await office.payouts() == ["RF-000001 approved refused too_old"])
            #expect(office.wechat.asked == [])
            try await office.payByHand(number)
        }
    }

    @Test("is written once, however many approve at the same time") func race() async throws {
        try await PayoutOffice.run { office in
            for _ in 0..<TestScale.rounds(40, sampled: 5) {
                let order = try await office.order()
                let number = try await office.ask(order)
                let winners = await withTaskGroup(of: Bool.self) { group in
                    for caller in [office.ada, office.bea] {
                        group.addTask { (try? await office.approve(number, of: order, by: caller)) != nil }
                    }
                    return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
                }
                #expect(winners == 1)
            }
            async let first: Void = office.work()
            async let second: Void = office.work()
            _ = try await (first, second)
            try await office.work()
            #expect(Set(office.wechat.asked).count == office.wechat.refunds.count)
            #expect(try await office.booked() == office.wechat.paid)
            #expect(
                Set(try await office.payouts().map { $0.split(separator: " ").dropFirst().joined(separator: " ") })
                    == ["processed paid"]
            )
        }
    }

    @Test("whatever the store does: no number is paid twice or for another amount, and the books say what it paid")
    func generated() async throws {
        var random = SeededGenerator(seed: 35)
        let troubles: [ScriptedPayer.Trouble] = [.away, .silent, .silent, .refuses("TRADE_ERROR"), .away]
        try await PayoutOffice.run { office in
            for _ in 0..<TestScale.rounds(60, sampled: 8) {
                let order = try await office.order()
                let parts = Int.random(in: 1...3, using: &random)
                for _ in 0..<parts {
                    let amount = Money.yuan(Int64.random(in: 1...6, using: &random))
                    _ = try await office.approved(order, .partial, amount)
                }
                for _ in 0..<Int.random(in: 1...6, using: &random) {
                    office.wechat.fail(
                        (0..<Int.random(in: 0...2, using: &random)).compactMap { _ in
                            troubles.randomElement(using: &random)
                        }
                    )
                    let ends = StoreRefundStanding.State.allCases
                    office.wechat.end(as: ends.randomElement(using: &random) ?? .succeeded)
                    office.office.clock.advance(by: 61)
                    try await office.work()
                    if Int.random(in: 0..<3, using: &random) == 0 { office.wechat.settle(as: .succeeded) }
                }
            }
            // All that is open is paid in the end.
            office.wechat.end(as: .succeeded)
            office.wechat.settle(as: .succeeded)
            for _ in 0..<12 {
                office.office.clock.advance(by: 61)
                try await office.work()
            }
            #expect(office.wechat.differing == [])
            let states = Set(try await office.office.lines("SELECT DISTINCT state FROM refund_payouts"))
            #expect(states.isSubset(of: ["paid", "refused", "closed"]), "\(states)")
            // A number that the store has closed is not asked about again, whatever the script made of it since.
            let closed = try await office.office.lines("SELECT number FROM refund_payouts WHERE state = 'closed'")
            var paid = office.wechat.paid
            for number in closed {
                guard let refund = office.wechat.refunds[number] else { continue }
                paid[refund.transactionID, default: 0] -= refund.amount.minorUnits
            }
            #expect(try await office.booked() == paid.filter { $0.value > 0 })
        }
    }
}
