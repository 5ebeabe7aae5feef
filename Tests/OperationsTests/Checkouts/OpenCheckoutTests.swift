import Billing
import Foundation
import Gateways
import Operations
import Postgres
import Storage
import Testing

@Suite("A customer wants to pay at a shop of ours") struct OpenCheckoutTests {
    @Test("an order is kept, opened at the shop under its number, and answered with what a client needs")
    func opened() async throws {
        try await CheckoutOffice.run { office in
            let customer = try await office.office.customer("mei")
            let opened = try await office.open(for: customer)
            let (number, known) = (opened.checkout.number, office.wechat.order(opened.checkout.number))
            #expect(opened.checkout.state == .open)
            #expect(opened.invocation == .qr("weixin://wxpay/bizpayurl?pr=\(number)"))
            #expect(number.wholeMatch(of: /[0-9A-Z]{26}/) != nil)
            #expect(known?.order.amount == .yuan(18) && known?.order.description == "pro.month")
            #expect(known?.order.expiresAt == TestOffice.start.addingTimeInterval(900))
            #expect(opened.checkout.endsAt == Date(timeIntervalSince1970: 1_769_904_000))
            #expect(try await office.plan(customer) == nil)
        }
    }

    @Test("an order can be paid for as long as the app's catalogue says, and one that is open keeps its time")
    func lifetime() async throws {
        try await CheckoutOffice.run { office in
            let (mei, li) = (try await office.office.customer("mei"), try await office.office.customer("li"))
            let before = try await office.open(for: mei).checkout
            var catalog = try CheckoutOffice.catalog()
            catalog.checkoutMinutes = 5
            #expect(try await office.backOffice.applyCatalog(catalog).changes == ["changed app readmigo"])
            #expect(try await office.backOffice.applyCatalog(catalog).changes.isEmpty)
            #expect(try await office.open(for: mei).checkout.expiresAt == before.createdAt.addingTimeInterval(900))
            let short = try await office.open(for: li).checkout
            #expect(short.expiresAt == short.createdAt.addingTimeInterval(300))
            office.office.clock.advance(by: 301)
            try await office.watch()
            #expect(try await office.checkout(short.number).closeReason == .expired)
            #expect(try await office.checkout(before.number).state == .open)
        }
    }

    @Test("a second request gets the same order, and so do two at once; another method or product gets another")
    func same() async throws {
        try await CheckoutOffice.run { office in
            let customer = try await office.office.customer("mei")
            async let first = office.open(for: customer)
            async let second = office.open(for: customer)
            let numbers = [try await first.checkout.number, try await second.checkout.number]
            office.office.clock.advance(by: 600)
            let third = try await office.open(for: customer)
            #expect(Set(numbers + [third.checkout.number]).count == 1)
            #expect(third.invocation != nil)
            let other = try await office.open(by: .alipayQR, for: customer)
            let year = try await office.open("max.year", for: customer)
            #expect(Set([third, other, year].map(\.checkout.number)).count == 3)
            #expect(try await office.office.count("checkouts") == 3)
        }
    }

    @Test(
        "a shop that does not answer has said nothing: the same number is asked again",
        arguments: [
            ScriptedShop.Trouble.away, .silent,
        ]
    )
    func unanswered(trouble: ScriptedShop.Trouble) async throws {
        try await CheckoutOffice.run { office in
            let customer = try await office.office.customer("mei")
            office.wechat.fail(trouble)
            let error = await #expect(throws: OperationsError.self) { try await office.open(for: customer, key: "k1") }
            #expect(error?.code == .overloaded)
            let kept = try await office.office.lines("SELECT concat_ws(' ', state, last_failure) FROM checkouts")
            #expect(kept == ["opening The shop did not answer."])
            let opened = try await office.open(for: customer, key: "k1")
            #expect(opened.checkout.state == .open && opened.checkout.lastFailure == nil)
            #expect(office.wechat.orders.keys.sorted() == [opened.checkout.number])
        }
    }

    @Test("asked again from another address, and by a server that has another one, it is the same order to the shop")
    func asItWasSent() async throws {
        try await CheckoutOffice.run { office in
            let customer = try await office.office.customer("mei")
            office.wechat.fail(.silent)
            await #expect(throws: OperationsError.self) {
                try await office.open(by: .wechatH5, for: customer, key: "k1", clientAddress: "203.0.113.7")
            }
            let addresses: Query = "SELECT concat_ws(' ', state, client_address, notification_url) FROM checkouts"
            let notified = "https://pay.example.com/webhooks/shop/readmigo"
            #expect(try await office.office.lines(addresses) == ["opening 203.0.113.7 \(notified)"])
            let opened = try await office.open(
                by: .wechatH5,
                for: customer,
                key: "k1",
                clientAddress: "198.51.100.9",
                notificationURL: "https://new.example.com/webhooks/shop/readmigo"
            )
            let known = office.wechat.order(opened.checkout.number)
            #expect(opened.checkout.state == .open && known?.asked == 2)
            #expect(known?.order.clientAddress == "203.0.113.7" && known?.order.notificationURL == notified)
            // The shop's address ends before the order does, and is asked for again.
            #expect(try await office.office.lines(addresses) == ["open 203.0.113.7 \(notified)"])
            // Without the key it is another order: the shop compares the address of whoever pays.
            let other = try await office.open(by: .wechatH5, for: customer, clientAddress: "198.51.100.9")
            #expect(other.checkout.number != opened.checkout.number && other.checkout.state == .open)
        }
    }

    @Test("an address that ends after five minutes is asked for anew, under the same number and with the same content")
    func endingLink() async throws {
        try await CheckoutOffice.run { office in
            let customer = try await office.office.customer("mei")
            func open() async throws -> OpenedCheckout {
                try await office.open(by: .wechatH5, for: customer, clientAddress: "203.0.113.7")
            }
            let number = try await open().checkout.number
            func asked() -> Int? { office.wechat.order(number)?.asked }
            office.office.clock.advance(by: 200)
            #expect(try await open().checkout.number == number)
            #expect(asked() == 1)
            // With less than a minute left, whoever asks, and whoever looks.
            office.office.clock.advance(by: 50)
            let again = try await open()
            #expect(again.checkout.number == number && again.invocation != nil && asked() == 2)
            #expect(again.checkout.linkEndsAt == office.office.clock.read().addingTimeInterval(300))
            office.office.clock.advance(by: 290)
            func look() async throws -> OpenedCheckout {
                try await office.backOffice.payable(try await office.backOffice.checkout(number, of: office.app))
            }
            #expect(try await look().invocation != nil)
            #expect(asked() == 3)
            // A shop that is away gives none: the last one is shown until its end.
            office.office.clock.advance(by: 250)
            office.wechat.fail(.away, .away)
            #expect(try await look().invocation != nil)
            office.office.clock.advance(by: 60)
            #expect(try await look().invocation == nil)
            #expect(try await look().invocation != nil)
            #expect(asked() == 4)
            // The address of a person is kept no longer than it may be asked with.
            office.office.clock.advance(by: 100)
            try await office.watch()
            #expect(
                try await office.office.lines(
                    "SELECT concat_ws(' ', state, close_reason, client_address) FROM checkouts"
                ) == ["closed expired"]
            )
            #expect(try await look().checkout.state == .closed)
        }
    }

    @Test("a shop that refuses another address closes the order, and a new one is opened")
    func refusedLink() async throws {
        try await CheckoutOffice.run { office in
            let customer = try await office.office.customer("mei")
            func open() async throws -> OpenedCheckout {
                try await office.open(by: .wechatH5, for: customer, clientAddress: "203.0.113.7")
            }
            let number = try await open().checkout.number
            office.office.clock.advance(by: 400)
            office.wechat.fail(.refuses)
            let error = await #expect(throws: OperationsError.self) { try await open() }
            #expect(error?.reason == .purchaseFailed)
            #expect(try await office.checkout(number).closeReason == .refused)
            #expect(try await open().checkout.number != number)
        }
    }

    @Test("what our server signs is signed whenever it is shown; a code or what the store keeps is not asked for again")
    func signedAnew() async throws {
        try await CheckoutOffice.run { office in
            let customer = try await office.office.customer("mei")
            for (method, times) in [
                (CheckoutMethod.alipayPage, 3), (.alipayWap, 3), (.alipayApp, 3), (.alipayQR, 1),
            ] {
                let number = try await office.open(by: method, for: customer).checkout.number
                office.office.clock.advance(by: 60)
                #expect(try await office.open(by: method, for: customer).checkout.number == number)
                let known = try await office.backOffice.checkout(number, of: office.app)
                #expect(try await office.backOffice.payable(known).invocation != nil)
                #expect(office.alipay.order(number)?.asked == times, "\(method)")
                // A form that cannot be signed now is not shown as it was signed before.
                office.alipay.fail(.away)
                let shown = try await office.backOffice.payable(known).invocation
                #expect((shown == nil) == (times == 3), "\(method)")
            }
        }
    }

    @Test(
        "no order begins whose messages no shop could send",
        arguments: ["", "shop.example.com/a", "https://a.example/b?c=d"]
    )
    func unreachable(address: String) async throws {
        try await CheckoutOffice.run { office in
            let customer = try await office.office.customer("mei")
            let error = await #expect(throws: OperationsError.self) {
                try await office.open(for: customer, notificationURL: address)
            }
            #expect(error?.code == .misconfigured)
            #expect(try await office.office.count("checkouts") == 0)
        }
    }

    @Test("a key gets its order, also when that is paid; another request under it is refused")
    func key() async throws {
        try await CheckoutOffice.run { office in
            let customer = try await office.office.customer("mei")
            let opened = try await office.open(for: customer, key: "k1")
            let payment = office.wechat.pay(opened.checkout.number, at: office.office.clock.read())
            _ = try await office.backOffice.settle(payment, at: .wechat, of: office.app)
            let again = try await office.open(for: customer, key: "k1")
            #expect(again.checkout.number == opened.checkout.number && again.checkout.state == .paid)
            let error = await #expect(throws: OperationsError.self) {
                try await office.open("max.month", for: customer, key: "k1")
            }
            #expect(error?.reason == .idempotencyKeyReused)
        }
    }

    @Test("a changed price opens another order, and the first is closed at the shop")
    func changedPrice() async throws {
        try await CheckoutOffice.run { office in
            let customer = try await office.office.customer("mei")
            let first = try await office.open(for: customer)
            _ = try await office.backOffice.applyCatalog(try CheckoutOffice.catalog(pro: 20))
            let second = try await office.open(for: customer)
            #expect(second.checkout.amount == .yuan(20))
            #expect(try await office.checkout(first.checkout.number).state == .closing)
            try await office.watch()
            #expect(office.wechat.closed == [first.checkout.number])
            let closed = try await office.checkout(first.checkout.number)
            #expect(closed.state == .closed && closed.closeReason == .replaced)
            #expect(try await office.checkout(second.checkout.number).state == .open)
        }
    }

    @Test("whoever has paid meanwhile gets an order that begins after that, and the one for now is closed")
    func changedStart() async throws {
        try await CheckoutOffice.run { office in
            let customer = try await office.office.customer("mei")
            let first = try await office.open(by: .alipayQR, for: customer)
            try await office.buy(for: customer)
            let second = try await office.open(by: .alipayQR, for: customer)
            #expect(second.checkout.number != first.checkout.number)
            #expect(second.checkout.startsAt == first.checkout.endsAt)
        }
    }

    @Test("a lower plan is refused until the higher one ends, with the day, and no shop is asked")
    func refused() async throws {
        try await CheckoutOffice.run { office in
            let customer = try await office.office.customer("mei")
            try await office.buy("max.month", for: customer)
            let error = await #expect(throws: OperationsError.self) {
                try await office.open(by: .alipayQR, for: customer)
            }
            #expect(error?.code == .conflict && error?.reason == .higherPlanRuns)
            let day = Date(timeIntervalSince1970: 1_769_904_000)
            #expect(
                error?.underlying as? PurchaseRefused == .higherPlanRuns(Plan(code: "PREMIUM", rank: 2), until: day)
            )
            #expect(office.alipay.orders.isEmpty)
            #expect(try await office.office.count("checkouts") == 1)
        }
    }

    @Test("an order of a customer who signs in is found again: the device was merged into the account")
    func merged() async throws {
        try await CheckoutOffice.run { office in
            let (device, account) = (
                try await office.office.customer("device"), try await office.office.customer("mei")
            )
            let number = try await office.open(for: device).checkout.number
            let other = try await office.open("max.month", for: account).checkout.number
            try await office.office.database.write { transaction in
                try await transaction.customers.merge(device, into: account, of: office.app)
            }
            #expect(try await office.open(for: account).checkout.number == number)
            #expect(try await office.open("max.month", for: account).checkout.number == other)
            for count in 2..<BackOffice.mostLiveCheckouts {
                _ = try await office.open(for: account, returnURL: "https://shop.example/\(count)")
            }
            let error = await #expect(throws: OperationsError.self) {
                try await office.open(for: account, returnURL: "https://shop.example/")
            }
            #expect(error?.reason == .tooManyCheckouts)
        }
    }

    @Test("a name that a store would not take whole is cut where the database counts, and sold")
    func longName() async throws {
        try await CheckoutOffice.run { office in
            let customer = try await office.office.customer("mei")
            var catalog = try CheckoutOffice.catalog()
            for index in catalog.products.indices where catalog.products[index].id == "pro.month" {
                // Seven code points that are one character to people.
                let family = "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}\u{200D}\u{1F466}"
                catalog.products[index].name = String(repeating: family, count: 20)
            }
            _ = try await office.backOffice.applyCatalog(catalog)
            let opened = try await office.open(for: customer).checkout
            #expect(opened.description.unicodeScalars.count == 127 && opened.state == .open)
        }
    }

    @Test("a product whose order was opened stays in the catalogue, and the refusal says why")
    func droppedProduct() async throws {
        try await CheckoutOffice.run { office in
            _ = try await office.open("max.year", for: try await office.office.customer("mei"))
            var catalog = try CheckoutOffice.catalog()
            catalog.products.removeAll { $0.id == "max.year" }
            let error = await #expect(throws: OperationsError.self) {
                try await office.backOffice.applyCatalog(catalog)
            }
            #expect(error?.code == .conflict && error?.field == "products")
            #expect(error?.message.contains("an order of max.year was opened already") == true)
        }
    }

    @Test("an order that the shop refuses is closed, with the shop's words")
    func refusedByShop() async throws {
        try await CheckoutOffice.run { office in
            let customer = try await office.office.customer("mei")
            office.wechat.fail(.refuses)
            let error = await #expect(throws: OperationsError.self) { try await office.open(for: customer) }
            #expect(error?.reason == .purchaseFailed && error?.message == "RULE_LIMIT")
            #expect(try await office.open(for: customer).checkout.state == .open)
            let states = try await office.office.lines(
                "SELECT concat_ws(' ', state, close_reason, last_failure) FROM checkouts ORDER BY created_at, id"
            )
            #expect(states.sorted() == ["closing refused RULE_LIMIT", "open"])
        }
    }

    @Test("of ten thousand orders of one customer some twenty are opened, and the others are refused in words")
    func tooMany() async throws {
        try await CheckoutOffice.run { office in
            let customer = try await office.office.customer("mei")
            for number in 0..<BackOffice.mostLiveCheckouts {
                _ = try await office.open(for: customer, returnURL: "https://shop.example/\(number)")
            }
            let error = await #expect(throws: OperationsError.self) {
                try await office.open(for: customer, returnURL: "https://shop.example/")
            }
            #expect(error?.code == .blocked && error?.reason == .tooManyCheckouts && error?.retryAfter == 900)
            // The one that can be paid stays as it was.
            let last = "https://shop.example/\(BackOffice.mostLiveCheckouts - 1)"
            #expect(try await office.open(for: customer, returnURL: last).checkout.state == .open)
            let other = try await office.office.customer("li")
            #expect(try await office.open(for: other).checkout.state == .open)
        }
    }

    @Test("nobody sees another's order, and nothing is sold that has no price or that nobody knows")
    func foreign() async throws {
        try await CheckoutOffice.run { office in
            let (mei, li) = (try await office.office.customer("mei"), try await office.office.customer("li"))
            let number = try await office.open(for: mei).checkout.number
            #expect(try await office.backOffice.checkout(number, of: office.app, for: mei).checkout.state == .open)
            await #expect(throws: OperationsError.self) {
                try await office.backOffice.checkout(number, of: office.app, for: li)
            }
            for product in ["", "none", "com.readmigo.pro.monthly"] {
                await #expect(throws: OperationsError.self) { try await office.open(product, for: mei) }
            }
            let error = await #expect(throws: OperationsError.self) {
                try await office.open(by: .wechatJSAPI, for: mei)
            }
            #expect(error?.field == "openid")
        }
    }
}
