import Billing
import Foundation
import Operations
import Postgres
import Storage
import Testing

@Suite("The money of a period that paid for an upgrade") struct UpgradeMoneyTests {
    /// The fate of a period before the next upgrade.
    struct Case: Sendable, CustomStringConvertible {
        var description: String
        /// The products that were bought before, one right after the other.
        var bought: [String]
        /// Yuan that are given back of the last one.
        var refund: Int64 = 0
        var isApproved = true
        var isPaid = true
        /// Yuan that are taken off the price of Ultra.
        var credit: Int64
        /// Yuan that are left of each of the charges, after Ultra was bought.
        var left: [Int64]
    }

    private static let cases = [
        Case(description: "paid in money", bought: ["max.month"], credit: 28, left: [0]),
        Case(
            description: "paid in money and by another",
            bought: ["pro.month", "max.month"],
            credit: 28,
            left: [0, 0]
        ),
        Case(
            description: "a part was given back",
            bought: ["pro.month", "max.month"],
            refund: 4,
            credit: 24,
            left: [0, 0]
        ),
        Case(
            description: "a part is on its way back",
            bought: ["pro.month", "max.month"],
            refund: 4,
            isPaid: false,
            credit: 24,
            left: [0, 0]
        ),
        Case(
            description: "a part was asked for",
            bought: ["pro.month", "max.month"],
            refund: 4,
            isApproved: false,
            isPaid: false,
            credit: 28,
            left: [0, 0]
        ),
        Case(
            description: "all that was charged is on its way back",
            bought: ["pro.month", "max.month"],
            refund: 10,
            isPaid: false,
            credit: 18,
            left: [0, 0]
        ),
        Case(
            description: "all of one that was paid in money is on its way back",
            bought: ["pro.month"],
            refund: 18,
            isPaid: false,
            credit: 0,
            left: [0]
        ),
        Case(
            description: "half of it is on its way back",
            bought: ["pro.month"],
            refund: 9,
            isPaid: false,
            credit: 9,
            left: [0]
        ),
        Case(description: "one after the other", bought: ["pro.month", "pro.month"], credit: 36, left: [0, 0]),
        Case(
            description: "the second of two was given back",
            bought: ["pro.month", "pro.month"],
            refund: 18,
            credit: 18,
            left: [0, 0]
        ),
    ]

    @Test("is taken off the next price once; what was given back of it is not, nor what is on its way back")
    func value() async throws {
        try await PayoutOffice.run { office in
            try await office.sellUltra()
            office.wechat.end(as: .processing)
            for (index, row) in Self.cases.enumerated() {
                let customer = try await office.office.customer("case-\(index)")
                var orders: [String] = []
                for product in row.bought { orders.append(try await office.order(product, for: customer)) }
                if row.refund > 0, let last = orders.last {
                    let request = try await office.ask(last, .partial, .yuan(row.refund))
                    if row.isApproved { try await office.approve(request, of: last) }
                    try await office.work()
                    if row.isPaid {
                        office.wechat.settle(as: .succeeded, only: try await office.number(request))
                        try await office.work()
                    }
                }
                let opened = try await office.desk.open("ultra.month", for: customer).checkout
                #expect(opened.credit == .yuan(row.credit), "\(row)")
                let payment = office.desk.wechat.pay(opened.number, at: office.office.clock.read())
                #expect(try await office.backOffice.settle(payment, at: .wechat, of: office.app) == .settled)
                #expect(try await office.left(orders) == row.left, "\(row)")
                let month = try await office.desk.periods().last { $0.contains("ultra.month") }
                #expect(month?.hasSuffix("10000 1month") == true, "\(row)")
            }
        }
    }

    @Test("goes back where it came from, step by step, as the upgrades are given back in full")
    func givenBackInOrder() async throws {
        try await PayoutOffice.run { office in
            try await office.sellUltra()
            let customer = try await office.office.customer("mei")
            let orders = [
                try await office.order(for: customer), try await office.order("max.month", for: customer),
                try await office.order("ultra.month", for: customer),
            ]
            #expect(try await office.left(orders) == [0, 0, 72])
            for order in orders.dropLast() {
                await #expect(throws: OperationsError.self) { try await office.ask(order) }
            }
            for (order, left) in zip(orders.reversed(), [[0, 10, 0], [18, 0, 0], [0, 0, 0]] as [[Int64]]) {
                _ = try await office.approved(order)
                try await office.work()
                #expect(try await office.left(orders) == left)
            }
            #expect(try await office.booked() == ["wechat-1": 1_800, "wechat-2": 1_000, "wechat-3": 7_200])
            #expect(try await office.desk.plan(customer) == nil)
        }
    }

    @Test("goes back no further than it is free, in whichever order the charges are given back")
    func givenBackOutOfOrder() async throws {
        try await PayoutOffice.run { office in
            try await office.sellUltra()
            let customer = try await office.office.customer("mei")
            var orders = [try await office.order(for: customer), try await office.order("max.month", for: customer)]
            office.desk.advance(days: 15.5)
            orders.append(try await office.order("ultra.month", for: customer))
            // Half of Max, of 28, went on; of its own 10 nothing had to.
            #expect(try await office.left(orders) == [0, 10, 86])
            for (index, left) in zip([1, 2, 0], [[4, 0, 86], [18, 0, 0], [0, 0, 0]] as [[Int64]]) {
                _ = try await office.approved(orders[index])
                try await office.work()
                #expect(try await office.left(orders) == left)
            }
            #expect(try await office.booked() == ["wechat-1": 1_800, "wechat-2": 1_000, "wechat-3": 8_600])
        }
    }

    @Test("and was on its way back is not credited as well: the customer pays the whole price, and has the refund")
    func refundUnderWay() async throws {
        try await PayoutOffice.run { office in
            office.wechat.end(as: .processing)
            let customer = try await office.office.customer("mei")
            let pro = try await office.order(for: customer)
            _ = try await office.approved(pro)
            try await office.work()
            let max = try await office.desk.buy("max.month", for: customer)
            #expect(max.amount == .yuan(28))
            office.wechat.settle(as: .succeeded)
            try await office.work()
            #expect(try await office.orderStatus(pro) == "refunded 1800")
            #expect(try await office.desk.plan(customer) == "PREMIUM")
            #expect(try await office.booked() == ["wechat-1": 1_800])
        }
    }

    @Test("is a part of the share that is unused of the upgrade, and no more than was charged is given back")
    func prorated() async throws {
        try await PayoutOffice.run { office in
            let customer = try await office.office.customer("mei")
            _ = try await office.order(for: customer)
            let max = try await office.order("max.month", for: customer)
            office.desk.advance(days: 23.25)
            // A quarter of 28.00.
            let number = try await office.ask(max, .prorated)
            let asked = try await office.office.lines(
                "SELECT requested_amount::text FROM refund_requests WHERE number = \(number)"
            )
            #expect(asked == ["700"])
        }
    }
}

extension PayoutOffice {
    /// Sells Ultra as well, above Premium, for 100 a month.
    fileprivate func sellUltra() async throws {
        var catalog = try CheckoutOffice.catalog()
        catalog.plans.append(CatalogPlan(plan: Plan(code: "ULTRA", rank: 3), name: "Ultra"))
        for store in [Store.wechat, .alipay] {
            catalog.products.append(
                CatalogProduct(
                    plan: "ULTRA",
                    store: store,
                    id: "ultra.month",
                    name: "ultra.month",
                    period: BillingPeriod(1, .month),
                    trial: nil,
                    prices: [.yuan(100)]
                )
            )
        }
        _ = try await backOffice.applyCatalog(catalog)
    }

    /// Yuan that are left of charges.
    fileprivate func left(_ orders: [String]) async throws -> [Int64] {
        var left: [Int64] = []
        for order in orders {
            let refundable = try #require(
                try await backOffice.database.write { try await $0.refunds.lock(order: order, of: app) }
            ).refundable(apartFrom: nil, approvedOnly: true)
            left.append(refundable.left.minorUnits / 100)
        }
        return left
    }
}
