import Billing
import Foundation

extension GoldenScenarios {
    static let refunds = [
        // 128.00 a year is 10.67 a month. Refunded on 10 February: of that day in the cash view, of January in the charge's.
        BookCase(
            "refunded in full",
            [.told(.subscribed, on: 10, year), .told(.refunded, on: 40, year.takenBack(on: 40))],
            metrics: [
                "2025-01: gross 128.00 CNY, refunds of charges 128.00 CNY, net 128.00 CNY, proceeds 89.60 CNY, MRR 10.67 CNY (new 10.67 CNY), subscribers 1 (new 1)",
                "2025-02: refunds 128.00 CNY, net -128.00 CNY, proceeds -89.60 CNY, MRR 0.00 CNY (ended -10.67 CNY), subscribers 0 (ended -1), lost 1",
            ],
            cohorts: [
                "2025-01: began 1 (paid none), seen 1 (paid 1 1 1 1), ARPU 128.00 CNY, ARPPU 128.00 CNY, LTV 0.00 CNY (0.00 CNY), gained 1",
                "2025-02: ARPU -128.00 CNY, lost 1",
            ]
        ),
        // 75 % of 128.00 is 96.00; the store ends the rest of the year with it.
        BookCase(
            "refunded in part",
            [.told(.subscribed, on: 10, year), .told(.refunded, on: 40, year.takenBack(on: 40, percent: 75))],
            metrics: [
                "2025-01: gross 128.00 CNY, refunds of charges 96.00 CNY, net 128.00 CNY, proceeds 89.60 CNY, MRR 10.67 CNY (new 10.67 CNY), subscribers 1 (new 1)",
                "2025-02: refunds 96.00 CNY, net -96.00 CNY, proceeds -67.20 CNY, MRR 0.00 CNY (ended -10.67 CNY), subscribers 0 (ended -1), lost 1",
            ],
            cohorts: [
                "2025-01: began 1 (paid 1), seen 1 (paid 1 1 1 1), ARPU 128.00 CNY, ARPPU 128.00 CNY, LTV 32.00 CNY (32.00 CNY), gained 1",
                "2025-02: ARPU -96.00 CNY, lost 1",
            ]
        ),
        // On 12 March the store takes the refund back: less than no refunds that month, and access from then on.
        BookCase(
            "a refund that was taken back",
            [
                .told(.subscribed, on: 10, year), .told(.refunded, on: 40, year.takenBack(on: 40)),
                .told(.refundReversed, on: 70, year),
            ],
            metrics: [
                "2025-01: gross 128.00 CNY, net 128.00 CNY, proceeds 89.60 CNY, MRR 10.67 CNY (new 10.67 CNY), subscribers 1 (new 1)",
                "2025-02: refunds 128.00 CNY, net -128.00 CNY, proceeds -89.60 CNY, MRR 0.00 CNY (ended -10.67 CNY), subscribers 0 (ended -1), lost 1",
                "2025-03: refunds -128.00 CNY, net 128.00 CNY, proceeds 89.60 CNY, MRR 10.67 CNY (back 10.67 CNY), subscribers 1 (back 1)",
            ],
            cohorts: [
                "2025-01: began 1 (paid 1), seen 1 (paid 1 1 1 1), ARPU 128.00 CNY, ARPPU 128.00 CNY, LTV 128.00 CNY (128.00 CNY), gained 1",
                "2025-02: ARPU -128.00 CNY, lost 1",
                "2025-03: ARPU 128.00 CNY, regained 1",
            ]
        ),
        // The second month is refunded on 15 February: from then on she has paid for the first period alone. February is 0.00.
        BookCase(
            "a full refund ends retention",
            [
                .told(.subscribed, on: 0, month), .told(.renewed, on: 31, second),
                .told(.refunded, on: 45, second.takenBack(on: 45)),
            ],
            metrics: [
                "2025-01: gross 18.00 CNY, net 18.00 CNY, proceeds 12.60 CNY, MRR 18.00 CNY (new 18.00 CNY), subscribers 1 (new 1)",
                "2025-02: gross 18.00 CNY, refunds 18.00 CNY, refunds of charges 18.00 CNY, MRR 0.00 CNY (ended -18.00 CNY), subscribers 0 (ended -1), lost 1",
            ],
            cohorts: [
                "2025-01: began 1 (paid 1), seen 1 (paid 1 1 1 1), ARPU 18.00 CNY, ARPPU 18.00 CNY, LTV 18.00 CNY (18.00 CNY), gained 1",
                "2025-02: lost 1",
            ]
        ),
    ]
}
