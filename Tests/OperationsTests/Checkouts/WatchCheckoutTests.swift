import Billing
import Foundation
import Postgres
import Storage
import Testing

@testable import Operations

@Suite("An order is watched until it is paid or closed") struct WatchCheckoutTests {
    @Test("a payment of which no message came is found by asking")
    func found() async throws {
        try await CheckoutOffice.run { office in
            let customer = try await office.office.customer("mei")
            let number = try await office.open(for: customer).checkout.number
            try await office.watch()
            #expect(try await office.checkout(number).state == .open)
            office.wechat.pay(number, at: office.office.clock.read())
            try await office.watch()
            #expect(try await office.checkout(number).state == .paid)
            #expect(try await office.plan(customer) == "PRO")
            #expect(try await office.office.count("jobs WHERE kind = 'checkout' AND state <> 'completed'") == 0)
        }
    }

    @Test("a payment that is not of its order waits for people, and is settled once they have it tried again")
    func disputed() async throws {
        try await CheckoutOffice.run { office in
            let customer = try await office.office.customer("mei")
            let number = try await office.open(for: customer).checkout.number
            let other = office.wechat.pay(number, at: office.office.clock.read(), fen: 1)
            try await office.watch()
            #expect(try await office.office.lines("SELECT state FROM jobs WHERE kind = 'checkout'") == ["discarded"])
            #expect(try await office.checkout(number).problem != nil)
            #expect(try await office.plan(customer) == nil)
            var honest = other
            honest.amount = .yuan(18)
            office.wechat.say(.paid(honest), of: number)
            _ = try await office.office.pool.query("UPDATE jobs SET state = 'available', finalized_at = NULL")
            try await office.watch()
            #expect(try await office.checkout(number).state == .paid)
        }
    }

    @Test(
        "a store is asked soon, at the expiry, and then less and less often, whatever it says",
        arguments: [
            (0.0, 5.0), (5, 25), (60, 120), (600, 300), (899, 1), (900, 5), (905, 25), (960, 60), (1_020, 60),
            (1_800, 900), (4_500, 1_800), (100_000, 1_800),
        ]
    )
    func schedule(age: TimeInterval, wait: TimeInterval) {
        #expect(CheckoutSchedule.wait(at: age, expiringAt: 900) == wait)
    }

    @Test("an order that expires is closed at its shop; one that was paid as it was closed is honoured")
    func expired() async throws {
        try await CheckoutOffice.run { office in
            let (mei, li) = (try await office.office.customer("mei"), try await office.office.customer("li"))
            let unpaid = try await office.open(for: mei).checkout.number
            let paid = try await office.open(for: li).checkout.number
            office.office.clock.advance(by: 901)
            office.wechat.pay(paid, at: office.office.clock.read())
            try await office.watch()
            #expect(office.wechat.closed == [unpaid])
            let closed = try await office.checkout(unpaid)
            #expect(closed.state == .closed && closed.closeReason == .expired)
            #expect(try await office.checkout(paid).state == .paid)
            #expect(try await office.plan(li) == "PRO")
        }
    }

    @Test("an order that never reached its shop, for the server died first, is closed when its time is over")
    func neverOpened() async throws {
        try await CheckoutOffice.run { office in
            let customer = try await office.office.customer("mei")
            office.wechat.fail(.away)
            await #expect(throws: OperationsError.self) { try await office.open(for: customer) }
            let number = try #require(try await office.office.lines("SELECT number FROM checkouts").first)
            try await office.watch()
            #expect(try await office.checkout(number).state == .opening)
            office.office.clock.advance(by: 901)
            try await office.watch()
            #expect(try await office.checkout(number).state == .closing)
            office.office.clock.advance(by: 119)
            try await office.watch()
            #expect(try await office.checkout(number).state == .closed)
        }
    }

    @Test("a shop that knows an order only when it is paid is asked on for two minutes: the last second counts")
    func lastSecond() async throws {
        try await CheckoutOffice.run { office in
            let customer = try await office.office.customer("mei")
            let number = try await office.open(by: .alipayQR, for: customer).checkout.number
            office.alipay.say(.unknown, of: number)
            office.office.clock.advance(by: 901)
            try await office.watch()
            #expect(try await office.checkout(number).state == .closing)
            let payment = office.alipay.pay(number, at: office.office.clock.read().addingTimeInterval(-2))
            office.alipay.say(.paid(payment), of: number)
            office.office.clock.advance(by: 60)
            try await office.watch()
            let paid = try await office.checkout(number)
            #expect(paid.state == .paid && paid.closeReason == .expired)
            #expect(try await office.plan(customer) == "PRO")
        }
    }

    @Test("a payment that was back when it was found is booked with what is back, and gives no access")
    func givenBack() async throws {
        try await CheckoutOffice.run { office in
            let customer = try await office.office.customer("mei")
            let number = try await office.open(by: .alipayQR, for: customer).checkout.number
            var payment = office.alipay.pay(number, at: office.office.clock.read())
            (payment.isRefunded, payment.refunded) = (true, .yuan(18))
            office.alipay.say(.closed(payment), of: number)
            try await office.watch()
            #expect(try await office.checkout(number).state == .paid)
            let books = ["alipay-1 initial_purchase refunded 1800 initial_purchase 1800, refund -1800"]
            #expect(try await office.orders() == books)
            #expect(try await office.plan(customer) == nil)
            // Its message comes after all: the same money.
            let notice = StoreRefundNotice(
                orderNumber: number,
                transactionID: payment.transactionID,
                number: "PAGE-1",
                standing: StoreRefundStanding(.succeeded, amount: .yuan(18))
            )
            #expect(try await office.backOffice.settle(notice, at: .alipay, of: office.app) == .known)
            #expect(try await office.orders() == books)
        }
    }

    @Test(
        "where the shop does not say how much is back, no access is given, and people see it until a message or the bill says",
        arguments: [18, 5] as [Int64]
    )
    func givenBackInPart(yuan: Int64) async throws {
        try await CheckoutOffice.run { office in
            let customer = try await office.office.customer("mei")
            let number = try await office.open(for: customer).checkout.number
            var payment = office.wechat.pay(number, at: office.office.clock.read())
            payment.isRefunded = true
            office.wechat.say(.paid(payment), of: number)
            try await office.watch()
            let found = try await office.checkout(number)
            #expect(found.state == .paid && found.problem?.contains("does not say how much") == true)
            #expect(try await office.orders() == ["wechat-1 initial_purchase completed 1800 initial_purchase 1800"])
            #expect(try await office.plan(customer) == nil)
            let notice = StoreRefundNotice(
                orderNumber: number,
                transactionID: payment.transactionID,
                number: "PAGE-1",
                standing: StoreRefundStanding(.succeeded, amount: .yuan(yuan))
            )
            for expected in [PaymentSettlement.settled, .known] {
                #expect(try await office.backOffice.settle(notice, at: .wechat, of: office.app) == expected)
            }
            let status = yuan == 18 ? "refunded" : "partially_refunded"
            #expect(
                try await office.orders() == [
                    "wechat-1 initial_purchase \(status) 1800 initial_purchase 1800, refund -\(yuan * 100)"
                ]
            )
            // Of a part people give what is left by hand.
            #expect(try await office.checkout(number).problem.map { _ in true } == (yuan == 18 ? nil : true))
            #expect(try await office.office.count("checkouts WHERE has_unknown_refund") == 0)
        }
    }

    @Test("an order whose shop was silent while it was opened, and then paid, is found")
    func silent() async throws {
        try await CheckoutOffice.run { office in
            let customer = try await office.office.customer("mei")
            office.wechat.fail(.silent)
            await #expect(throws: OperationsError.self) { try await office.open(for: customer) }
            let number = try #require(office.wechat.orders.keys.first)
            office.wechat.pay(number, at: office.office.clock.read())
            try await office.watch()
            #expect(try await office.checkout(number).state == .paid)
        }
    }

    @Test("a shop that is away is asked again, and nothing is closed or lost meanwhile")
    func away() async throws {
        try await CheckoutOffice.run { office in
            let customer = try await office.office.customer("mei")
            let number = try await office.open(for: customer).checkout.number
            office.office.clock.advance(by: 901)
            office.wechat.fail(.away, .away)
            try await office.watch()
            let waiting = try await office.checkout(number)
            #expect(waiting.state == .closing && waiting.lastFailure == "The shop did not answer.")
            try await office.watch()
            try await office.watch()
            #expect(try await office.checkout(number).state == .closed)
        }
    }
}
