import Billing
import Foundation
import Gateways
import Operations
import Postgres
import Storage
import StoreSimulator
import Testing

@Suite("The date of a refund changes later; a second part is refunded") struct RefundDateTests {
    private static func sold(_ more: [String: JSON] = [:], quantity: Int64 = 1, isOnce: Bool = false) -> JSON {
        var sold = AppleWords.sold("t1", from: 80, to: isOnce ? nil : 110, "pro.monthly", for: 30_000, more)
        sold["quantity"] = .integer(quantity)
        if isOnce { sold["type"] = "Consumable" }
        return sold
    }

    private static func revoked(
        on day: Double,
        _ milliPercent: Int64,
        quantity: Int64 = 1,
        isOnce: Bool = false
    ) -> JSON {
        sold(
            [
                "revocationDate": AppleWords.date(day), "revocationReason": 0,
                "revocationType": .string(milliPercent == 100_000 ? "REFUND_FULL" : "REFUND_PRORATED"),
                "revocationPercentage": .integer(milliPercent),
            ],
            quantity: quantity,
            isOnce: isOnce
        )
    }

    private static let refunds: Query = """
        SELECT concat_ws(' ', o.status, o.refunded, (SELECT count(*) FROM ledger_entries t WHERE t.order_id = o.id AND t.kind = 'refund'))
        FROM orders o
        """

    @Test("(a) a third of 30.00 is refunded once, whatever the date says eleven days later", arguments: [false, true])
    func otherDate(_ isReversed: Bool) async throws {
        let bought = AppleWords.message("SUBSCRIBED", "INITIAL_BUY", on: 80, Self.sold(), AppleWords.renews())
        let refunded = AppleWords.message("REFUND", on: 83, Self.revoked(on: 83, 33_333), AppleWords.renews(false))
        let repeated = AppleWords.message(
            "DID_CHANGE_RENEWAL_STATUS",
            "AUTO_RENEW_DISABLED",
            on: 95,
            Self.revoked(on: 94, 33_333),
            AppleWords.renews(false)
        )
        try await Field.run { field in
            for message in isReversed ? [repeated, refunded, bought] : [bought, refunded, repeated] {
                try await field.tell(message)
            }
            #expect(try await field.office.lines(Self.refunds) == ["partially_refunded 1000 1"])
            #expect(try await field.office.backOffice.verifyRollups().map(\.differences) == [0])
        }
    }

    @Test(
        "(b) two parts of three pieces are 20.00 in all: the second message replaces the first",
        arguments: [false, true]
    )
    func secondPart(_ isReversed: Bool) async throws {
        let bought = AppleWords.message("ONE_TIME_CHARGE", on: 80, Self.sold(quantity: 3, isOnce: true), status: nil)
        let first = AppleWords.message(
            "REFUND",
            on: 83,
            Self.revoked(on: 83, 33_333, quantity: 3, isOnce: true),
            status: nil
        )
        let second = AppleWords.message(
            "REFUND",
            on: 90,
            Self.revoked(on: 90, 66_667, quantity: 3, isOnce: true),
            status: nil
        )
        try await Field.run { field in
            for message in isReversed ? [second, first, bought] : [bought, first, second] {
                try await field.tell(message)
            }
            let lines = try await field.office.lines("SELECT concat_ws(' ', status, refunded) FROM orders")
            #expect(lines == ["partially_refunded 2000"])
            #expect(try await field.office.backOffice.verifyRollups().map(\.differences) == [0])
        }
    }

    @Test("(c) a refund that was taken back stays so in whatever is told later, and access is as paid")
    func takenBack() async throws {
        try await Field.run { field in
            try await field.tell(
                AppleWords.message("SUBSCRIBED", "INITIAL_BUY", on: 80, Self.sold(), AppleWords.renews()),
                AppleWords.message("REFUND", on: 83, Self.revoked(on: 83, 100_000), AppleWords.renews(false)),
                AppleWords.message("REFUND_REVERSED", on: 85, Self.sold(), AppleWords.renews()),
                AppleWords.message(
                    "DID_CHANGE_RENEWAL_STATUS",
                    "AUTO_RENEW_DISABLED",
                    on: 86,
                    Self.sold(),
                    AppleWords.renews(false)
                )
            )
            #expect(
                try await field.office.lines("SELECT concat_ws(' ', status, refunded) FROM orders") == ["completed 0"]
            )
            #expect(try await field.office.lines("SELECT sum(amount)::text FROM ledger_entries") == ["3000"])
            #expect(try await field.entitlement()?.plan.code == "PRO")
        }
    }
}

@Suite("MRR of an offer paid up front") struct UpFrontOfferTests {
    @Test("a month for 1.00 and then a year for 49.99 are 1.00 at the end of February and 4.17 at the end of March")
    func upFront() async throws {
        let (start, renewal, end) = (
            try Field.day("2026-02-10"), try Field.day("2026-03-10"), try Field.day("2027-03-10")
        )
        let month = AppleWords.sold(
            "t1",
            from: start,
            to: renewal,
            "pro.yearly",
            for: 1_000,
            ["offerType": 1, "offerDiscountType": "PAY_UP_FRONT", "offerPeriod": "P1M"]
        )
        let year = AppleWords.sold("t2", from: renewal, to: end, "pro.yearly", for: 49_990)
        try await Field.run { field in
            field.office.clock.set(try Field.date("2026-04-15"))
            try await field.tell(
                AppleWords.message("SUBSCRIBED", "INITIAL_BUY", on: start, month, AppleWords.renews(to: "pro.yearly")),
                AppleWords.message("DID_RENEW", on: renewal, year, AppleWords.renews(to: "pro.yearly"))
            )
            #expect(
                try await field.recurringRevenue(from: "2026-02-01", through: "2026-03-31") == [
                    "2026-02 100", "2026-03 417",
                ]
            )
        }
    }

    @Test("six months of a monthly product for 29.99 are 5.00 a month")
    func sixMonths() async throws {
        let (start, end) = (try Field.day("2026-02-10"), try Field.day("2026-08-10"))
        let sold = AppleWords.sold(
            "t1",
            from: start,
            to: end,
            "pro.monthly",
            for: 29_990,
            ["offerType": 1, "offerDiscountType": "PAY_UP_FRONT", "offerPeriod": "P6M"]
        )
        try await Field.run { field in
            field.office.clock.set(try Field.date("2026-04-15"))
            try await field.tell(AppleWords.message("SUBSCRIBED", "INITIAL_BUY", on: start, sold, AppleWords.renews()))
            #expect(
                try await field.recurringRevenue(from: "2026-02-01", through: "2026-03-31") == [
                    "2026-02 500", "2026-03 500",
                ]
            )
        }
    }
}

@Suite("A yearly product billed monthly (12-month commitment), in the books") struct CommittedYearTests {
    private static func day(_ month: Int) throws -> Double {
        let number = month < 10 ? "0\(month)" : "\(month)"
        return try Field.day(month > 12 ? "2026-01-01" : "2025-\(number)-01")
    }

    private static func month(_ number: Int) throws -> JSON {
        AppleWords.sold(
            "t\(number)",
            from: try day(number),
            to: try day(number + 1),
            "pro.yearly",
            for: 9_990,
            [
                "billingPlanType": "MONTHLY",
                "commitmentInfo": [
                    "billingPeriodNumber": .integer(Int64(number)), "totalBillingPeriods": 12,
                    "commitmentExpiresDate": AppleWords.date(try day(13)), "commitmentPrice": 119_880,
                ],
            ]
        )
    }

    private static func renewed(_ number: Int, wants: Bool) throws -> SimulatedMessage {
        AppleWords.message(
            number == 1 ? "SUBSCRIBED" : "DID_RENEW",
            number == 1 ? "INITIAL_BUY" : nil,
            on: try day(number),
            try month(number),
            AppleWords.renews(
                to: "pro.yearly",
                ["renewalBillingPlanType": "MONTHLY", "commitmentInfo": ["commitmentAutoRenewStatus": wants ? 1 : 0]]
            )
        )
    }

    @Test(
        "twelve orders of 9.99 and 9.99 a month, turned off in the second month: it goes on until the twelfth is over"
    )
    func turnedOff() async throws {
        try await Field.run { field in
            field.office.clock.set(try Field.date("2025-12-20"))
            try await field.tell(try Self.renewed(1, wants: true), try Self.renewed(2, wants: true))
            try await field.tell(
                AppleWords.message(
                    "DID_CHANGE_RENEWAL_STATUS",
                    "AUTO_RENEW_DISABLED",
                    on: try Self.day(2) + 10,
                    try Self.month(2),
                    AppleWords.renews(
                        to: "pro.yearly",
                        ["renewalBillingPlanType": "MONTHLY", "commitmentInfo": ["commitmentAutoRenewStatus": 0]]
                    )
                )
            )
            let wish: Query =
                "SELECT concat_ws(' ', state, (commitment_cancelled_at IS NOT NULL)::text, renews_automatically::text) FROM subscriptions"
            #expect(try await field.office.lines(wish) == ["active true true"])
            for number in 3...12 { try await field.tell(try Self.renewed(number, wants: false)) }
            #expect(
                try await field.office.lines("SELECT count(*) || ' of ' || amount FROM orders GROUP BY amount") == [
                    "12 of 999"
                ]
            )
            #expect(
                try await field.recurringRevenue(from: "2025-01-01", through: "2025-11-30")
                    == (1...11).map { "2025-\($0 < 10 ? "0" : "")\($0) 999" }
            )
            #expect(try await field.entitlement()?.until == Field.date("2026-01-01"))
            let app = try await field.office.app()
            let question = MetricsQuery(
                filter: MetricsFilter(),
                monthsFrom: BusinessDay(try Field.date("2025-01-01"), in: .gmt),
                through: BusinessDay(try Field.date("2025-01-31"), in: .gmt)
            )
            let cohorts = try await field.office.database.read {
                try await $0.metrics.retention(
                    question,
                    every: .aMonth,
                    on: BusinessDay(try Field.date("2025-12-20"), in: .gmt),
                    app: app
                )
            }
            #expect(cohorts.map(\.paid) == [Array(repeating: 1, count: 12)], "a period of retention is a month")
            field.office.clock.set(try Field.date("2026-01-02"))
            try await field.tell(
                AppleWords.message(
                    "EXPIRED",
                    "VOLUNTARY",
                    on: try Self.day(13),
                    try Self.month(12),
                    AppleWords.renews(false),
                    status: 2
                )
            )
            #expect(
                try await field.office.lines("SELECT state || ' ' || end_reason FROM subscriptions") == [
                    "expired cancelled"
                ]
            )
        }
    }

    @Test("an upgrade out of it in the third month ends the commitment and begins what was bought")
    func upgraded() async throws {
        let start = try Self.day(3) + 10
        let year = AppleWords.sold("t4", from: start, to: start + 365, "premium.yearly", for: 228_000)
        try await Field.run { field in
            for number in 1...3 { try await field.tell(try Self.renewed(number, wants: true)) }
            try await field.tell(
                AppleWords.message(
                    "DID_CHANGE_RENEWAL_PREF",
                    "UPGRADE",
                    on: start,
                    year,
                    AppleWords.renews(to: "premium.yearly")
                )
            )
            #expect(
                try await field.office.lines(
                    "SELECT concat_ws(' ', p.store_product_id, s.is_committed::text) FROM subscriptions s JOIN products p ON p.id = s.product_id"
                ) == ["com.readmigo.premium.yearly false"]
            )
            #expect(try await field.office.count("orders") == 4)
        }
    }

    @Test("the same product up front for 119.88 is 9.99 a month, too")
    func upFront() async throws {
        let (start, end) = (try Field.day("2025-01-01"), try Field.day("2026-01-01"))
        let year = AppleWords.sold("t1", from: start, to: end, "pro.yearly", for: 119_880)
        try await Field.run { field in
            try await field.tell(
                AppleWords.message("SUBSCRIBED", "INITIAL_BUY", on: start, year, AppleWords.renews(to: "pro.yearly"))
            )
            #expect(
                try await field.recurringRevenue(from: "2025-01-01", through: "2025-02-28") == [
                    "2025-01 999", "2025-02 999",
                ]
            )
        }
    }
}

@Suite("In the grace period, without its end: what the customer has") struct GraceWithoutEndStoryTests {
    /// Around the end of a trial.
    private static let end = 100.0
    private static let trial = AppleWords.sold(
        "t1",
        from: end - 7,
        to: end,
        "pro.monthly",
        for: 0,
        ["offerType": 1, "offerDiscountType": "FREE_TRIAL"]
    )

    private static func failed(_ end: JSON?) -> SimulatedMessage {
        var terms = AppleWords.renews(true, to: "pro.monthly", ["isInBillingRetryPeriod": true])
        if let end { terms["gracePeriodExpiresDate"] = end }
        return AppleWords.message("DID_FAIL_TO_RENEW", "GRACE_PERIOD", on: Self.end, trial, terms, status: 4)
    }

    private static func hours(_ field: Field, _ hours: Double) {
        field.office.clock.set(TestOffice.start.addingTimeInterval(-8_640_000 + end * 86_400 + hours * 3_600))
    }

    @Test("access goes on and the recovery opens the next period", arguments: [nil, JSON.null])
    func recovered(_ named: JSON?) async throws {
        try await Field.run { field in
            Self.hours(field, 0)
            try await field.tell(
                AppleWords.message("SUBSCRIBED", "INITIAL_BUY", on: Self.end - 7, Self.trial, AppleWords.renews()),
                Self.failed(named)
            )
            Self.hours(field, 1)
            #expect(try await field.entitlement()?.plan.code == "PRO")
            Self.hours(field, 48)
            let next = AppleWords.sold("t2", from: Self.end + 2, to: Self.end + 30)
            try await field.tell(
                AppleWords.message("DID_RENEW", "BILLING_RECOVERY", on: Self.end + 2, next, AppleWords.renews())
            )
            #expect(try await field.entitlement()?.state == .active)
            #expect(try await field.office.lines("SELECT state FROM subscriptions") == ["active"])
        }
    }

    @Test("GRACE_PERIOD_EXPIRED ends access, and so does time when nothing is told", arguments: [nil, JSON.null])
    func expired(_ named: JSON?) async throws {
        try await Field.run { field in
            Self.hours(field, 0)
            try await field.tell(
                AppleWords.message("SUBSCRIBED", "INITIAL_BUY", on: Self.end - 7, Self.trial, AppleWords.renews()),
                Self.failed(named)
            )
            Self.hours(field, 28 * 24 + 1)
            #expect((try await field.entitlement()?.plan.rank ?? 0) == 0, "never endless")
            Self.hours(field, 48)
            #expect(try await field.entitlement()?.plan.code == "PRO")
            var terms = AppleWords.renews(true, to: "pro.monthly", ["isInBillingRetryPeriod": true])
            terms["gracePeriodExpiresDate"] = named
            try await field.tell(
                AppleWords.message("GRACE_PERIOD_EXPIRED", on: Self.end + 2, Self.trial, terms, status: 3)
            )
            #expect((try await field.entitlement()?.plan.rank ?? 0) == 0)
            #expect(try await field.office.lines("SELECT state FROM subscriptions") == ["billing_retry"])
        }
    }
}
