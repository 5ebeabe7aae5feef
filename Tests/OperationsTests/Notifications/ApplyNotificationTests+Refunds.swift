import Billing
import Postgres
import Testing

extension ApplyNotificationTests {
    @Test("a refund that comes before its purchase is booked when the purchase comes")
    func refundBeforePurchase() async throws {
        try await TestOffice.run { office in
            try await office.live(.told(.refunded, on: 5, Self.month.takenBack(on: 5)))
            #expect(try await office.subscriptions() == ["t1 revoked t1 pro.monthly of apple:t1"])
            #expect(try await office.orders().isEmpty)
            try await office.live(.told(.subscribed, on: 0, Self.month))
            #expect(try await office.subscriptions() == ["t1 revoked t1 pro.monthly of apple:t1"])
            #expect(try await office.orders() == ["t1 initial_purchase refunded 1800 1800 CNY PRO of apple:t1"])
            #expect(try await office.ledger() == ["t1 initial_purchase 1800 charge", "t1 refund -1800 refund:TIME"])
            #expect(
                try await office.lines("SELECT refunded_at::text FROM orders") == ["2025-01-06 00:00:00+00"]
            )
        }
    }

    @Test("a partial refund that comes after the full one is corrected by a row beside it", arguments: [false, true])
    func corrections(_ isShuffled: Bool) async throws {
        try await TestOffice.run { office in
            let part = StoreEvent.told(.refunded, on: 10, Self.month.takenBack(on: 10, percent: 60))
            let rest = StoreEvent.told(.refunded, on: 20, Self.month.takenBack(on: 20))
            try await office.live(.told(.subscribed, on: 0, Self.month))
            try await office.live(isShuffled ? rest : part)
            try await office.live(isShuffled ? part : rest)
            #expect(try await office.orders() == ["t1 initial_purchase refunded 1800 1800 CNY PRO of apple:t1"])
            let expected =
                isShuffled
                ? [
                    "t1 initial_purchase 1800 charge", "t1 refund -1080 refund:TIME", "t1 refund -1800 refund:TIME",
                    "t1 refund_reversal 1080 refund:TIME:corrected-1",
                ]
                : ["t1 initial_purchase 1800 charge", "t1 refund -1080 refund:TIME", "t1 refund -720 refund:TIME"]
            #expect(try await office.ledger() == expected)
            #expect(
                try await office.lines("SELECT refunded_at::text FROM orders") == ["2025-01-21 00:00:00+00"]
            )
        }
    }

    @Test("a refund that is reversed leaves the charge as it was")
    func reversal() async throws {
        try await TestOffice.run { office in
            try await office.live(
                .told(.subscribed, on: 0, Self.month),
                .told(.refunded, on: 5, Self.month.takenBack(on: 5)),
                .told(.refundReversed, on: 9, Self.month)
            )
            #expect(try await office.orders() == ["t1 initial_purchase completed 1800 0 CNY PRO of apple:t1"])
            #expect(try await office.lines("SELECT coalesce(refunded_at::text, 'no') FROM orders") == ["no"])
            #expect(try await office.lines("SELECT sum(amount)::text FROM ledger_entries") == ["1800"])
        }
    }
}
