import Billing
import Foundation
import Gateways
import Jobs
import Operations
import Postgres
import Storage
import StoreSimulator
import Testing

@Suite("An introductory period without price and kind of discount") struct UnknownIntroductionTests {
    @Test("it is introductory and not paid for, and its end is the customer's, as the subtype says")
    func story() async throws {
        var bought = AppleWords.sold("t1", from: 0, to: 3, "pro.monthly", ["offerType": 1])
        bought["price"] = nil
        bought["currency"] = nil
        let ended = AppleWords.renews(false)
        try await Field.run { field in
            try await field.tell(
                AppleWords.message("SUBSCRIBED", "INITIAL_BUY", on: 0, bought, AppleWords.renews()),
                AppleWords.message("EXPIRED", "VOLUNTARY", on: 3, bought, ended, status: 2)
            )
            #expect(try await field.subscription() == ["expired com.readmigo.pro.monthly cancelled"])
            #expect(
                try await field.office.lines(
                    "SELECT concat_ws(' ', status, offer_kind, is_trial::text, coalesce(amount::text, 'not known')) FROM orders"
                ) == ["pending introductory false not known"]
            )
            #expect(try await field.metrics("mrr", "subscriber", "trial", "trial_converted", "started") == [])
        }
    }
}

@Suite("A plan change that arrives as a mere renewal") struct UntoldPlanChangeTests {
    @Test("after a trial the plan is the other one from that moment, the trial converted once, and its revenue is new")
    func afterTrial() async throws {
        let trial = AppleWords.sold(
            "t1",
            from: 88,
            to: 95,
            "pro.yearly",
            for: 0,
            ["offerType": 1, "offerDiscountType": "FREE_TRIAL"]
        )
        try await Field.run { field in
            try await field.tell(
                AppleWords.message("SUBSCRIBED", "INITIAL_BUY", on: 88, trial, AppleWords.renews(to: "pro.yearly")),
                AppleWords.message(
                    "DID_RENEW",
                    on: 95,
                    AppleWords.sold("t2", from: 95, to: 125),
                    AppleWords.renews(to: "pro.monthly")
                )
            )
            #expect(try await field.subscription() == ["active com.readmigo.pro.monthly"])
            let metrics = try await field.metrics("mrr", "trial", "trial_converted", "subscriber")
            // New, and then over; nothing of it is a contraction.
            #expect(
                metrics == [
                    "mrr 0 1800 0", "mrr 4 -1800 0", "subscriber 0 0 1", "subscriber 4 0 -1", "trial 0 0 1",
                    "trial_converted 0 0 1",
                ]
            )
        }
    }

    @Test("before the month is over, what is left of it is credited when the store says that it was an upgrade")
    func beforeTheEnd() async throws {
        let year = AppleWords.sold("t2", from: 15, to: 380, "pro.yearly", for: 180_000)
        try await Field.run { field in
            try await field.tell(
                AppleWords.bought,
                AppleWords.message("DID_RENEW", on: 15, year, AppleWords.renews(to: "pro.yearly"))
            )
            #expect(try await field.subscription() == ["active com.readmigo.pro.yearly"])
            #expect(
                try await field.office.lines("SELECT status FROM orders ORDER BY purchased_at") == [
                    "completed", "completed",
                ]
            )
            var left = AppleWords.month
            left["isUpgraded"] = true
            try await field.tell(
                AppleWords.message("CONSUMPTION_REQUEST", on: 16, left, AppleWords.renews(to: "pro.yearly"))
            )
            #expect(
                try await field.office.lines(
                    "SELECT concat_ws(' ', status, credited) FROM orders ORDER BY purchased_at"
                ) == ["superseded 900", "completed 0"]
            )
        }
    }

    @Test("one that nobody told is found by the daily look at what runs, with the credit of what was left")
    func untold() async throws {
        let (first, second) = ("300000000000101", "300000000000102")
        let named: [String: JSON] = ["originalTransactionId": .string(first)]
        var left = AppleWords.sold(first, from: 80, to: 110, "pro.monthly", for: 18_000, named)
        let bought = AppleWords.message(
            "SUBSCRIBED",
            "INITIAL_BUY",
            on: 80,
            left,
            AppleWords.renews(true, to: "pro.monthly", named)
        )
        left["isUpgraded"] = true
        let year = AppleWords.sold(second, from: 95, to: 460, "pro.yearly", for: 180_000, named)
        let signer = AppleSigner(authority: try TestOffice.authority.get())
        try await ConnectedOffice.run { office in
            try await office.receive([try signer.sign(bought)])
            office.store.record(
                [
                    bought,
                    AppleWords.message(
                        "DID_CHANGE_RENEWAL_STATUS",
                        "AUTO_RENEW_ENABLED",
                        on: 95.5,
                        left,
                        AppleWords.renews(true, to: "pro.yearly", named)
                    ),
                    AppleWords.message("DID_RENEW", on: 96, year, AppleWords.renews(true, to: "pro.yearly", named)),
                ],
                as: .lost
            )
            let done = try #require(try await office.reconcile(days: 1))
            #expect(done.problem == nil)
            let orders = try await office.office.lines(
                "SELECT concat_ws(' ', transaction_id, status) FROM orders ORDER BY purchased_at"
            )
            #expect(orders == ["\(first) superseded", "\(second) completed"])
            #expect(
                try await office.office.lines("SELECT concat_ws(' ', state, transaction_id) FROM subscriptions")
                    == ["active \(second)"]
            )
        }
    }
}

@Suite("A second customer without a purchase") struct SecondCustomerTests {
    private static let token = "9c2f1b7e-5a40-4a4e-8d0c-6f1f3c1f0a11"

    private static func sold(_ id: String, _ start: Double, _ end: Double, isNamed: Bool) -> JSON {
        AppleWords.sold(
            id,
            from: start,
            to: end,
            "pro.monthly",
            for: 18_000,
            isNamed ? ["appAccountToken": .string(token)] : [:]
        )
    }

    private static let customers: Query = """
        SELECT concat_ws(' ', c.key, (c.merged_into IS NOT NULL)::text, count(s.id), count(o.id))
        FROM customers c
        LEFT JOIN subscriptions s ON s.customer_id = c.id
        LEFT JOIN orders o ON o.customer_id = c.id
        GROUP BY c.id
        ORDER BY c.key
        """

    @Test("a message without a token of a subscription that has an owner makes none")
    func ownerThenNobody() async throws {
        try await Field.run { field in
            try await field.tell(
                AppleWords.message(
                    "SUBSCRIBED",
                    "INITIAL_BUY",
                    on: 0,
                    Self.sold("t1", 0, 30, isNamed: true),
                    AppleWords.renews()
                ),
                AppleWords.message("DID_RENEW", on: 30, Self.sold("t2", 30, 60, isNamed: false), AppleWords.renews())
            )
            #expect(try await field.office.lines(Self.customers) == ["\(Self.token) false 2 2"])
        }
    }

    @Test("of a first message without a token, and a next with one, one customer is left")
    func nobodyThenOwner() async throws {
        try await Field.run { field in
            try await field.tell(
                AppleWords.message(
                    "SUBSCRIBED",
                    "INITIAL_BUY",
                    on: 0,
                    Self.sold("t1", 0, 30, isNamed: false),
                    AppleWords.renews()
                ),
                AppleWords.message("DID_RENEW", on: 30, Self.sold("t2", 30, 60, isNamed: true), AppleWords.renews())
            )
            #expect(try await field.office.lines(Self.customers) == ["\(Self.token) false 2 2", "apple:t1 true 0 0"])
            #expect(try await field.office.backOffice.verifyRollups().map(\.differences) == [0])
        }
    }

    @Test("those that are there already are joined, and those that hold something are not")
    func migration() async throws {
        let migration = try #require(Schema.migrator.migrations.first { $0.name.hasPrefix("0093") })
        try await Field.run { field in
            try await field.tell(
                AppleWords.message(
                    "SUBSCRIBED",
                    "INITIAL_BUY",
                    on: 0,
                    Self.sold("t1", 0, 30, isNamed: true),
                    AppleWords.renews()
                )
            )
            _ = try await field.office.pool.query(
                """
                INSERT INTO customers (id, app_id, key, created_at, recorded_at)
                SELECT gen_random_uuid(), c.app_id, k.key, now(), now()
                FROM customers c, unnest(ARRAY['apple:t1', 'apple:t9']) AS k (key)
                """
            )
            for statement in migration.sql.components(separatedBy: ";\n") where statement.contains("UPDATE") {
                _ = try await field.office.pool.query(Query(unsafe: statement))
            }
            #expect(
                try await field.office.lines("SELECT key FROM customers WHERE merged_into IS NULL ORDER BY key")
                    == [Self.token, "apple:t9"]
            )
        }
    }
}
