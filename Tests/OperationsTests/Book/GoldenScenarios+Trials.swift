import Billing
import Foundation

extension GoldenScenarios {
    static let trials = [
        // The year after the trial is the first paid period.
        BookCase(
            "a trial that converted",
            [
                .told(.subscribed, on: 0, trial),
                .told(.renewed, on: 7, .sold("t2", from: 7, to: 372, for: .yuan(128), "pro.yearly", to: ada)),
            ],
            metrics: [
                "2025-01: gross 128.00 CNY, net 128.00 CNY, proceeds 89.60 CNY, MRR 10.67 CNY (new 10.67 CNY), subscribers 1 (new 1), trials 1, converted 1"
            ],
            cohorts: [
                "2025-01: began 1 (paid 1), seen 1 (paid 1 1 1 1), ARPU 128.00 CNY, ARPPU 128.00 CNY, LTV 128.00 CNY (128.00 CNY), gained 1"
            ]
        ),
        BookCase(
            "a trial that runs",
            [
                .told(
                    .subscribed,
                    on: 360,
                    .sold("t1", from: 360, to: 367, for: .yuan(0), "pro.yearly", to: ada, trial: true)
                )
            ],
            metrics: ["2025-12: trials 1, pending 1"],
            cohorts: [
                "2025-12: seen 1 (paid 0 0 0 0), gained 1"
            ]
        ),
        BookCase(
            "a trial that was abandoned",
            [
                .told(.subscribed, on: 0, trial),
                .told(.autoRenewDisabled, on: 3, trial, RenewalTerms(renewsAutomatically: false)),
                .told(.expired, on: 7, trial),
            ],
            metrics: ["2025-01: trials 1, abandoned 1"],
            cohorts: [
                "2025-01: seen 1 (paid 0 0 0 0), gained 1, lost 1"
            ]
        ),
        // Seen on 28 January, paid on 4 February: within seven days. The trial is January's, the subscription February's.
        BookCase(
            "a trial that converted over the end of a month",
            [
                .told(.subscribed, on: 27, .sold("t1", from: 27, to: 34, for: .yuan(0), to: ada, trial: true)),
                .told(.renewed, on: 34, .sold("t2", from: 34, to: 62, to: ada)),
            ],
            metrics: [
                "2025-01: trials 1, converted 1",
                "2025-02: gross 18.00 CNY, net 18.00 CNY, proceeds 12.60 CNY, MRR 18.00 CNY (new 18.00 CNY), subscribers 1 (new 1)",
                "2025-03: MRR 0.00 CNY (ended -18.00 CNY), subscribers 0 (ended -1), lost 1",
            ],
            cohorts: [
                "2025-01: seen 1 (paid 1 1 1 1), LTV 18.00 CNY (18.00 CNY), gained 1",
                "2025-02: began 1 (paid 1), ARPU 18.00 CNY, ARPPU 18.00 CNY",
                "2025-03: lost 1",
            ]
        ),
        // Seen on 1 January, paid on 10 February: after forty days, so neither within 7 nor within 30, but within 90.
        BookCase(
            "a customer who paid after forty days",
            [
                .told(
                    .subscribed,
                    on: 0,
                    .sold("t1", from: 0, to: 40, for: .yuan(0), "pro.yearly", to: ada, trial: true)
                ),
                .told(.renewed, on: 40, .sold("t2", from: 40, to: 405, for: .yuan(128), "pro.yearly", to: ada)),
            ],
            metrics: [
                "2025-01: trials 1, converted 1",
                "2025-02: gross 128.00 CNY, net 128.00 CNY, proceeds 89.60 CNY, MRR 10.67 CNY (new 10.67 CNY), subscribers 1 (new 1)",
            ],
            cohorts: [
                "2025-01: seen 1 (paid 0 0 1 1), LTV 128.00 CNY (128.00 CNY), gained 1",
                "2025-02: began 1 (paid 1), ARPU 128.00 CNY, ARPPU 128.00 CNY",
            ]
        ),
    ]
}
