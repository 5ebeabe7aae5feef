import Billing
import Foundation

/// The golden scenarios: one for each rule of docs/metrics.md that is easily got wrong.
enum GoldenScenarios {
    static let ada = UUID(uuidString: "00000000-0000-4000-8000-0000000000ad") ?? UUID()
    private static let bob = UUID(uuidString: "00000000-0000-4000-8000-0000000000b0") ?? UUID()
    static let month = StoreTransaction.sold("t1", from: 0, to: 31, to: ada)
    static let second = StoreTransaction.sold("t2", from: 31, to: 59, to: ada)
    static let year = StoreTransaction.sold("t1", from: 10, to: 375, for: .yuan(128), "pro.yearly", to: ada)
    static let trial = StoreTransaction.sold(
        "t1",
        from: 0,
        to: 7,
        for: .yuan(0),
        "pro.yearly",
        to: ada,
        trial: true
    )

    static let all = subscriptions + refunds + trials

    private static let subscriptions = [
        // 18.00 less Apple's 30 % is 12.60; on 1 February at 08:00 in Shanghai it is over.
        BookCase(
            "a month that is paid once",
            [.told(.subscribed, on: 0, month), .told(.expired, on: 31, month)],
            metrics: [
                "2025-01: gross 18.00 CNY, net 18.00 CNY, proceeds 12.60 CNY, MRR 18.00 CNY (new 18.00 CNY), subscribers 1 (new 1)",
                "2025-02: MRR 0.00 CNY (ended -18.00 CNY), subscribers 0 (ended -1), lost 1",
            ],
            cohorts: [
                "2025-01: began 1 (paid 1), seen 1 (paid 1 1 1 1), ARPU 18.00 CNY, ARPPU 18.00 CNY, LTV 18.00 CNY (18.00 CNY), gained 1",
                "2025-02: lost 1",
            ]
        ),
        // 10.00 a week is 10.00 × 30.436875 / 7 = 43.48 a month. Six days later, in the same month, it is over.
        BookCase(
            "a week is made monthly by 30.436875 days",
            [.told(.subscribed, on: 26, .sold("t1", from: 26, to: 33, for: .yuan(10), "pro.weekly", to: ada))],
            metrics: [
                "2025-01: gross 10.00 CNY, net 10.00 CNY, proceeds 7.00 CNY, MRR 43.48 CNY (new 43.48 CNY), subscribers 1 (new 1)",
                "2025-02: MRR 0.00 CNY (ended -43.48 CNY), subscribers 0 (ended -1), lost 1",
            ],
            cohorts: [
                "2025-01: began 1 (paid 1), seen 1 (paid 1 1 1 1), ARPU 10.00 CNY, ARPPU 10.00 CNY, LTV 10.00 CNY (10.00 CNY), gained 1",
                "2025-02: lost 1",
            ]
        ),
        // Bought again on the anniversary of the first charge, after eleven months without: the year of paid service begins anew, and
        // Apple keeps 30 %.
        BookCase(
            "a first year of paid service that begins anew",
            [
                .told(.subscribed, on: 0, month), .told(.expired, on: 31, month),
                .told(.resubscribed, on: 365, .sold("t2", from: 365, to: 396, to: ada)),
            ],
            metrics: [
                "2025-01: gross 18.00 CNY, net 18.00 CNY, proceeds 12.60 CNY, MRR 18.00 CNY (new 18.00 CNY), subscribers 1 (new 1)",
                "2025-02: MRR 0.00 CNY (ended -18.00 CNY), subscribers 0 (ended -1), lost 1",
                "2026-01: gross 18.00 CNY, net 18.00 CNY, proceeds 12.60 CNY, MRR 18.00 CNY (back 18.00 CNY), subscribers 1 (back 1)",
            ],
            cohorts: [
                "2025-01: began 1 (paid 1 1), seen 1 (paid 1 1 1 1), ARPU 18.00 CNY, ARPPU 18.00 CNY, LTV 36.00 CNY (36.00 CNY), gained 1",
                "2025-02: lost 1",
                "2026-01: ARPU 18.00 CNY, ARPPU 18.00 CNY, regained 1",
            ]
        ),
        // Paused on 20 February, in the second of two paid months; resumes when the next one is paid in April.
        BookCase(
            "paused",
            [
                .told(.subscribed, on: 0, month), .told(.renewed, on: 31, .sold("t2", from: 31, to: 59, to: ada)),
                .told(.paused, on: 50, .sold("t2", from: 31, to: 59, to: ada)),
                .told(.renewed, on: 95, .sold("t3", from: 95, to: 125, to: ada)),
                .told(.expired, on: 125, .sold("t3", from: 95, to: 125, to: ada)),
            ],
            metrics: [
                "2025-01: gross 18.00 CNY, net 18.00 CNY, proceeds 12.60 CNY, MRR 18.00 CNY (new 18.00 CNY), subscribers 1 (new 1)",
                "2025-02: gross 18.00 CNY, net 18.00 CNY, proceeds 12.60 CNY, MRR 0.00 CNY (ended -18.00 CNY), subscribers 0 (ended -1), lost 1",
                "2025-04: gross 18.00 CNY, net 18.00 CNY, proceeds 12.60 CNY, MRR 18.00 CNY (back 18.00 CNY), subscribers 1 (back 1)",
                "2025-05: MRR 0.00 CNY (ended -18.00 CNY), subscribers 0 (ended -1), lost 1",
            ],
            cohorts: [
                "2025-01: began 1 (paid 1 1 1), seen 1 (paid 1 1 1 1), ARPU 18.00 CNY, ARPPU 18.00 CNY, LTV 54.00 CNY (54.00 CNY), gained 1",
                "2025-02: ARPU 18.00 CNY, ARPPU 18.00 CNY, lost 1",
                "2025-04: ARPU 18.00 CNY, ARPPU 18.00 CNY, regained 1",
                "2025-05: lost 1",
            ]
        ),
        // Paid until 25 February; the store lets her in until 4 March. Nothing happens in February: she stays a
        // subscriber.
        BookCase(
            "a grace period counts as paid",
            [
                .told(.subscribed, on: 27, .sold("t1", from: 27, to: 55, to: ada)),
                .told(
                    .gracePeriodEntered,
                    on: 55,
                    .sold("t1", from: 27, to: 55, to: ada),
                    RenewalTerms(renewsAutomatically: true, gracePeriodEndsAt: .day(62), isInBillingRetry: true)
                ),
                .told(.gracePeriodExpired, on: 62, .sold("t1", from: 27, to: 55, to: ada)),
            ],
            metrics: [
                "2025-01: gross 18.00 CNY, net 18.00 CNY, proceeds 12.60 CNY, MRR 18.00 CNY (new 18.00 CNY), subscribers 1 (new 1)",
                "2025-03: MRR 0.00 CNY (ended -18.00 CNY), subscribers 0 (ended -1), lost 1",
            ],
            cohorts: [
                "2025-01: began 1 (paid 1), seen 1 (paid 1 1 1 1), ARPU 18.00 CNY, ARPPU 18.00 CNY, LTV 18.00 CNY (18.00 CNY), gained 1",
                "2025-03: lost 1",
            ]
        ),
        // Somebody else paid.
        BookCase(
            "family sharing",
            [.told(.subscribed, on: 0, shared)],
            metrics: [],
            cohorts: [
                "2025-01: seen 1 (paid 0 0 0 0), gained 1"
            ]
        ),
        // 21 of the 31 days of 18.00 are left, and credited without a refund: 12.19. Of the 33.81 that stay the store keeps 30 %.
        // From 18.00 to 28.00 is 10.00 more.
        BookCase(
            "an upgrade in the middle of a period",
            [
                .told(.subscribed, on: 0, month),
                .told(.upgraded, on: 10, .sold("t2", from: 10, to: 41, for: .yuan(28), "premium.monthly", to: ada)),
            ],
            metrics: [
                "2025-01: gross 46.00 CNY, credits 12.19 CNY, net 33.81 CNY, proceeds 23.67 CNY, MRR 28.00 CNY (new 18.00 CNY, more 10.00 CNY), subscribers 1 (new 1)",
                "2025-02: MRR 0.00 CNY (ended -28.00 CNY), subscribers 0 (ended -1), lost 1",
            ],
            cohorts: [
                "2025-01: began 1 (paid 1 1), seen 1 (paid 1 1 1 1), ARPU 33.81 CNY, ARPPU 33.81 CNY, LTV 33.81 CNY (33.81 CNY), gained 1, raised 1",
                "2025-02: lost 1",
            ]
        ),
        // Of the 12.19 that were left at the upgrade 10.80 are refunded a moment later: 1.39 stay a credit.
        BookCase(
            "a refund of what was upgraded from",
            [
                .told(.subscribed, on: 0, month),
                .told(.upgraded, on: 10, .sold("t2", from: 10, to: 41, for: .yuan(28), "premium.monthly", to: ada)),
                .told(.refunded, on: 10.001, month.takenBack(on: 10, percent: 60)),
            ],
            metrics: [
                "2025-01: gross 46.00 CNY, refunds 10.80 CNY, refunds of charges 10.80 CNY, credits 1.39 CNY, net 33.81 CNY, proceeds 23.67 CNY, MRR 28.00 CNY (new 18.00 CNY, more 10.00 CNY), subscribers 1 (new 1)",
                "2025-02: MRR 0.00 CNY (ended -28.00 CNY), subscribers 0 (ended -1), lost 1",
            ],
            cohorts: [
                "2025-01: began 1 (paid 1 1), seen 1 (paid 1 1 1 1), ARPU 33.81 CNY, ARPPU 33.81 CNY, LTV 33.81 CNY (33.81 CNY), gained 1, raised 1",
                "2025-02: lost 1",
            ]
        ),
        // Ended on 1 February, back on the 10th: one end, but no subscriber of January is lost to February.
        BookCase(
            "resubscribed within a period",
            [
                .told(.subscribed, on: 0, month), .told(.expired, on: 31, month),
                .told(.resubscribed, on: 40, .sold("t2", from: 40, to: 68, to: ada)),
                .told(.expired, on: 68, .sold("t2", from: 40, to: 68, to: ada)),
            ],
            metrics: [
                "2025-01: gross 18.00 CNY, net 18.00 CNY, proceeds 12.60 CNY, MRR 18.00 CNY (new 18.00 CNY), subscribers 1 (new 1)",
                "2025-02: gross 18.00 CNY, net 18.00 CNY, proceeds 12.60 CNY, MRR 18.00 CNY (back 18.00 CNY, ended -18.00 CNY), subscribers 1 (back 1, ended -1)",
                "2025-03: MRR 0.00 CNY (ended -18.00 CNY), subscribers 0 (ended -1), lost 1",
            ],
            cohorts: [
                "2025-01: began 1 (paid 1 1), seen 1 (paid 1 1 1 1), ARPU 18.00 CNY, ARPPU 18.00 CNY, LTV 36.00 CNY (36.00 CNY), gained 1",
                "2025-02: ARPU 18.00 CNY, ARPPU 18.00 CNY, regained 1, lost 1",
                "2025-03: lost 1",
            ]
        ),
        // Ada paid in January and Bob in February, for one subscription: each counts with their own payments. Of the two who were
        // seen up to February that is 9.00 each. The subscription is one that came back.
        BookCase(
            "resubscribed by another account",
            [
                .told(.subscribed, on: 0, month), .told(.expired, on: 31, month),
                .told(.resubscribed, on: 40, .sold("t2", from: 40, to: 68, to: bob)),
                .told(.expired, on: 68, .sold("t2", from: 40, to: 68, to: bob)),
            ],
            metrics: [
                "2025-01: gross 18.00 CNY, net 18.00 CNY, proceeds 12.60 CNY, MRR 18.00 CNY (new 18.00 CNY), subscribers 1 (new 1)",
                "2025-02: gross 18.00 CNY, net 18.00 CNY, proceeds 12.60 CNY, MRR 18.00 CNY (back 18.00 CNY, ended -18.00 CNY), subscribers 1 (back 1, ended -1)",
                "2025-03: MRR 0.00 CNY (ended -18.00 CNY), subscribers 0 (ended -1), lost 1",
            ],
            cohorts: [
                "2025-01: began 1 (paid 1 1), seen 1 (paid 1 1 1 1), ARPU 18.00 CNY, ARPPU 18.00 CNY, LTV 18.00 CNY (18.00 CNY), gained 1",
                "2025-02: seen 1 (paid 1 1 1 1), ARPU 9.00 CNY, ARPPU 18.00 CNY, LTV 18.00 CNY (18.00 CNY), regained 1, lost 1",
                "2025-03: lost 1",
            ]
        ),
        BookCase(
            "the sandbox",
            [sandbox],
            metrics: [],
            cohorts: []
        ),
        // Each amount stays in its own currency; yuan and dollars are not added. 2.99 less 30 % is 2.093, so 2.09. The revenue of
        // cohorts is in yuan: there is no rate of the dollar, so its 2.99 are left out, and 18.00 for two are 9.00.
        BookCase(
            "two currencies",
            [
                .told(.subscribed, on: 0, .sold("t1", from: 0, to: 400, to: ada)),
                .told(.subscribed, on: 5, .sold("u1", of: "u1", from: 5, to: 400, for: dollars, to: bob)),
            ],
            metrics: [
                "2025-01: gross 18.00 CNY, net 18.00 CNY, proceeds 12.60 CNY, gross 2.99 USD, net 2.99 USD, proceeds 2.09 USD, MRR 1.37 CNY (new 1.37 CNY), MRR 0.23 USD (new 0.23 USD), subscribers 2 (new 2)"
            ],
            cohorts: [
                "2025-01: began 2 (paid 2), seen 2 (paid 2 2 2 2), ARPU 9.00 CNY, ARPPU 9.00 CNY, LTV 9.00 CNY (9.00 CNY), gained 2"
            ]
        ),
        // Two pay in November, one again in December: 18.00 a payer. Of the two at the start of December one is lost, 50 %: a payer
        // may bring 18.00 / 0.5 = 36.00 in all. The two have brought 54.00, 27.00 each.
        BookCase(
            "one of two is lost",
            [
                .told(.subscribed, on: 325, .sold("t1", from: 325, to: 355, to: ada)),
                .told(.subscribed, on: 326, .sold("u1", of: "u1", from: 326, to: 356, to: bob)),
                .told(.renewed, on: 356, .sold("u2", of: "u1", from: 356, to: 387, to: bob)),
            ],
            metrics: [
                "2025-11: gross 36.00 CNY, net 36.00 CNY, proceeds 25.20 CNY, MRR 36.00 CNY (new 36.00 CNY), subscribers 2 (new 2)",
                "2025-12: gross 18.00 CNY, net 18.00 CNY, proceeds 12.60 CNY, MRR 18.00 CNY (ended -18.00 CNY), subscribers 1 (ended -1), lost 1",
            ],
            cohorts: [
                "2025-11: began 2 (paid 2 1), seen 2 (paid 2 2 2 2), ARPU 18.00 CNY, ARPPU 18.00 CNY, LTV 27.00 CNY (27.00 CNY), gained 2",
                "2025-12: ARPU 9.00 CNY, ARPPU 18.00 CNY, lost 1, predicted LTV 36.00 CNY",
            ]
        ),
        // 31 January at 18:00 in UTC is 1 February at 02:00 in Shanghai, and 28 February at 18:00 is 1 March.
        BookCase(
            "the end of a month in Shanghai",
            [.told(.subscribed, on: 30.75, .sold("t1", from: 30.75, to: 58.75, to: ada))],
            metrics: [
                "2025-02: gross 18.00 CNY, net 18.00 CNY, proceeds 12.60 CNY, MRR 18.00 CNY (new 18.00 CNY), subscribers 1 (new 1)",
                "2025-03: MRR 0.00 CNY (ended -18.00 CNY), subscribers 0 (ended -1), lost 1",
            ],
            cohorts: [
                "2025-02: began 1 (paid 1), seen 1 (paid 1 1 1 1), ARPU 18.00 CNY, ARPPU 18.00 CNY, LTV 18.00 CNY (18.00 CNY), gained 1",
                "2025-03: lost 1",
            ]
        ),
    ]

    private static var shared: StoreTransaction {
        var copy = StoreTransaction.sold("t1", from: 0, to: 400, to: ada)
        copy.isFamilyShared = true
        return copy
    }

    private static var sandbox: StoreEvent {
        var event = StoreEvent.told(.subscribed, on: 0, month)
        event.environment = .sandbox
        return event
    }

    private static var dollars: Money? { Currency("USD").map { Money(minorUnits: 299, currency: $0) } }
}
