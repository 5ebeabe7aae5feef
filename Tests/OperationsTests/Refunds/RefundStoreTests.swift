import Billing
import Foundation
import Operations
import Postgres
import Storage
import Testing

@Suite("Refund requests and what the store says") struct RefundStoreTests {
    private static let sold = RefundOffice.sold

    @Test("the store's refund processes the request that was approved, in the transaction that books it")
    func processes() async throws {
        try await RefundOffice.run { desk in
            let number = try await desk.ask(.prorated)
            try await desk.approve(number)
            try await desk.office.live(.told(.refunded, on: 21, Self.sold.takenBack(on: 21, percent: 90)))
            #expect(
                try await desk.requests() == [
                    "RF-000001 prorated processed 12099 12099 11520 GRANT_PRORATED store t"
                ]
            )
            #expect(
                try await desk.office.ledger() == ["t1 initial_purchase 12800 charge", "t1 refund -11520 refund:TIME"]
            )
            #expect(try await desk.audit().last == "apple refund.process RF-000001 t")
            #expect(try await desk.office.notifications().allSatisfy { $0.hasSuffix(": processed") })
            let late = await rejectionReason { try await desk.pay(number) }
            #expect(late?.message.hasPrefix("RF-000001 was processed by apple at ") == true)
        }
    }

    @Test("hand first: the store's message about the same money confirms it and books nothing")
    func handFirst() async throws {
        try await RefundOffice.run { desk in
            try await desk.approve(try await desk.ask(.partial, .yuan(64)))
            try await desk.pay("RF-000001")
            let refund = StoreEvent.told(.refunded, on: 19, Self.sold.takenBack(on: 19, percent: 50))
            try await desk.office.live(refund)
            let ledger = ["t1 initial_purchase 12800 charge", "t1 refund -6400 request:RF-000001"]
            #expect(try await desk.office.ledger() == ledger)
            #expect(
                try await desk.requests() == ["RF-000001 partial processed 6400 6400 6400 GRANT_PRORATED store t"]
            )
            #expect(try await desk.audit().last == "apple refund.confirm RF-000001 t")
            // No later event moves the books again.
            try await desk.office.live(.told(.autoRenewDisabled, on: 22, Self.sold))
            #expect(try await desk.office.ledger() == ledger)
            #expect(try await desk.audit().count == 4)
            // Another refund is more money.
            try await desk.office.live(.told(.refunded, on: 30, Self.sold.takenBack(on: 30)))
            #expect(try await desk.office.ledger() == ledger + ["t1 refund -6400 refund:TIME"])
            #expect(
                try await desk.office.orders() == ["t1 initial_purchase refunded 12800 12800 CNY PRO of apple:t1"]
            )
        }
    }

    @Test("store first: what it gave back is left out of what a person can mark as paid")
    func storeFirst() async throws {
        try await RefundOffice.run { desk in
            let number = try await desk.ask(.full)
            try await desk.office.live(.told(.refunded, on: 19, Self.sold.takenBack(on: 19, percent: 50)))
            // It was refunded before anybody asked here, and for another amount: the request is still open.
            #expect(try await desk.requests() == ["RF-000001 full pending 12800 f"])
            #expect(await rejectionReason { try await desk.approve(number) }?.field == "amount")
            try await desk.approve(number, RefundApproval(amount: .yuan(64)))
            try await desk.pay(number, by: .elsewhere)
            #expect(
                try await desk.office.ledger() == [
                    "t1 initial_purchase 12800 charge", "t1 refund -6400 refund:TIME",
                    "t1 refund -6400 request:RF-000001",
                ]
            )
            try await desk.office.live(.told(.autoRenewDisabled, on: 22, Self.sold))
            #expect(try await desk.office.ledger().count == 3)
            #expect(
                try await desk.office.orders() == ["t1 initial_purchase refunded 12800 12800 CNY PRO of apple:t1"]
            )
        }
    }

    @Test("the store believed: less than was booked by hand is corrected, with the ledger's rows left as they are")
    func storeGaveLess() async throws {
        try await RefundOffice.run { desk in
            try await desk.approve(try await desk.ask(.full))
            try await desk.pay("RF-000001")
            #expect(
                try await desk.office.orders() == ["t1 initial_purchase refunded 12800 12800 CNY PRO of apple:t1"]
            )
            try await desk.office.live(.told(.refunded, on: 21, Self.sold.takenBack(on: 21, percent: 75)))
            #expect(
                try await desk.office.ledger() == [
                    "t1 initial_purchase 12800 charge", "t1 refund -12800 request:RF-000001",
                    "t1 refund_reversal 3200 request:RF-000001:corrected-1",
                ]
            )
            #expect(
                try await desk.office.orders() == [
                    "t1 initial_purchase partially_refunded 12800 9600 CNY PRO of apple:t1"
                ]
            )
            #expect(try await desk.requests() == ["RF-000001 full processed 12800 12800 9600 GRANT_FULL store t"])
        }
    }

    @Test("what the store gave back meanwhile cannot be marked as paid a second time")
    func tooLittleLeft() async throws {
        try await RefundOffice.run { desk in
            let number = try await desk.ask(.full)
            try await desk.approve(number)
            // From before the request and of another amount: not what was approved.
            try await desk.office.live(.told(.refunded, on: 10, Self.sold.takenBack(on: 10, percent: 50)))
            let refused = await rejectionReason { try await desk.pay(number) }
            #expect(refused?.code == .conflict)
            #expect(refused?.message.hasPrefix("Only 64.00 CNY is left of the charge") == true)
            #expect(try await desk.office.ledger().count == 2)
        }
    }

    @Test("a refund that the store declines ends the approval; one from before the request does not")
    func declined() async throws {
        try await RefundOffice.run { desk in
            try await desk.approve(try await desk.ask(.full))
            try await desk.office.live(.told(.refundDeclined, on: 19, Self.sold))
            #expect(try await desk.requests() == ["RF-000001 full approved 12800 12800 GRANT_FULL f"])
            try await desk.office.live(.told(.refundDeclined, on: 21, Self.sold))
            #expect(try await desk.requests() == ["RF-000001 full rejected 12800 12800 GRANT_FULL f"])
            #expect(
                try await desk.office.lines(
                    "SELECT concat_ws(' ', finished_as, store_declined_at) FROM refund_requests"
                ) == ["apple 2025-01-22 00:00:00+00"]
            )
            #expect(try await desk.audit().last == "apple refund.decline RF-000001 t")
            #expect(try await desk.office.ledger().count == 1)
        }
    }

    @Test("the store's question starts the clock of the requests that are open, and the first time counts")
    func deadline() async throws {
        let deadline: Query = """
            SELECT concat_ws(' ', coalesce(consumption_due_at::text, '-'), consumption_last_requested_at)
            FROM refund_requests ORDER BY number
            """
        try await RefundOffice.run { desk in
            _ = try await desk.ask(.partial, .yuan(10))
            #expect(try await desk.office.lines(deadline) == ["-"])
            try await desk.office.live(.told(.refundRequested, on: 20.25, Self.sold))
            #expect(
                try await desk.office.lines(deadline) == ["2025-01-21 18:00:00+00 2025-01-21 06:00:00+00"]
            )
            desk.office.clock.set(.day(21))
            _ = try await desk.ask(.partial, .yuan(10))
            try await desk.approve("RF-000002")
            try await desk.office.live(.told(.refundRequested, on: 21, Self.sold))
            #expect(
                try await desk.office.lines(deadline) == [
                    "2025-01-21 18:00:00+00 2025-01-22 00:00:00+00", "2025-01-22 12:00:00+00 2025-01-22 00:00:00+00",
                ]
            )
            // Weeks later the customer asks for another refund.
            desk.office.clock.set(.day(40))
            try await desk.office.live(.told(.refundRequested, on: 40, Self.sold))
            #expect(
                try await desk.office.lines(deadline)
                    == Array(
                        repeating: "2025-02-10 12:00:00+00 2025-02-10 00:00:00+00",
                        count: 2
                    )
            )
        }
    }

    @Test("a refund booked by hand that the store reverses is returned with the store's own")
    func reversed() async throws {
        try await RefundOffice.run { desk in
            try await desk.approve(try await desk.ask(.partial, .yuan(64)))
            try await desk.pay("RF-000001")
            try await desk.office.live(
                .told(.refunded, on: 19, Self.sold.takenBack(on: 19, percent: 50)),
                .told(.refundReversed, on: 25, Self.sold)
            )
            #expect(
                try await desk.office.orders() == ["t1 initial_purchase completed 12800 0 CNY PRO of apple:t1"]
            )
            #expect(
                try await desk.office.ledger() == [
                    "t1 initial_purchase 12800 charge", "t1 refund -6400 request:RF-000001",
                    "t1 refund_reversal 6400 reversal:TIME",
                ]
            )
        }
    }
}
