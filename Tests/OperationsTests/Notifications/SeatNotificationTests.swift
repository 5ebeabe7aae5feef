import Billing
import Foundation
import Gateways
import Jobs
import Operations
import Postgres
import Storage
import StoreSimulator
import Testing

@Suite("Apple's notifications of seats") struct SeatNotificationTests {
    private typealias Words = AppleWords

    private static let info: JSON = [
        "invitationManagement": "DEVELOPER",
        "priceTiers": [["price": 9_990, "quantity": 5], ["price": 7_990, "quantity": 3]],
    ]

    private static func group(_ more: [String: JSON] = [:], revoked: Int64? = nil) -> JSON {
        var info = info
        if let revoked { info["revokedSeatQuantity"] = .integer(revoked) }
        return Words.sold(
            "t1",
            from: 0,
            to: 30,
            for: 9_240,
            ["quantity": 8, "multiSeatInfo": info].merging(more) { $1 }
        )
    }

    private static let marked = ["additionalTransactionReason": "SEAT_ADDITION"] as [String: JSON]

    private static func added(_ more: [String: JSON] = [:]) -> JSON {
        Words.sold(
            "t2",
            from: 10,
            to: 30,
            for: 7_990,
            [
                "quantity": 2, "transactionReason": "PURCHASE", "webOrderLineItemId": "w1",
                "multiSeatInfo": [
                    "invitationManagement": "DEVELOPER", "priceTiers": [["price": 7_990, "quantity": 2]],
                ],
            ].merging(marked) { $1 }.merging(more) { $1 }
        )
    }

    private static func renews(with seats: Int64) -> JSON {
        Words.renews(
            to: "pro.monthly",
            [
                "renewalQuantity": .integer(seats),
                "multiSeatInfo": ["renewalPriceTiers": [["price": 9_990, "quantity": .integer(seats)]]],
            ]
        )
    }

    private static let bought = Words.message(
        "SUBSCRIBED",
        "INITIAL_BUY",
        on: 0,
        group(["webOrderLineItemId": "w1"]),
        renews(with: 8)
    )
    private static let more = Words.message(
        "DID_CHANGE_RENEWAL_PREF",
        "INCREASE_QUANTITY",
        on: 10,
        added(),
        renews(with: 10)
    )

    private static func member(_ more: [String: JSON] = [:]) -> JSON {
        Words.sold(
            "m2",
            from: 2,
            to: 30,
            for: 9_240,
            [
                "originalTransactionId": "m1", "quantity": 8, "multiSeatInfo": info, "inAppOwnershipType": "ASSIGNED",
                "appTransactionId": "a-member",
            ].merging(more) { $1 }
        )
    }

    private func tell(_ messages: [SimulatedMessage], to office: TestOffice) async throws {
        let signer = AppleSigner(authority: try TestOffice.authority.get())
        for message in messages {
            _ = try await office.backOffice.receiveNotification(try signer.sign(message), from: .apple)
            _ = try await office.worker.drain()
        }
    }

    private func books(_ office: TestOffice) async throws -> [String] {
        try await office.lines(
            """
            SELECT concat_ws(' ', transaction_id, kind, status, amount, quantity, refunded, revoked_seats, refund_is_estimated)
            FROM orders ORDER BY transaction_id
            """
        )
    }

    private func recurring(_ office: TestOffice) async throws -> [String] {
        try await office.lines(
            """
            SELECT concat_ws(' ', transaction_id, price, is_family_shared) FROM access_periods
            WHERE retired_at IS NULL ORDER BY starts_at
            """
        )
    }

    @Test(
        "of a group of eight the buyer pays once, by the tiers; a member has access and pays nothing, also when the seat is taken away"
    )
    func members() async throws {
        try await TestOffice.run { office in
            try await tell(
                [Self.bought, Words.message("SUBSCRIBED", "INITIAL_BUY", on: 2, Self.member(), status: 1)],
                to: office
            )
            #expect(try await books(office) == ["t1 initial_purchase completed 7392 8 0 0 f"])
            #expect(
                try await office.lines(
                    """
                    SELECT concat_ws(' ', original_transaction_id, state, is_assigned, is_family_shared, seats, renewal_seats, seat_invitations)
                    FROM subscriptions ORDER BY original_transaction_id
                    """
                ) == ["m1 active t t", "t1 active f f 8 8 app"]
            )
            #expect(try await recurring(office) == ["t1 7392 f", "m2 t"])
            try await tell(
                [
                    Words.message(
                        "REVOKE",
                        on: 9,
                        Self.member(["revocationDate": Words.date(9), "revocationType": "ASSIGNMENT_REVOKE"]),
                        status: 5
                    )
                ],
                to: office
            )
            #expect(
                try await office.lines("SELECT state FROM subscriptions ORDER BY original_transaction_id")
                    == ["revoked", "active"]
            )
            #expect(try await office.count("orders") == 1)
            #expect(try await office.count("ledger_entries") == 1)
            #expect(
                try await office.lines("SELECT state FROM store_notifications")
                    == Array(repeating: "processed", count: 3)
            )
        }
    }

    @Test("added seats are their own order under the same line item, and part of the same subscription")
    func addition() async throws {
        try await TestOffice.run { office in
            try await tell([Self.bought, Self.more, Self.more], to: office)
            #expect(
                try await books(office) == [
                    "t1 initial_purchase completed 7392 8 0 0 f", "t2 upgrade completed 1598 2 0 0 f",
                ]
            )
            #expect(
                try await office.lines(
                    "SELECT concat_ws(' ', transaction_id, state, seats, renewal_seats) FROM subscriptions"
                )
                    == ["t1 active 10 10"]
            )
            #expect(try await recurring(office) == ["t1 7392 f", "t1 8990 f"])
            #expect(try await office.count("order_aliases") == 0)
        }
    }

    @Test("a refund of seats is a partial refund of its order and asks for the other transactions of the period")
    func refund() async throws {
        try await TestOffice.run { office in
            let refund = Words.message(
                "REFUND",
                "SEATS",
                on: 12,
                Self.group(Self.marked, revoked: 3),
                Self.renews(with: 5)
            )
            try await tell([Self.bought, Self.more, refund], to: office)
            #expect(
                try await books(office) == [
                    "t1 initial_purchase partially_refunded 7392 8 2772 3 t", "t2 upgrade completed 1598 2 0 0 f",
                ]
            )
            #expect(
                try await office.lines(
                    "SELECT concat_ws(' ', state, seats, revoked_seats, renewal_seats, reread_since IS NOT NULL) FROM subscriptions"
                ) == ["active 10 3 5 t"]
            )
            let app = try await office.app()
            let due = try await office.database.subscriptionsToCheck(of: app, at: .apple, in: .production, limit: 10)
            #expect(due.map(\.transactions) == [[]])
            let subscription = try #require(due.first)
            try await office.database.noteChecked(subscription.id, at: office.database.now)
            #expect(try await office.lines("SELECT coalesce(reread_since::text, 'no') FROM subscriptions") == ["no"])

            let exact = Words.message(
                "REFUND",
                "SEATS",
                on: 13,
                Self.group(["revocationPercentage": 40_000].merging(Self.marked) { $1 }, revoked: 3)
            )
            try await tell([exact], to: office)
            #expect(try await books(office).first == "t1 initial_purchase partially_refunded 7392 8 2957 3 f")
        }
    }

    @Test("access ends when the last transaction of the period is taken back, and not with the first")
    func takenBack() async throws {
        try await TestOffice.run { office in
            func gone(_ day: Double) -> [String: JSON] {
                ["revocationDate": Words.date(day), "revocationType": "REFUND_FULL", "revocationPercentage": 100_000]
            }
            let first = Words.message("REFUND", on: 14, Self.group(Self.marked.merging(gone(14)) { $1 }))
            try await tell([Self.bought, Self.more, first], to: office)
            #expect(try await office.lines("SELECT state FROM subscriptions") == ["active"])
            #expect(try await books(office).map { $0.split(separator: " ")[2] } == ["refunded", "completed"])
            try await tell([Words.message("REFUND", on: 15, Self.added(gone(15)), status: 5)], to: office)
            #expect(try await office.lines("SELECT state FROM subscriptions") == ["revoked"])
            #expect(try await books(office).map { $0.split(separator: " ")[2] } == ["refunded", "refunded"])
        }
    }

    private static func unclaimed(_ info: JSON) -> SimulatedMessage {
        Words.message("UNCLAIM_SEATS", on: 20, besides: ["unclaimInfo": info])
    }

    @Test(
        "a message with nothing but the seats that were freed is verified, kept, and ends the claims that it names",
        arguments: [
            ["bundleId": "com.readmigo.app", "environment": "Production", "appAppleId": 1_600_000_001], [:],
            ["environment": "Sandbox"],
        ] as [[String: JSON]]
    )
    func unclaim(_ more: [String: JSON]) async throws {
        try await TestOffice.run { office in
            try await tell([Self.bought], to: office)
            for member in ["c1", "c2"] { _ = try await office.customer(member) }
            _ = try await office.pool.query(
                """
                INSERT INTO seat_claims
                    (id, app_id, store, environment, subscription_id, customer_id, store_claim_id, requested_at, claimed_at)
                SELECT gen_random_uuid(), s.app_id, s.store, s.environment, s.id, c.id, c.key, s.created_at, s.created_at
                FROM subscriptions s, customers c
                WHERE c.key IN ('c1', 'c2')
                """
            )
            var info: JSON = ["unclaimSeatIds": ["C1", "c9"]]
            for (name, value) in more { info[name] = value }
            try await tell([Self.unclaimed(info)], to: office)
            #expect(
                try await office.lines(
                    "SELECT concat_ws(' ', type, state) FROM store_notifications WHERE type = 'UNCLAIM_SEATS'"
                )
                    == ["UNCLAIM_SEATS processed"]
            )
            #expect(
                try await office.lines("SELECT concat_ws(' ', store_claim_id, ended_by) FROM seat_claims ORDER BY 1")
                    == ["c1 unclaimed", "c2"]
            )
        }
    }

    @Test("a subtype that nobody knows waits for people with its amount, and is not forgotten when it is tried again")
    func unknownSubtype() async throws {
        try await TestOffice.run { office in
            try await tell([Self.bought, Words.message("REFUND", "HALF_A_SEAT", on: 12, Self.group())], to: office)
            let reason = """
                failed The subtype HALF_A_SEAT of REFUND is not known here. It is about the transaction t1 of 73.92 CNY, and \
                nothing was booked of it.
                """
            let kept: Query =
                "SELECT concat_ws(' ', state, last_error) FROM store_notifications WHERE subtype = 'HALF_A_SEAT'"
            #expect(try await office.lines(kept) == [reason])
            _ = try await office.backOffice.retryFailedNotifications()
            _ = try await office.worker.drain()
            #expect(try await office.lines(kept) == [reason])
            #expect(try await office.lines("SELECT state FROM subscriptions") == ["active"])
            // The overview's count.
            #expect(
                try await office.lines("SELECT count(*)::text FROM store_notifications WHERE state = 'failed'") == ["1"]
            )
        }
    }
}
