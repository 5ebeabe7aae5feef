import Billing
import Foundation
import Operations
import Postgres
import Storage
import Testing

@Suite("Refund cases that a store opens") struct StoreCaseTests {
    private static let sold = RefundOffice.sold
    private static let opened = "RF-000001 full pending 12800 f"

    @Test("a store that asks what we think opens a case for all that is left, with its clock and the customer's reason")
    func opens() async throws {
        try await RefundOffice.run { desk in
            try await desk.office.live(.asked(on: 19.75, Self.sold, because: .unsatisfied))
            #expect(try await desk.requests() == [Self.opened])
            #expect(
                try await desk.office.lines(Self.clock)
                    == [
                        "apple true UNSATISFIED_WITH_PURCHASE 2025-01-20 18:00:00+00 2025-01-20 18:00:00+00 2025-01-21 06:00:00+00"
                    ]
            )
            #expect(try await desk.audit() == ["apple refund.request RF-000001 t"])
            #expect(try await desk.office.notifications().allSatisfy { $0.hasSuffix(": processed") })
        }
    }

    @Test("a repeated question is of the same case, before and after somebody decided, until the store decides")
    func repeats() async throws {
        try await RefundOffice.run { desk in
            try await desk.office.live(.asked(on: 19.75, Self.sold), .asked(on: 20, Self.sold))
            #expect(try await desk.requests() == [Self.opened])
            #expect(
                try await desk.office.lines(Self.clock)
                    == ["apple true 2025-01-20 18:00:00+00 2025-01-21 00:00:00+00 2025-01-21 06:00:00+00"]
            )
            try await desk.reject("RF-000001")
            try await desk.office.live(.asked(on: 20.25, Self.sold))
            #expect(try await desk.requests() == ["RF-000001 full rejected 12800 DECLINE f"])
            #expect(
                try await desk.office.lines(Self.clock).first?.contains("2025-01-21 06:00:00+00 2025-01-21") == true
            )
            try await desk.office.live(.told(.refundDeclined, on: 21, Self.sold), .asked(on: 22, Self.sold))
            #expect(
                try await desk.requests() == [
                    "RF-000001 full rejected 12800 DECLINE f", "RF-000002 full pending 12800 f",
                ]
            )
        }
    }

    @Test("an earlier question that arrives late moves the clock back")
    func late() async throws {
        try await RefundOffice.run { desk in
            try await desk.office.live(.asked(on: 20, Self.sold))
            try await desk.office.live(.asked(on: 19.75, Self.sold))
            #expect(
                try await desk.office.lines(Self.clock)
                    == ["apple true 2025-01-20 18:00:00+00 2025-01-21 00:00:00+00 2025-01-21 06:00:00+00"]
            )
        }
    }

    @Test("a refund of the store closes the case with what it gave back")
    func refunded() async throws {
        try await RefundOffice.run { desk in
            try await desk.office.live(
                .asked(on: 19.75, Self.sold),
                .told(.refunded, on: 21, Self.sold.takenBack(on: 21, percent: 50))
            )
            #expect(try await desk.requests() == ["RF-000001 full processed 12800 12800 6400 store t"])
            #expect(try await desk.office.lines(Self.decision) == ["apple apple refunded 2025-01-22 00:00:00+00"])
            #expect(try await desk.audit().last == "apple refund.process RF-000001 t")
        }
    }

    @Test("a refund that the store declines closes the case")
    func declined() async throws {
        try await RefundOffice.run { desk in
            try await desk.office.live(
                .asked(on: 19.75, Self.sold),
                .told(.refundDeclined, on: 21, Self.sold)
            )
            #expect(try await desk.requests() == ["RF-000001 full rejected 12800 f"])
            #expect(try await desk.office.lines(Self.decision) == ["apple apple declined 2025-01-22 00:00:00+00"])
            #expect(try await desk.audit().last == "apple refund.decline RF-000001 t")
        }
    }

    @Test("what was rejected here and refunded there says both")
    func refundedAnyway() async throws {
        try await RefundOffice.run { desk in
            try await desk.office.live(.asked(on: 19.75, Self.sold))
            try await desk.reject("RF-000001")
            try await desk.office.live(.told(.refunded, on: 21, Self.sold.takenBack(on: 21)))
            #expect(try await desk.requests() == ["RF-000001 full rejected 12800 DECLINE f"])
            #expect(
                try await desk.office.lines(Self.decision)
                    == ["ada@example.com ada@example.com refunded 2025-01-22 00:00:00+00"]
            )
            #expect(try await desk.audit().last == "apple refund.change RF-000001 t")
            #expect(try await desk.office.ledger().count == 2)
        }
    }

    @Test("nothing is opened for what the store decided meanwhile, what is too old, and what was given back")
    func nothingToOpen() async throws {
        try await RefundOffice.run { desk in
            try await desk.office.live(.told(.refundDeclined, on: 19.9, Self.sold), .asked(on: 19.75, Self.sold))
            #expect(try await desk.requests().isEmpty)
            desk.office.clock.set(.day(60))
            try await desk.office.live(.asked(on: 29, Self.sold))
            #expect(try await desk.requests().isEmpty)
            try await desk.office.live(
                .told(.refunded, on: 50, Self.sold.takenBack(on: 50)),
                .asked(on: 51, Self.sold)
            )
            #expect(try await desk.requests().isEmpty)
        }
    }

    @Test("an agent's request is refused while the case is open, and any admin may decide it")
    func agents() async throws {
        try await RefundOffice.run { desk in
            try await desk.office.live(.asked(on: 19.75, Self.sold))
            #expect(await rejectionReason { try await desk.ask(.full) }?.code == .conflict)
            try await desk.approve("RF-000001")
            #expect(try await desk.requests() == ["RF-000001 full approved 12800 12800 GRANT_FULL f"])
        }
    }

    private static let clock: Query = """
        SELECT concat_ws(' ', requested_as, opened_by_store::text, consumption_reason, consumption_requested_at,
            consumption_last_requested_at, consumption_due_at)
        FROM refund_requests ORDER BY number
        """
    private static let decision: Query = """
        SELECT concat_ws(' ', decided_as, finished_as, CASE WHEN store_refunded_at IS NOT NULL THEN 'refunded' END,
            CASE WHEN store_declined_at IS NOT NULL THEN 'declined' END, coalesce(store_refunded_at, store_declined_at))
        FROM refund_requests ORDER BY number
        """
}

extension StoreEvent {
    /// Returns the store's consumption request.
    static func asked(
        on day: Double,
        _ transaction: StoreTransaction,
        because reason: ConsumptionReason? = nil
    ) -> StoreEvent {
        var event = told(.refundRequested, on: day, transaction)
        event.consumptionReason = reason
        return event
    }
}
