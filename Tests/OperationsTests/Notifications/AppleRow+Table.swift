import Foundation
import Gateways
import StoreSimulator

extension AppleRow {
    static let all: [AppleRow] = purchases + renewalPreferences + failures + prices + refunds + extensions + others

    private static let purchases = [
        row(
            1,
            "SUBSCRIBED",
            "INITIAL_BUY",
            on: 0,
            AppleWords.month,
            AppleWords.renews(),
            leads: "active t1 pro.monthly",
            [first]
        ),
        row(
            2,
            "SUBSCRIBED",
            "RESUBSCRIBE",
            after: [bought, expired],
            on: 40,
            AppleWords.sold("t2", from: 40, to: 70),
            AppleWords.renews(),
            leads: "active t2 pro.monthly",
            [first, "t2 initial_purchase completed"],
            facts: [("SELECT (end_reason IS NULL AND ended_at IS NULL)::text FROM subscriptions", ["true"])]
        ),
        row(
            3,
            "DID_RENEW",
            nil,
            after: [bought],
            on: 30,
            AppleWords.sold("t2", from: 30, to: 60),
            AppleWords.renews(),
            leads: "active t2 pro.monthly",
            [first, "t2 renewal completed"]
        ),
        row(
            4,
            "DID_RENEW",
            "BILLING_RECOVERY",
            after: [bought, failed],
            on: 33,
            AppleWords.sold("t2", from: 33, to: 63),
            AppleWords.renews(),
            leads: "active t2 pro.monthly",
            [first, "t2 renewal completed"]
        ),
    ]

    private static let renewalPreferences = [
        row(
            5,
            "DID_CHANGE_RENEWAL_PREF",
            "UPGRADE",
            after: [bought],
            on: 10,
            AppleWords.sold("t2", from: 10, to: 40, "premium.monthly", for: 28_000, ["transactionReason": "PURCHASE"]),
            AppleWords.renews(to: "premium.monthly"),
            leads: "active t2 premium.monthly",
            ["t1 initial_purchase superseded", "t2 upgrade completed"],
            facts: [credit(for: 2_800)]
        ),
        row(
            6,
            "DID_CHANGE_RENEWAL_PREF",
            "DOWNGRADE",
            after: [boughtPremium],
            on: 10,
            premium,
            AppleWords.renews(),
            leads: "active t1 premium.monthly",
            [first],
            facts: [(next, ["com.readmigo.pro.monthly"])]
        ),
        row(
            7,
            "DID_CHANGE_RENEWAL_PREF",
            nil,
            after: [
                boughtPremium,
                AppleWords.message("DID_CHANGE_RENEWAL_PREF", "DOWNGRADE", on: 10, premium, AppleWords.renews()),
            ],
            on: 12,
            premium,
            AppleWords.renews(to: "premium.monthly"),
            leads: "active t1 premium.monthly",
            [first],
            facts: [(next, ["none"])]
        ),
        row(
            8,
            "DID_CHANGE_RENEWAL_STATUS",
            "AUTO_RENEW_ENABLED",
            after: [
                bought,
                AppleWords.message(
                    "DID_CHANGE_RENEWAL_STATUS",
                    "AUTO_RENEW_DISABLED",
                    on: 5,
                    AppleWords.month,
                    AppleWords.renews(false)
                ),
            ],
            on: 6,
            AppleWords.month,
            AppleWords.renews(),
            leads: "active t1 pro.monthly",
            [first]
        ),
        row(
            9,
            "DID_CHANGE_RENEWAL_STATUS",
            "AUTO_RENEW_DISABLED",
            after: [bought],
            on: 5,
            AppleWords.month,
            AppleWords.renews(false),
            leads: "cancelled t1 pro.monthly",
            [first],
            facts: [("SELECT (ended_at IS NULL)::text FROM subscriptions", ["true"])]
        ),
        row(
            10,
            "OFFER_REDEEMED",
            nil,
            after: [bought],
            on: 30,
            AppleWords.sold(
                "t2",
                from: 30,
                to: 60,
                "pro.monthly",
                for: 9_000,
                ["offerType": 2, "offerIdentifier": "half"]
            ),
            AppleWords.renews(),
            leads: "active t2 pro.monthly",
            [first, "t2 renewal completed"],
            facts: [("SELECT coalesce(offer_id, '-') FROM orders ORDER BY transaction_id", ["-", "half"])]
        ),
        row(
            11,
            "OFFER_REDEEMED",
            "UPGRADE",
            after: [bought],
            on: 10,
            AppleWords.sold(
                "t2",
                from: 10,
                to: 40,
                "premium.monthly",
                for: 14_000,
                ["transactionReason": "PURCHASE", "offerType": 3, "offerIdentifier": "SPRING"]
            ),
            AppleWords.renews(to: "premium.monthly"),
            leads: "active t2 premium.monthly",
            ["t1 initial_purchase superseded", "t2 upgrade completed"],
            facts: [credit(for: 1_400)]
        ),
        row(
            12,
            "OFFER_REDEEMED",
            "DOWNGRADE",
            after: [boughtPremium],
            on: 10,
            premium,
            AppleWords.renews(),
            leads: "active t1 premium.monthly",
            [first],
            facts: [(next, ["com.readmigo.pro.monthly"])]
        ),
    ]

    private static let failures = [
        row(
            13,
            "DID_FAIL_TO_RENEW",
            "GRACE_PERIOD",
            after: [bought],
            on: 30,
            AppleWords.month,
            AppleWords.renews(
                true,
                ["isInBillingRetryPeriod": true, "gracePeriodExpiresDate": AppleWords.date(46)]
            ),
            status: 4,
            leads: "grace_period t1 pro.monthly",
            [first],
            facts: [
                (
                    "SELECT (grace_period_ends_at - period_ends_at = interval '16 days')::text FROM subscriptions",
                    ["true"]
                )
            ]
        ),
        row(
            14,
            "DID_FAIL_TO_RENEW",
            nil,
            after: [bought],
            on: 30,
            AppleWords.month,
            AppleWords.renews(true, ["isInBillingRetryPeriod": true]),
            status: 3,
            leads: "billing_retry t1 pro.monthly",
            [first]
        ),
        row(
            15,
            "GRACE_PERIOD_EXPIRED",
            nil,
            after: [bought, failedIntoGrace],
            on: 46,
            AppleWords.month,
            AppleWords.renews(true, ["isInBillingRetryPeriod": true]),
            status: 3,
            leads: "billing_retry t1 pro.monthly",
            [first]
        ),
        expiry(16, "VOLUNTARY", intent: 1, because: "cancelled"),
        expiry(17, "BILLING_RETRY", intent: 2, because: "billingError"),
        expiry(18, "PRICE_INCREASE", intent: 3, because: "priceIncreaseRefused"),
        expiry(19, "PRODUCT_NOT_FOR_SALE", intent: 4, because: "productUnavailable"),
        expiry(20, nil, intent: 5, because: "other"),
    ]

    private static let prices = [
        row(
            21,
            "PRICE_INCREASE",
            "PENDING",
            after: [bought],
            on: 10,
            AppleWords.month,
            AppleWords.renews(true, ["priceIncreaseStatus": 0, "renewalPrice": 22_000]),
            leads: "active t1 pro.monthly",
            [first],
            facts: [("SELECT renewal_price::text FROM subscriptions", ["2200"])]
        ),
        row(
            22,
            "PRICE_INCREASE",
            "ACCEPTED",
            after: [bought],
            on: 12,
            AppleWords.month,
            AppleWords.renews(true, ["priceIncreaseStatus": 1, "renewalPrice": 22_000]),
            leads: "active t1 pro.monthly",
            [first],
            facts: [("SELECT renewal_price::text FROM subscriptions", ["2200"])]
        ),
    ]

    private static let refunds = [
        row(
            23,
            "REFUND",
            nil,
            after: [bought],
            on: 9,
            AppleWords.refunded(on: 8),
            AppleWords.renews(false),
            status: 5,
            leads: "revoked t1 pro.monthly",
            ["t1 initial_purchase refunded"],
            facts: [("SELECT kind || ' ' || amount FROM ledger_entries ORDER BY amount", ["refund -1800", charge])]
        ),
        row(
            24,
            "REFUND_DECLINED",
            nil,
            after: [bought],
            on: 9,
            AppleWords.month,
            AppleWords.renews(),
            leads: "active t1 pro.monthly",
            [first]
        ),
        row(
            25,
            "REFUND_REVERSED",
            nil,
            after: [bought, refundTold],
            on: 12,
            AppleWords.month,
            AppleWords.renews(),
            leads: "active t1 pro.monthly",
            [first],
            facts: [
                ("SELECT sum(amount)::text FROM ledger_entries", ["1800"]),
                ("SELECT count(*)::text FROM ledger_entries", ["3"]),
            ]
        ),
        row(
            26,
            "CONSUMPTION_REQUEST",
            nil,
            after: [bought],
            on: 9,
            AppleWords.month,
            AppleWords.renews(),
            leads: "active t1 pro.monthly",
            [first],
            data: ["consumptionRequestReason": "UNINTENDED_PURCHASE"]
        ),
        row(
            27,
            "REVOKE",
            nil,
            after: [shared],
            on: 9,
            AppleWords.sold(
                "t1",
                from: 0,
                to: 30,
                "pro.monthly",
                for: 0,
                [
                    "inAppOwnershipType": "FAMILY_SHARED", "revocationDate": AppleWords.date(9),
                    "revocationType": "FAMILY_REVOKE",
                ]
            ),
            AppleWords.renews(),
            status: 5,
            leads: "revoked t1 pro.monthly",
            []
        ),
    ]

    private static let extensions = [
        row(
            28,
            "RENEWAL_EXTENDED",
            nil,
            after: [bought],
            on: 9,
            AppleWords.sold("t1", from: 0, to: 44),
            AppleWords.renews(true, ["renewalDate": AppleWords.date(44)]),
            leads: "active t1 pro.monthly",
            [first],
            facts: [
                ("SELECT (period_ends_at - period_starts_at = interval '44 days')::text FROM subscriptions", ["true"])
            ]
        ),
        kept(
            29,
            "RENEWAL_EXTENSION",
            "SUMMARY",
            [
                "summary": [
                    "requestIdentifier": "758883e8-151b-47b7-abd0-60c4d804c2f5", "environment": "Production",
                    "appAppleId": 1_600_000_001, "bundleId": "com.readmigo.app",
                    "productId": "com.readmigo.pro.monthly",
                    "storefrontCountryCodes": ["CHN"], "succeededCount": 5, "failedCount": 2,
                ]
            ],
            fact: (
                """
                SELECT concat_ws(' ', request_identifier, store_product_id, storefronts, succeeded_count, failed_count, requested_at,
                    finished_at IS NOT NULL)
                FROM renewal_extensions
                """,
                ["758883e8-151b-47b7-abd0-60c4d804c2f5 com.readmigo.pro.monthly {CHN} 5 2 t"]
            )
        ),
        row(
            30,
            "RENEWAL_EXTENSION",
            "FAILURE",
            after: [bought],
            on: 9,
            AppleWords.month,
            AppleWords.renews(),
            leads: "active t1 pro.monthly",
            [first],
            facts: [
                (
                    """
                    SELECT concat_ws(' ', s.original_transaction_id, f.store_product_id)
                    FROM renewal_extension_failures f JOIN subscriptions s ON s.id = f.subscription_id
                    """,
                    ["t1 com.readmigo.pro.monthly"]
                )
            ]
        ),
    ]

    private static let others = [
        row(
            31,
            "ONE_TIME_CHARGE",
            nil,
            on: 0,
            AppleWords.sold(
                "t1",
                from: 0,
                to: nil,
                "pro.monthly",
                for: 36_000,
                ["type": "Non-Renewing Subscription", "quantity": 2]
            ),
            status: nil,
            leads: "active t1 pro.monthly",
            [first],
            facts: [
                ("SELECT quantity || ' ' || amount FROM orders", ["2 3600"]),
                ("SELECT (period_ends_at = period_starts_at + interval '2 months')::text FROM subscriptions", ["true"]),
            ]
        ),
        external(32, "CREATED", leads: "created"), external(33, "ACTIVE_TOKEN_REMINDER", leads: "reminded"),
        external(34, "UNREPORTED", leads: "unreported"),
        AppleRow(
            number: 35,
            type: "RESCIND_CONSENT",
            subtype: nil,
            before: [AppleWords.message("SUBSCRIBED", "INITIAL_BUY", on: 0, installed, AppleWords.renews())],
            message: AppleWords.message(
                "RESCIND_CONSENT",
                on: 9,
                besides: [
                    "appData": [
                        "appAppleId": 1_600_000_001, "bundleId": "com.readmigo.app", "environment": "Production",
                    ]
                ],
                appTransaction: [
                    "receiptType": "Production", "bundleId": "com.readmigo.app", "appAppleId": 1_600_000_001,
                    "appTransactionId": "704897469903412345", "receiptCreationDate": AppleWords.date(0),
                ]
            ),
            subscription: "active t1 pro.monthly",
            orders: [first],
            facts: [
                (
                    """
                    SELECT s.original_transaction_id
                    FROM rescinded_consents r
                    JOIN subscriptions s USING (app_id, store, environment, app_transaction_id)
                    """,
                    ["t1"]
                )
            ]
        ),
        row(
            36,
            "METADATA_UPDATE",
            nil,
            after: [bought],
            on: 9,
            AppleWords.month,
            AppleWords.renews(),
            leads: "active t1 pro.monthly",
            [first]
        ),
        row(
            37,
            "MIGRATION",
            nil,
            after: [bought],
            on: 9,
            AppleWords.sold("t1", from: 0, to: 30, "pro.monthly", for: 18_000, migrated),
            AppleWords.renews(true, ["originalTransactionId": "m1"]),
            leads: "active t1 pro.monthly",
            [first],
            facts: [
                (
                    """
                    SELECT concat_ws(' ', s.original_transaction_id, a.original_transaction_id)
                    FROM subscription_aliases a JOIN subscriptions s ON s.id = a.subscription_id
                    """,
                    ["t1 m1"]
                )
            ]
        ),
        row(
            38,
            "PRICE_CHANGE",
            nil,
            after: [bought],
            on: 9,
            AppleWords.month,
            AppleWords.renews(),
            leads: "active t1 pro.monthly",
            [first]
        ),
        AppleRow(
            number: 39,
            type: "TEST",
            subtype: nil,
            message: AppleWords.message("TEST", on: 9),
            subscription: nil,
            orders: [],
            state: "ignored"
        ),
    ]

    // MARK: Values of the rows

    private static let first = AppleWords.first
    private static let bought = AppleWords.bought
    private static func credit(for price: Int) -> (query: String, rows: [String]) {
        (
            query: """
            SELECT concat_ws(' ', o.transaction_id, t.kind, t.amount, o.refunded, o.credited)
            FROM ledger_entries t JOIN orders o ON o.id = t.order_id
            ORDER BY o.transaction_id, t.kind
            """,
            // The charge is 18.00 for thirty days, of which ten are used.
            rows: [
                "t1 initial_purchase 1800 0 1200", "t1 upgrade_credit -1200 0 1200", "t2 upgrade \(price) 0 0",
            ]
        )
    }
    private static let charge = "initial_purchase 1800"
    private static let migrated: [String: JSON] = [
        "originalTransactionId": "m1", "previousOriginalTransactionId": "t1",
    ]
    private static let installed = AppleWords.sold(
        "t1",
        from: 0,
        to: 30,
        "pro.monthly",
        for: 18_000,
        ["appTransactionId": "704897469903412345"]
    )
    private static let next = "SELECT coalesce(next_store_product_id, 'none') FROM subscriptions"
    private static let premium = AppleWords.sold("t1", from: 0, to: 30, "premium.monthly", for: 28_000)
    private static let boughtPremium = AppleWords.message(
        "SUBSCRIBED",
        "INITIAL_BUY",
        on: 0,
        premium,
        AppleWords.renews(to: "premium.monthly")
    )
    private static let expired = AppleWords.message(
        "EXPIRED",
        "VOLUNTARY",
        on: 31,
        AppleWords.month,
        AppleWords.renews(false, ["expirationIntent": 1]),
        status: 2
    )
    private static let failed = AppleWords.message(
        "DID_FAIL_TO_RENEW",
        on: 30,
        AppleWords.month,
        AppleWords.renews(true, ["isInBillingRetryPeriod": true]),
        status: 3
    )
    private static let failedIntoGrace = AppleWords.message(
        "DID_FAIL_TO_RENEW",
        "GRACE_PERIOD",
        on: 30,
        AppleWords.month,
        AppleWords.renews(true, ["isInBillingRetryPeriod": true, "gracePeriodExpiresDate": AppleWords.date(46)]),
        status: 4
    )
    private static let refundTold = AppleWords.message(
        "REFUND",
        on: 9,
        AppleWords.refunded(on: 8),
        AppleWords.renews(false),
        status: 5
    )
    private static let shared = AppleWords.message(
        "SUBSCRIBED",
        "INITIAL_BUY",
        on: 0,
        AppleWords.sold("t1", from: 0, to: 30, "pro.monthly", for: 0, ["inAppOwnershipType": "FAMILY_SHARED"]),
        AppleWords.renews()
    )

    private static func row(
        _ number: Int,
        _ type: String,
        _ subtype: String?,
        after before: [SimulatedMessage] = [],
        on day: Double,
        _ transaction: JSON,
        _ renewal: JSON? = nil,
        status: Int64? = 1,
        leads subscription: String,
        _ orders: [String],
        data: [String: JSON] = [:],
        facts: [(query: String, rows: [String])] = []
    ) -> AppleRow {
        AppleRow(
            number: number,
            type: type,
            subtype: subtype,
            before: before,
            message: AppleWords.message(type, subtype, on: day, transaction, renewal, status: status, data: data),
            subscription: subscription,
            orders: orders,
            facts: facts
        )
    }

    private static func expiry(_ number: Int, _ subtype: String?, intent: Int64, because reason: String) -> AppleRow {
        row(
            number,
            "EXPIRED",
            subtype,
            after: [bought],
            on: 31,
            AppleWords.month,
            AppleWords.renews(false, ["expirationIntent": .integer(intent)]),
            status: 2,
            leads: "expired t1 pro.monthly",
            [first],
            facts: [("SELECT end_reason FROM subscriptions", [reason])]
        )
    }

    private static func external(_ number: Int, _ subtype: String, leads state: String) -> AppleRow {
        kept(
            number,
            "EXTERNAL_PURCHASE_TOKEN",
            subtype,
            [
                "externalPurchaseToken": [
                    "externalPurchaseId": "b2158121-7af9-49d4-9561-1f588205523e",
                    "tokenCreationDate": AppleWords.date(0),
                    "appAppleId": 1_600_000_001, "bundleId": "com.readmigo.app",
                ]
            ],
            fact: (
                "SELECT concat_ws(' ', external_purchase_id, state, reported_at) FROM external_purchase_tokens",
                ["b2158121-7af9-49d4-9561-1f588205523e \(state)"]
            )
        )
    }

    /// Returns a row that changes no subscription: its contents are stored elsewhere.
    private static func kept(
        _ number: Int,
        _ type: String,
        _ subtype: String?,
        _ body: [String: JSON],
        fact: (query: String, rows: [String])
    ) -> AppleRow {
        AppleRow(
            number: number,
            type: type,
            subtype: subtype,
            before: [bought],
            message: AppleWords.message(type, subtype, on: 9, besides: body),
            subscription: "active t1 pro.monthly",
            orders: [first],
            facts: [fact]
        )
    }
}

extension AppleWords {
    fileprivate static func renews(_ isOn: Bool, _ more: [String: JSON]) -> JSON {
        renews(isOn, to: "pro.monthly", more)
    }
}
