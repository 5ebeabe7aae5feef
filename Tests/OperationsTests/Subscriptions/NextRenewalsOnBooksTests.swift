import Billing
import Foundation
import Gateways
import Jobs
import Operations
import Postgres
import Storage
import StoreSimulator
import Testing

@Suite("What the store says of what comes next is kept with the subscription") struct NextRenewalsOnBooksTests {
    private static let known: Query = """
        SELECT concat_ws(' ', renewal_price, renewal_offer_kind, renewal_offer_id, renewal_offer_discount, renewal_offer_period,
            price_consent, nullif(array_to_string(win_back_offer_ids, ','), ''), commitment_period, commitment_price)
        FROM subscriptions
        """

    private static let offered = AppleWords.renews(
        true,
        to: "pro.monthly",
        [
            "offerType": 2, "offerIdentifier": "spring", "offerDiscountType": "PAY_AS_YOU_GO", "offerPeriod": "P3M",
            "renewalPrice": 6_000, "renewalDate": AppleWords.date(30), "eligibleWinBackOfferIds": ["back"],
        ]
    )

    private static func run(_ messages: [SimulatedMessage], _ body: (TestOffice) async throws -> Void) async throws {
        let signer = AppleSigner(authority: try TestOffice.authority.get())
        try await TestOffice.run { office in
            for message in messages {
                _ = try await office.backOffice.receiveNotification(try signer.sign(message), from: .apple)
                _ = try await office.worker.drain()
            }
            #expect(try await office.lines("SELECT DISTINCT state FROM store_notifications") == ["processed"])
            try await body(office)
        }
    }

    @Test("the newest renewal info holds, whichever came first, also one in a message about metadata or a price")
    func newest() async throws {
        let bought = AppleWords.message("SUBSCRIBED", "INITIAL_BUY", on: 0, AppleWords.month, Self.offered)
        let asked = AppleWords.message(
            "PRICE_INCREASE",
            "PENDING",
            on: 5,
            AppleWords.month,
            AppleWords.renews(true, to: "pro.monthly", ["priceIncreaseStatus": 0, "renewalPrice": 25_000])
        )
        try await Self.run([bought]) { office in
            let known = try await office.lines(Self.known)
            #expect(known == ["600 promotional spring pay_as_you_go P3M back"])
        }
        for messages in [[bought, asked], [asked, bought]] {
            try await Self.run(messages) { office in
                let known = try await office.lines(Self.known)
                #expect(known == ["2500 pending"])
            }
        }
        for type in ["METADATA_UPDATE", "PRICE_CHANGE", "MIGRATION"] {
            let later = AppleWords.message(type, on: 9, AppleWords.month, Self.offered)
            try await Self.run([bought, asked, later]) { office in
                let known = try await office.lines(Self.known)
                #expect(known == ["600 promotional spring pay_as_you_go P3M back"], "\(type)")
            }
        }
    }

    @Test("a commitment's month and the price of the whole stand on the subscription; each order has the month's price")
    func commitment() async throws {
        let month = AppleWords.sold(
            "t1",
            from: 0,
            to: 30,
            "pro.yearly",
            for: 9_990,
            [
                "billingPlanType": "MONTHLY",
                "commitmentInfo": [
                    "billingPeriodNumber": 1, "totalBillingPeriods": 12, "commitmentPrice": 119_880,
                    "commitmentExpiresDate": AppleWords.date(365),
                ],
            ]
        )
        try await Self.run([AppleWords.message("SUBSCRIBED", "INITIAL_BUY", on: 0, month, AppleWords.renews())]) {
            office in
            let known = try await office.lines(Self.known)
            #expect(known == ["1800 1 11988"])
            let amounts = try await office.lines("SELECT amount::text FROM orders")
            #expect(amounts == ["999"])
        }
    }

    @Test("a price that a message before the charge has told is there with the charge, in whatever order they come")
    func toldBefore() async throws {
        var unpriced = AppleWords.sold("t2", from: 30, to: 60)
        (unpriced["price"], unpriced["currency"]) = (nil, nil)
        let teller = AppleWords.message(
            "METADATA_UPDATE",
            on: 29,
            AppleWords.sold("t2", from: 30, to: 60),
            AppleWords.renews()
        )
        let renewed = AppleWords.message("DID_RENEW", on: 30, unpriced, AppleWords.renews())
        for messages in [[teller, renewed], [renewed, teller]] {
            try await Self.run([AppleWords.bought] + messages) { office in
                let orders = try await office.lines(
                    """
                    SELECT concat_ws(' ', o.transaction_id, o.status, o.amount, e.amount)
                    FROM orders o JOIN ledger_entries e ON e.order_id = o.id
                    ORDER BY o.purchased_at
                    """
                )
                #expect(orders == ["t1 completed 1800 1800", "t2 completed 1800 1800"])
                let differences = try await office.backOffice.verifyRollups().map(\.differences)
                #expect(differences == [0])
            }
        }
    }

    @Test("a plan change that came as a renewal is looked at again, and its credit found, though no message told of it")
    func upgradeFoundLater() async throws {
        let (first, second) = ("300000000000101", "300000000000102")
        let named: [String: JSON] = ["originalTransactionId": .string(first)]
        var left = AppleWords.sold(first, from: 80, to: 110, "pro.monthly", for: 18_000, named)
        let year = AppleWords.sold(second, from: 98, to: 463, "pro.yearly", for: 180_000, named)
        let told = [
            AppleWords.message(
                "SUBSCRIBED",
                "INITIAL_BUY",
                on: 80,
                left,
                AppleWords.renews(true, to: "pro.monthly", named)
            ),
            AppleWords.message("DID_RENEW", on: 98, year, AppleWords.renews(true, to: "pro.yearly", named)),
        ]
        left["isUpgraded"] = true
        let signer = AppleSigner(authority: try TestOffice.authority.get())
        try await ConnectedOffice.run { office in
            try await office.receive(try told.map { try signer.sign($0) })
            let silent = AppleWords.message(
                "DID_CHANGE_RENEWAL_STATUS",
                "AUTO_RENEW_ENABLED",
                on: 98.5,
                left,
                AppleWords.renews(true, to: "pro.yearly", named)
            )
            office.store.record(told + [silent], as: .lost)
            _ = try await office.office.pool.query(
                "UPDATE subscriptions SET last_signed_at = last_signed_at - interval '2 days'"
            )
            let done = try #require(try await office.reconcile(days: 1))
            #expect(done.problem == nil)
            let orders = try await office.office.lines(
                "SELECT concat_ws(' ', transaction_id, status) FROM orders ORDER BY purchased_at"
            )
            #expect(orders == ["\(first) superseded", "\(second) completed"])
        }
    }
}
