import Billing
import Foundation
import Operations
import Postgres
import Storage
import Testing

@Suite("A store tells of a refund") struct HearStoreRefundTests {
    @Test("of ours: it is paid and booked, however often it is told") func ours() async throws {
        try await PayoutOffice.run { office in
            office.wechat.end(as: .processing)
            let number = try await office.approved(try await office.order())
            try await office.work()
            let notice = Self.notice(try await office.number(number), .succeeded, .yuan(18))
            #expect(try await office.backOffice.settle(notice, at: .wechat, of: office.app) == .settled)
            #expect(try await office.backOffice.settle(notice, at: .wechat, of: office.app) == .known)
            office.wechat.settle(as: .succeeded)
            try await office.work()
            #expect(try await office.payouts() == ["RF-000001 processed paid"])
            #expect(try await office.booked() == ["wechat-1": 1_800])
        }
    }

    @Test("of ours that is abnormal: people see it at once") func abnormal() async throws {
        try await PayoutOffice.run { office in
            office.wechat.end(as: .processing)
            let number = try await office.approved(try await office.order())
            try await office.work()
            let notice = Self.notice(try await office.number(number), .abnormal, .yuan(18))
            #expect(try await office.backOffice.settle(notice, at: .wechat, of: office.app) == .settled)
            #expect(try await office.payouts() == ["RF-000001 approved abnormal"])
            #expect(try await office.booked() == [:])
        }
    }

    @Test("of another amount, payment or merchant: nothing is booked, and people look at it") func foreign()
        async throws
    {
        try await PayoutOffice.run { office in
            office.wechat.end(as: .processing)
            let order = try await office.order()
            let ours = try await office.number(try await office.approved(order))
            try await office.work()
            var merchant = Self.notice(ours, .succeeded, .yuan(18))
            merchant.merchantID = "1900000000"
            for notice in [
                Self.notice(ours, .succeeded, .yuan(17)), Self.notice(ours, .succeeded, .yuan(18), of: "wechat-77"),
                merchant, Self.notice("OTHER", .succeeded, .yuan(18), of: "wechat-77"),
                Self.notice("OTHER", .succeeded, nil), Self.notice(nil, .succeeded, nil),
                Self.notice("OTHER", .succeeded, Money(minorUnits: 0, currency: .cny)),
            ] {
                guard case .disputed = try await office.backOffice.settle(notice, at: .wechat, of: office.app) else {
                    Issue.record("\(notice) was booked")
                    continue
                }
            }
            #expect(try await office.payouts() == ["RF-000001 approved processing"])
            #expect(try await office.booked() == [:])
            #expect(try await office.orderStatus(order) == "completed 0")
        }
    }

    @Test("that nobody asked for: it is booked as the store's, once, and access ends with it") func unasked()
        async throws
    {
        try await PayoutOffice.run { office in
            let customer = try await office.office.customer("mei")
            let order = try await office.order(for: customer)
            let part = Self.notice("BY-HAND-1", .succeeded, .yuan(5))
            for expected in [PaymentSettlement.settled, .known] {
                #expect(try await office.backOffice.settle(part, at: .wechat, of: office.app) == expected)
            }
            #expect(try await office.orderStatus(order) == "partially_refunded 500")
            #expect(try await office.desk.plan(customer) == "PRO")
            let rest = Self.notice(nil, .succeeded, .yuan(13), storeID: "5099")
            for expected in [PaymentSettlement.settled, .known] {
                #expect(try await office.backOffice.settle(rest, at: .wechat, of: office.app) == expected)
            }
            #expect(try await office.orderStatus(order) == "refunded 1800")
            #expect(try await office.desk.plan(customer) == nil)
            #expect(
                try await office.office.lines(
                    """
                    SELECT concat_ws(' ', r.number, r.kind, r.status, r.processed_amount, r.requested_as, y.is_requested, y.number)
                    FROM refund_requests r
                    JOIN refund_payouts y ON y.refund_id = r.id
                    ORDER BY r.number
                    """
                ) == [
                    "RF-000001 partial processed 500 wechat f BY-HAND-1", "RF-000002 full processed 1300 wechat f 5099",
                ]
            )
            // A refund under way is nothing to book yet.
            let later = Self.notice("BY-HAND-2", .processing, .yuan(1))
            #expect(try await office.backOffice.settle(later, at: .wechat, of: office.app) == .known)
        }
    }

    @Test("before the payment's own message: the order is settled first, and no access is given for it")
    func beforeThePayment() async throws {
        try await PayoutOffice.run { office in
            let customer = try await office.office.customer("mei")
            let number = try await office.desk.open(for: customer).checkout.number
            let payment = office.desk.wechat.pay(number, at: office.office.clock.read())
            var notice = Self.notice("PAGE-1", .succeeded, .yuan(18))
            notice.orderNumber = number
            office.desk.wechat.fail(.away)
            await #expect(throws: OperationsError.self) {
                try await office.backOffice.settle(notice, at: .wechat, of: office.app)
            }
            #expect(try await office.office.count("orders") == 0)
            #expect(try await office.backOffice.settle(notice, at: .wechat, of: office.app) == .settled)
            #expect(try await office.backOffice.settle(payment, at: .wechat, of: office.app) == .known)
            #expect(try await office.booked() == ["wechat-1": 1_800])
            #expect(try await office.desk.plan(customer) == nil)
        }
    }

    @Test("that a person made on the store's pages for a request: that request is paid, and not once more")
    func onItsPages() async throws {
        try await PayoutOffice.run { office in
            office.wechat.fail(.refuses("RULE_LIMIT"))
            let order = try await office.order()
            _ = try await office.approved(order)
            try await office.work()
            let notice = Self.notice("PAGE-1", .succeeded, .yuan(18))
            #expect(try await office.backOffice.settle(notice, at: .wechat, of: office.app) == .settled)
            #expect(try await office.backOffice.settle(notice, at: .wechat, of: office.app) == .known)
            #expect(try await office.payouts() == ["RF-000001 processed withdrawn"])
            #expect(try await office.booked() == ["wechat-1": 1_800])

            // The other way round: somebody says first that the store has paid.
            office.wechat.fail(.refuses("RULE_LIMIT"))
            let second = try await office.approved(try await office.order())
            try await office.work()
            try await office.payByHand(second, .store)
            let told = Self.notice("PAGE-2", .succeeded, .yuan(18), of: "wechat-2")
            #expect(try await office.backOffice.settle(told, at: .wechat, of: office.app) == .settled)
            #expect(try await office.booked() == ["wechat-1": 1_800, "wechat-2": 1_800])
        }
    }

    @Test("that was paid elsewhere meanwhile: both are booked, so that somebody sees it") func twice() async throws {
        try await PayoutOffice.run { office in
            office.wechat.end(as: .abnormal)
            let order = try await office.order()
            let number = try await office.approved(order)
            try await office.work()
            try await office.payByHand(number)
            let notice = Self.notice(try await office.number(number), .succeeded, .yuan(18))
            #expect(try await office.backOffice.settle(notice, at: .wechat, of: office.app) == .settled)
            #expect(try await office.backOffice.settle(notice, at: .wechat, of: office.app) == .known)
            #expect(try await office.booked() == ["wechat-1": 3_600])
            #expect(try await office.orderStatus(order) == "refunded 3600")
        }
    }

    @Test("without its amount: the store is asked for that") func withoutAmount() async throws {
        try await PayoutOffice.run { office in
            let order = try await office.order(by: .alipayQR)
            let ours = try await office.approved(order, .partial, .yuan(5))
            office.alipay.end(as: .processing)
            try await office.work()
            let told = StoreRefundNotice(
                orderNumber: "ANY",
                transactionID: "alipay-1",
                number: try await office.number(ours),
                merchantID: "shop-alipay",
                standing: StoreRefundStanding(.succeeded)
            )
            #expect(try await office.backOffice.settle(told, at: .alipay, of: office.app) == .settled)
            #expect(try await office.booked() == ["alipay-1": 500])
        }
    }

    @Test("of the running one of two periods: the next one begins now; of the later one: the first goes on")
    func stacked() async throws {
        try await PayoutOffice.run { office in
            let customer = try await office.office.customer("mei")
            let first = try await office.order(for: customer)
            _ = try await office.order(for: customer)
            _ = try await office.order(by: .alipayQR, for: customer)
            #expect(
                try await office.desk.periods() == [
                    "wechat-1 pro.month 0.00 31.00 1800 1month", "wechat-2 pro.month 31.00 59.00 1800 1month",
                    "alipay-1 pro.month 59.00 90.00 1800 1month",
                ]
            )
            office.desk.advance(days: 8)
            _ = try await office.approved(first)
            try await office.work()
            // The refunded one costs nothing more, and the others keep their length.
            #expect(
                try await office.desk.periods() == [
                    "wechat-1 pro.month 0.00 8.00 1800 1month", "wechat-2 pro.month 8.00 36.00 1800 1month",
                    "alipay-1 pro.month 36.00 67.00 1800 1month",
                ]
            )
            #expect(try await office.desk.plan(customer) == "PRO")
            let later = try #require(
                try await office.office.lines("SELECT number FROM orders WHERE transaction_id = 'alipay-1'").first
            )
            _ = try await office.approved(later)
            try await office.work()
            #expect(
                try await office.desk.periods() == [
                    "wechat-1 pro.month 0.00 8.00 1800 1month", "wechat-2 pro.month 8.00 36.00 1800 1month",
                ]
            )
        }
    }

    private static func notice(
        _ number: String?,
        _ state: StoreRefundStanding.State,
        _ amount: Money?,
        of transactionID: String = "wechat-1",
        storeID: String? = nil
    ) -> StoreRefundNotice {
        StoreRefundNotice(
            orderNumber: "ANY",
            transactionID: transactionID,
            number: number,
            merchantID: "shop-wechat",
            standing: StoreRefundStanding(state, storeID: storeID, amount: amount)
        )
    }
}
