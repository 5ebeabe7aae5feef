import Billing
import Foundation
import Operations
import Postgres
import Storage
import Testing

@Suite("A payment of one of our orders") struct SettlePaymentTests {
    @Test("opens a subscription with its order and its charge, and gives access")
    func first() async throws {
        try await CheckoutOffice.run { office in
            let customer = try await office.office.customer("mei")
            let checkout = try await office.buy(for: customer)
            #expect(checkout.state == .paid && checkout.transactionID == "wechat-1")
            #expect(try await office.subscriptions() == ["wechat active pro.month 31.00"])
            let names = try await office.office.lines("SELECT original_transaction_id FROM subscriptions")
            #expect(names == [checkout.number])
            #expect(try await office.orders() == ["wechat-1 initial_purchase completed 1800 initial_purchase 1800"])
            #expect(try await office.periods() == ["wechat-1 pro.month 0.00 31.00 1800 1month"])
            #expect(try await office.plan(customer) == "PRO")
            office.advance(days: 31)
            #expect(try await office.plan(customer) == nil)
        }
    }

    @Test("is settled once, by whatever message, however often, at two servers at once")
    func repeated() async throws {
        try await CheckoutOffice.run { office in
            let customer = try await office.office.customer("mei")
            let opened = try await office.open(for: customer)
            let payment = office.wechat.pay(opened.checkout.number, at: office.office.clock.read())
            let results = try await withThrowingTaskGroup(of: PaymentSettlement.self) { group in
                for _ in 0..<6 {
                    group.addTask { try await office.backOffice.settle(payment, at: .wechat, of: office.app) }
                }
                return try await group.reduce(into: [PaymentSettlement]()) { $0.append($1) }
            }
            #expect(results.count { $0 == .settled } == 1 && results.count { $0 == .known } == 5)
            try await office.watch()
            #expect(try await office.orders().count == 1)
            #expect(try await office.office.count("ledger_entries") == 1)
        }
    }

    @Test("of the same plan begins where the running one ends, twice")
    func stacked() async throws {
        try await CheckoutOffice.run { office in
            let customer = try await office.office.customer("mei")
            try await office.buy(for: customer)
            office.advance(days: 5)
            try await office.buy(for: customer)
            office.advance(days: 1)
            try await office.buy(by: .wechatApp, for: customer)
            #expect(try await office.subscriptions() == ["wechat active pro.month 90.00"])
            #expect(
                try await office.periods() == [
                    "wechat-1 pro.month 0.00 31.00 1800 1month", "wechat-2 pro.month 31.00 59.00 1800 1month",
                    "wechat-3 pro.month 59.00 90.00 1800 1month",
                ]
            )
            #expect(
                try await office.orders() == [
                    "wechat-1 initial_purchase completed 1800 initial_purchase 1800",
                    "wechat-2 renewal completed 1800 renewal 1800", "wechat-3 renewal completed 1800 renewal 1800",
                ]
            )
            let paid = try await office.office.lines(
                "SELECT (purchased_at - created_at = interval '0')::text || ' ' || (period_starts_at > purchased_at)::text FROM orders ORDER BY purchased_at"
            )
            #expect(paid == ["true false", "true true", "true true"])
        }
    }

    @Test("after a gap buys anew in the same subscription")
    func gap() async throws {
        try await CheckoutOffice.run { office in
            let customer = try await office.office.customer("mei")
            try await office.buy(for: customer)
            office.advance(days: 40)
            _ = try await office.backOffice.sweepExpiries()
            try await office.buy(for: customer)
            #expect(try await office.subscriptions() == ["wechat active pro.month 68.00"])
            #expect(
                try await office.periods() == [
                    "wechat-1 pro.month 0.00 31.00 1800 1month", "wechat-2 pro.month 40.00 68.00 1800 1month",
                ]
            )
            let kinds = try await office.office.lines(
                "SELECT kind FROM subscription_events ORDER BY signed_at, event_id"
            )
            #expect(kinds == ["subscribed", "expired", "resubscribed"])
            #expect(try await office.plan(customer) == "PRO")
        }
    }

    @Test(
        "of a higher plan begins at once: what is left is taken off, the lower periods end, and revenue is what was paid"
    )
    func upgrade() async throws {
        try await CheckoutOffice.run { office in
            let customer = try await office.office.customer("mei")
            try await office.buy(for: customer)
            try await office.buy(by: .wechatApp, for: customer)
            office.advance(days: 15.5)
            let checkout = try await office.buy("max.month", for: customer)
            // Half of the first, and all of the second.
            #expect(checkout.credit == .yuan(27) && checkout.amount == .yuan(1))
            #expect(try await office.subscriptions() == ["wechat active max.month 46.50"])
            #expect(
                try await office.orders() == [
                    "wechat-1 initial_purchase superseded 1800 initial_purchase 1800",
                    "wechat-2 renewal superseded 1800 renewal 1800", "wechat-3 upgrade completed 100 upgrade 100",
                ]
            )
            #expect(
                try await office.periods() == [
                    "wechat-1 pro.month 0.00 15.50 1800 1month", "wechat-3 max.month 15.50 46.50 2800 1month",
                ]
            )
            #expect(try await office.plan(customer) == "PREMIUM")
        }
    }

    @Test("of a higher plan at another shop ends the lower periods where they are")
    func upgradeElsewhere() async throws {
        try await CheckoutOffice.run { office in
            let customer = try await office.office.customer("mei")
            try await office.buy(for: customer)
            try await office.buy(by: .wechatApp, for: customer)
            office.advance(days: 15.5)
            let checkout = try await office.buy("max.month", by: .alipayQR, for: customer)
            #expect(checkout.amount == .yuan(1))
            #expect(
                try await office.subscriptions() == ["wechat expired pro.month 59.00", "alipay active max.month 46.50"]
            )
            #expect(
                try await office.periods() == [
                    "wechat-1 pro.month 0.00 15.50 1800 1month", "alipay-1 max.month 15.50 46.50 2800 1month",
                ]
            )
            #expect(
                try await office.orders() == [
                    "wechat-1 initial_purchase superseded 1800 initial_purchase 1800",
                    "wechat-2 renewal superseded 1800 renewal 1800",
                    "alipay-1 initial_purchase completed 100 initial_purchase 100",
                ]
            )
            #expect(try await office.plan(customer) == "PREMIUM")
        }
    }

    @Test("that comes twice, by two methods at once, is honoured twice, one after the other")
    func paidTwice() async throws {
        try await CheckoutOffice.run { office in
            let customer = try await office.office.customer("mei")
            let wechat = try await office.open(for: customer).checkout.number
            let alipay = try await office.open(by: .alipayQR, for: customer).checkout.number
            let app = try await office.open(by: .wechatApp, for: customer).checkout.number
            let now = office.office.clock.read()
            let payments = [
                (Store.wechat, office.wechat.pay(wechat, at: now)), (.alipay, office.alipay.pay(alipay, at: now)),
                (.wechat, office.wechat.pay(app, at: now)),
            ]
            try await withThrowingTaskGroup(of: PaymentSettlement.self) { group in
                for (store, payment) in payments {
                    group.addTask { try await office.backOffice.settle(payment, at: store, of: office.app) }
                }
                for try await result in group { #expect(result == .settled) }
            }
            let lengths = try await office.office.lines(
                """
                SELECT round(extract(epoch FROM starts_at - \(TestOffice.start)) / 86400) || '-'
                    || round(extract(epoch FROM ends_at - \(TestOffice.start)) / 86400)
                FROM access_periods WHERE retired_at IS NULL ORDER BY starts_at
                """
            )
            #expect(lengths == ["0-31", "31-59", "59-90"])
            #expect(try await office.office.count("ledger_entries") == 3)
        }
    }

    @Test("after its order had expired and was closed is honoured, and the order says so")
    func late() async throws {
        try await CheckoutOffice.run { office in
            let customer = try await office.office.customer("mei")
            let number = try await office.open(for: customer).checkout.number
            office.office.clock.advance(by: 1_000)
            try await office.watch()
            #expect(try await office.checkout(number).state == .closed)
            let payment = office.wechat.pay(number, at: office.office.clock.read())
            #expect(try await office.backOffice.settle(payment, at: .wechat, of: office.app) == .settled)
            let paid = try await office.checkout(number)
            #expect(paid.state == .paid && paid.closeReason == .expired)
            #expect(try await office.plan(customer) == "PRO")
        }
    }

    @Test("of another amount, merchant or number grants nothing, and people see it")
    func lies() async throws {
        try await CheckoutOffice.run { office in
            let customer = try await office.office.customer("mei")
            let number = try await office.open(for: customer).checkout.number
            let now = office.office.clock.read()
            var foreign = office.wechat.pay(number, at: now)
            foreign.merchantID = "shop-of-eve"
            var unknown = office.wechat.pay(number, at: now)
            unknown.number = "0000000000"
            for payment in [office.wechat.pay(number, at: now, fen: 1), foreign, unknown] {
                guard case .disputed = try await office.backOffice.settle(payment, at: .wechat, of: office.app) else {
                    Issue.record("\(payment) is settled")
                    continue
                }
            }
            let honest = office.wechat.pay(number, at: now, as: "wechat-9")
            guard case .disputed = try await office.backOffice.settle(honest, at: .alipay, of: office.app) else {
                Issue.record("another shop was paid")
                return
            }
            #expect(try await office.plan(customer) == nil)
            #expect(try await office.office.count("orders") == 0)
            #expect(
                try await office.checkout(number).problem == "The merchant shop-of-eve was paid, which is not ours."
            )
            #expect(try await office.backOffice.settle(honest, at: .wechat, of: office.app) == .settled)
            let twice = office.wechat.pay(number, at: now, as: "wechat-10")
            #expect(try await office.backOffice.settle(twice, at: .wechat, of: office.app) != .settled)
            #expect(try await office.office.count("orders") == 1)
        }
    }

    @Test("of another order's transaction is no payment of this one")
    func transactionOfAnother() async throws {
        try await CheckoutOffice.run { office in
            let (mei, li) = (try await office.office.customer("mei"), try await office.office.customer("li"))
            try await office.buy(for: mei)
            let number = try await office.open(for: li).checkout.number
            let payment = office.wechat.pay(number, at: office.office.clock.read(), as: "wechat-1")
            guard case .disputed = try await office.backOffice.settle(payment, at: .wechat, of: office.app) else {
                Issue.record("one payment paid two orders")
                return
            }
            #expect(try await office.checkout(number).state == .open)
            #expect(try await office.plan(li) == nil)
        }
    }

    @Test("of a customer who was merged is the survivor's, and of one who was deleted is booked")
    func mergedAndDeleted() async throws {
        try await CheckoutOffice.run { office in
            let (device, account) = (
                try await office.office.customer("device"), try await office.office.customer("mei")
            )
            let number = try await office.open(for: device).checkout.number
            try await office.office.database.write { transaction in
                try await transaction.customers.merge(device, into: account, of: office.app)
            }
            let payment = office.wechat.pay(number, at: office.office.clock.read())
            #expect(try await office.backOffice.settle(payment, at: .wechat, of: office.app) == .settled)
            #expect(try await office.plan(account) == "PRO")
            #expect(try await office.backOffice.checkout(number, of: office.app, for: account).checkout.state == .paid)

            let gone = try await office.office.customer("gone")
            let second = try await office.open(for: gone).checkout.number
            try await office.office.database.write { try await $0.customers.erase(gone) }
            let paid = office.wechat.pay(second, at: office.office.clock.read())
            #expect(try await office.backOffice.settle(paid, at: .wechat, of: office.app) == .settled)
            let owners = try await office.office.lines(
                "SELECT c.key FROM orders o JOIN customers c ON c.id = o.customer_id ORDER BY c.key"
            )
            #expect(owners == ["gone", "mei"])
        }
    }

    @Test("of an account that is deleted can come no more: its orders are closed, and who paid is forgotten")
    func deletedAccount() async throws {
        try await CheckoutOffice.run { office in
            let gone = try await office.office.customer("gone")
            try await office.buy(for: gone)
            let open = try await office.open("max.month", for: gone, returnURL: "https://shop.example/a").checkout
                .number
            let personal: Query = """
                SELECT num_nonnulls(payer_hash, payer_mask, bank, return_url, client_address)::text
                FROM checkouts ORDER BY created_at, id
                """
            _ = try await office.office.pool.query("UPDATE checkouts SET bank = 'ICBC_DEBIT' WHERE state = 'paid'")
            #expect(try await office.office.lines(personal).sorted() == ["1", "3"])
            _ = try await office.backOffice.deleteAccount(of: gone, app: office.app, caller: .commandLine)
            #expect(try await office.checkout(open).state == .closing)
            #expect(try await office.checkout(open).closeReason == .accountDeleted)
            #expect(try await office.office.lines(personal) == ["0", "0"])
            // The customer was quicker: it is booked, and who paid is not kept.
            var payment = office.wechat.pay(open, at: office.office.clock.read())
            (payment.payer, payment.bank) = (Secret("o-1"), "ICBC_DEBIT")
            #expect(try await office.backOffice.settle(payment, at: .wechat, of: office.app) == .settled)
            #expect(try await office.office.lines(personal) == ["0", "0"])
            try await office.watch()
            #expect(
                try await office.office.lines("SELECT state FROM checkouts ORDER BY created_at, id").allSatisfy {
                    $0 == "paid"
                }
            )
        }
    }

    @Test("behind a period of another shop gives access when that one's end comes, also where it gives none any more")
    func ahead() async throws {
        try await CheckoutOffice.run { office in
            let customer = try await office.office.customer("mei")
            try await office.buy(by: .alipayQR, for: customer)
            try await office.buy(for: customer)
            let held = try await office.office.entitlementSources(customer).subscriptions
            let first = try #require(held.first { $0.store == .alipay })
            #expect(try await office.office.entitlement(customer)?.source == .subscription(first.id))
            let end = try await office.office.entitlement(customer)?.until
            #expect(end == TestOffice.start.addingTimeInterval(59 * 86_400))
            office.advance(days: 1)
            try await office.suspend(first.id, of: customer)
            office.advance(days: 9)
            #expect(try await office.plan(customer) == nil)
            let sources = try await office.office.entitlementSources(customer)
            #expect(sources.standing(basePlan: nil, at: office.office.database.now).state == .pending)
            for (state, count) in [(Subscription.State.pending, 1), (.active, 1), (.expired, 0)] {
                let list = try await office.office.database.read { reader in
                    try await reader.screens.subscriptions(
                        SubscriptionFilter(state: state),
                        app: office.app,
                        seesPersonalData: false,
                        counts: CappedCounts()
                    )
                }
                #expect(list.rows.count == count, "\(state)")
            }
            let starts = try await office.office.lines(
                "SELECT round(extract(epoch FROM access_starts_at - \(TestOffice.start)) / 86400)::text FROM subscriptions ORDER BY 1"
            )
            #expect(starts == ["0", "31"])
            // Nobody calls: the moment alone opens it.
            office.advance(days: 21)
            #expect(try await office.plan(customer) == "PRO")
            #expect(
                try await office.office.lines(
                    """
                    SELECT concat_ws(' ', cause, round(extract(epoch FROM at - \(TestOffice.start)) / 86400))
                    FROM access_changes WHERE retired_at IS NULL AND at <= \(office.office.clock.read()) ORDER BY at
                    """
                ) == ["bought 0", "suspended 1", "bought 31"]
            )
        }
    }

    @Test("behind what runs in its shop and longer in another gets a subscription of its own: none has a gap")
    func behindAnother() async throws {
        try await CheckoutOffice.run { office in
            let customer = try await office.office.customer("mei")
            try await office.buy(for: customer)
            try await office.buy(by: .alipayQR, for: customer)
            try await office.buy(for: customer)
            #expect(
                try await office.subscriptions().sorted() == [
                    "alipay active pro.month 59.00", "wechat active pro.month 31.00", "wechat active pro.month 90.00",
                ]
            )
            for days in [0, 30.5, 28.2, 30.5] {
                office.advance(days: days)
                #expect(try await office.plan(customer) == "PRO")
            }
            office.advance(days: 1)
            #expect(try await office.plan(customer) == nil)
        }
    }

    @Test("while staff have suspended what the customer holds begins at once, and that pays for nothing")
    func suspended() async throws {
        try await CheckoutOffice.run { office in
            let customer = try await office.office.customer("mei")
            try await office.buy(for: customer)
            let held = try #require(try await office.office.entitlementSources(customer).subscriptions.first)
            try await office.suspend(held.id, of: customer)
            #expect(try await office.plan(customer) == nil)
            let checkout = try await office.buy(by: .alipayQR, for: customer)
            #expect(checkout.startsAt == TestOffice.start && checkout.amount == .yuan(18))
            #expect(try await office.plan(customer) == "PRO")
            let upgrade = try await office.open("max.month", by: .alipayQR, for: customer).checkout
            #expect(upgrade.credit == .yuan(18))
            // In the same shop it is another subscription.
            try await office.buy(for: customer)
            #expect(
                try await office.subscriptions().sorted() == [
                    "alipay active pro.month 31.00", "wechat active pro.month 31.00", "wechat active pro.month 59.00",
                ]
            )
        }
    }

    @Test("with a credit that another order has used buys a shorter period: nothing is had twice")
    func creditUsedTwice() async throws {
        try await CheckoutOffice.run { office in
            let customer = try await office.office.customer("mei")
            try await office.buy(for: customer)
            let first = try await office.open("max.month", for: customer).checkout
            let second = try await office.open("max.month", by: .wechatApp, for: customer).checkout
            #expect(first.amount == .yuan(10) && second.amount == .yuan(10))
            for number in [first.number, second.number] {
                let payment = office.wechat.pay(number, at: office.office.clock.read())
                #expect(try await office.backOffice.settle(payment, at: .wechat, of: office.app) == .settled)
            }
            // 28 days of February for 28 yuan: ten of them are paid.
            #expect(try await office.subscriptions() == ["wechat active max.month 41.00"])
            // Ten days cost ten yuan: no more is had in a month than the price.
            #expect(try await office.periods().last == "wechat-3 max.month 31.00 41.00 1000 10day")
        }
    }

    @Test("of a higher plan, opened before a lower one was bought and paid after it, gets that one's value as time")
    func lowerBoughtMeanwhile() async throws {
        try await CheckoutOffice.run { office in
            let customer = try await office.office.customer("mei")
            let opened = try await office.open("max.month", for: customer).checkout
            try await office.buy(by: .alipayQR, for: customer)
            let payment = office.wechat.pay(opened.number, at: office.office.clock.read())
            #expect(try await office.backOffice.settle(payment, at: .wechat, of: office.app) == .settled)
            // 31 days for 28 yuan; 46 yuan are there.
            #expect(try await office.periods().last == "wechat-1 max.month 0.00 50.93 4600 51day")
            let subscriptions = try await office.subscriptions().sorted()
            #expect(subscriptions == ["alipay expired pro.month 31.00", "wechat active max.month 50.93"])
        }
    }

    @Test("that was made in time and settled after the end goes on where the period before it ended")
    func settledLate() async throws {
        try await CheckoutOffice.run { office in
            let customer = try await office.office.customer("mei")
            try await office.buy(for: customer)
            office.advance(days: 29)
            let number = try await office.open(for: customer).checkout.number
            let payment = office.wechat.pay(number, at: office.office.clock.read())
            office.advance(days: 4)
            _ = try await office.backOffice.sweepExpiries()
            #expect(try await office.subscriptions() == ["wechat expired pro.month 31.00"])
            #expect(try await office.backOffice.settle(payment, at: .wechat, of: office.app) == .settled)
            #expect(
                try await office.periods() == [
                    "wechat-1 pro.month 0.00 31.00 1800 1month", "wechat-2 pro.month 31.00 59.00 1800 1month",
                ]
            )
            #expect(try await office.plan(customer) == "PRO")
        }
    }

    @Test("buys what was on sale when its order was opened, whatever the catalogue says now")
    func changedPeriod() async throws {
        try await CheckoutOffice.run { office in
            let customer = try await office.office.customer("mei")
            let number = try await office.open("max.year", for: customer).checkout.number
            for period in [BillingPeriod(1, .month), nil] {
                var catalog = try CheckoutOffice.catalog()
                for index in catalog.products.indices where catalog.products[index].id == "max.year" {
                    catalog.products[index].period = period
                }
                _ = try await office.backOffice.applyCatalog(catalog)
                #expect(try await office.checkout(number).offer.period == BillingPeriod(1, .year))
            }
            let payment = office.wechat.pay(number, at: office.office.clock.read())
            #expect(try await office.backOffice.settle(payment, at: .wechat, of: office.app) == .settled)
            #expect(try await office.periods() == ["wechat-1 max.year 0.00 365.00 19800 1year"])
        }
    }
}
