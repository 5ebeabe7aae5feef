import Billing
import Foundation
import Gateways
import Jobs
import Operations
import Postgres
import Storage
import StoreSimulator
import Testing

@Suite("Google Play's notifications, from the push to books and access") struct GoogleNotificationTests {
    @Test("a purchase, its renewal and its end are kept, applied and booked; told twice they are one")
    func life() async throws {
        try await GoogleOffice.run { office in
            let token = office.google.buy(GoogleOffice.monthly)
            let order = try #require(office.google.purchase(token)?.orders.first)
            try await office.hear()
            try await office.hear()
            #expect(try await office.subscriptions() == ["\(order) active pro:monthly"])
            office.days(30)
            office.google.renew(token)
            try await office.hear()
            #expect(try await office.books() == ["\(order) completed 999", "\(order)..0 completed 999"])
            office.google.cancel(token)
            office.days(30)
            office.google.expire(token)
            try await office.hear()
            #expect(try await office.subscriptions() == ["\(order) expired pro:monthly"])
            #expect(try await office.count("store_notifications") == 4)
            #expect(
                try await office.lines("SELECT DISTINCT state FROM store_notifications") == ["processed"]
            )
            #expect(try await office.backOffice.verifyRollups().allSatisfy { $0.differences == 0 })
        }
    }

    @Test("what was bought together is applied together, and told again it changes nothing") func together()
        async throws
    {
        try await GoogleOffice.run { office in
            let token = office.google.buy(GoogleOffice.monthly, addOns: [GoogleOffice.extra])
            let order = try #require(office.google.purchase(token)?.orders.first)
            try await office.hear()
            let expected = ["\(order) active pro:monthly", "\(order):extra active extra:monthly"]
            #expect(try await office.subscriptions() == expected)
            let books = ["\(order) completed 999", "\(order):extra completed 199"]
            #expect(try await office.books() == books)
            #expect(
                try await office.lines(
                    """
                    SELECT concat_ws(' ', state, jsonb_array_length(other_events),
                        (SELECT count(*) FROM subscription_events e WHERE e.notification_id = n.id))
                    FROM store_notifications n
                    """
                ) == ["processed 1 2"]
            )
            // Replayed, as people do it.
            _ = try await office.office.pool.query(
                "UPDATE store_notifications SET state = 'received', finalized_at = NULL, scheduled_at = now()"
            )
            try await office.hear()
            #expect(try await office.subscriptions() == expected)
            #expect(try await office.books() == books)
            #expect(try await office.count("subscription_events") == 2)
        }
    }

    @Test("where one of them cannot be applied none is, until the catalogue has its product") func allOrNothing()
        async throws
    {
        try await GoogleOffice.run(unsold: ["extra:monthly"]) { office in
            office.google.buy(GoogleOffice.monthly, addOns: [GoogleOffice.extra])
            try await office.hear()
            #expect(try await office.count("orders") == 0)
            #expect(try await office.count("subscriptions") == 0)
            let failed = try await office.lines("SELECT state || ' ' || last_error FROM store_notifications")
            #expect(failed == ["failed The product extra:monthly is not in the app's catalogue."])
            _ = try await office.backOffice.applyCatalog(try office.catalog())
            try await office.work()
            #expect(try await office.count("orders") == 2)
            #expect(try await office.lines("SELECT state FROM store_notifications") == ["processed"])
        }
    }

    @Test("a history that is played has what was bought together, too") func played() async throws {
        try await GoogleOffice.run(unsold: ["extra:monthly"]) { office in
            office.google.buy(GoogleOffice.monthly, addOns: [GoogleOffice.extra])
            try await office.hear()
            #expect(try await office.count("orders") == 0)
            _ = try await office.backOffice.applyCatalog(try office.catalog())
            try await NotificationWorker(backOffice: office.backOffice).drainHistory()
            #expect(try await office.count("orders") == 2)
            #expect(try await office.count("subscriptions") == 2)
            #expect(try await office.lines("SELECT state FROM store_notifications") == ["processed"])
        }
    }

    @Test("a test notification is kept and shown as ignored") func test() async throws {
        try await GoogleOffice.run { office in
            office.google.sendTest()
            try await office.hear()
            let kept = try await office.lines("SELECT type || ' ' || state FROM store_notifications")
            #expect(kept == ["TEST ignored"])
        }
    }

    @Test("a tester's purchase is the sandbox's from when Google was asked") func tester() async throws {
        try await GoogleOffice.run { office in
            office.google.buy(GoogleOffice.monthly, isTest: true)
            try await office.hear()
            #expect(try await office.lines("SELECT environment FROM store_notifications") == ["sandbox"])
            #expect(try await office.lines("SELECT environment FROM subscriptions") == ["sandbox"])
        }
    }

    @Test(
        "a push that Google did not sign for us is refused and not kept",
        arguments: [
            ["aud": "https://elsewhere.test"], ["email": "somebody@example.com"], ["iss": "https://evil.test"],
            ["exp": 1], ["email_verified": false],
        ] as [[String: JSON]]
    )
    func forged(claims: [String: JSON]) async throws {
        try await GoogleOffice.run { office in
            office.google.buy(GoogleOffice.monthly)
            let push = try #require(office.google.pushes.first)
            let error = await #expect(throws: OperationsError.self) { try await office.take(push, claims: claims) }
            let refused = try #require(error)
            #expect([.notAuthentic, .wrongApp].contains(refused.code))
            #expect(!office.backOffice.leaves(refused, to: .google))
            #expect(try await office.count("store_notifications") == 0)
        }
    }

    @Test("what is for another app, or nobody can read, is left alone: Pub/Sub would send it for days") func foreign()
        async throws
    {
        try await GoogleOffice.run { office in
            let foreign = #"{"version":"1.0","packageName":"com.example.other","testNotification":{"version":"1.0"}}"#
            let data = Data(foreign.utf8).base64EncodedString()
            for body in [
                #"{"message":{"data":"bm8=","messageId":"1"},"subscription":"s"}"#, "[]", "{", #"{"message":{}}"#,
                #"{"message":{"data":"\#(data)","messageId":"2"},"subscription":"s"}"#,
            ] {
                let error = await #expect(throws: OperationsError.self) {
                    try await office.backOffice.receiveNotification(body, from: .google)
                }
                #expect(office.backOffice.leaves(try #require(error), to: .google), "\(body)")
            }
            #expect(try await office.count("store_notifications") == 0)
            // Of ours without a token nothing is taken, and nothing is left alone.
            office.google.sendTest()
            let own = try #require(office.google.pushes.first).body(subscription: office.google.subscription)
            let bare = await #expect(throws: OperationsError.self) {
                try await office.backOffice.receiveNotification(own, from: .google)
            }
            #expect(!office.backOffice.leaves(try #require(bare), to: .google))
        }
    }
}
