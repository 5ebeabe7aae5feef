import Billing
import Foundation
import Operations
import Postgres
import Storage
import Testing

@Suite("The refund desk") struct RefundWorkflowTests {
    @Test("a refund is asked for, approved by another person, paid by hand and in the books, with an entry a step")
    func life() async throws {
        try await RefundOffice.run { desk in
            let number = try await desk.ask(.partial, .yuan(40))
            #expect(number == "RF-000001")
            #expect(try await desk.requests() == ["RF-000001 partial pending 4000 f"])
            try await desk.approve(number)
            #expect(try await desk.requests() == ["RF-000001 partial approved 4000 4000 GRANT_PRORATED f"])
            #expect(try await desk.office.orders() == ["t1 initial_purchase completed 12800 0 CNY PRO of apple:t1"])
            try await desk.pay(number, by: .elsewhere, "  bank   transfer 77 ")
            #expect(
                try await desk.requests() == ["RF-000001 partial processed 4000 4000 4000 GRANT_PRORATED elsewhere f"]
            )
            #expect(
                try await desk.office.orders() == [
                    "t1 initial_purchase partially_refunded 12800 4000 CNY PRO of apple:t1"
                ]
            )
            #expect(
                try await desk.office.ledger() == [
                    "t1 initial_purchase 12800 charge", "t1 refund -4000 request:RF-000001",
                ]
            )
            #expect(
                try await desk.office.lines("SELECT payment_reference FROM refund_requests") == ["bank transfer 77"]
            )
            #expect(
                try await desk.audit() == [
                    "sue@example.com refund.request RF-000001 t", "ada@example.com refund.approve RF-000001 t",
                    "ada@example.com refund.process RF-000001 t",
                ]
            )
            #expect(
                try await desk.office.lines(
                    """
                    SELECT concat_ws(' | ', before ->> 'status', after ->> 'status', after ->> 'approvedAmount', reason)
                    FROM audit_entries WHERE action = 'refund.approve'
                    """
                ) == ["pending | approved | 40.00 | customer_request: The customer bought it by mistake."]
            )
        }
    }

    @Test("amounts are worked out from what is left after other open requests")
    func amounts() async throws {
        try await RefundOffice.run { desk in
            _ = try await desk.ask(.partial, .yuan(100))
            #expect(await rejectionReason { try await desk.ask(.partial, .yuan(29)) }?.field == "amount")
            _ = try await desk.ask(.full)
            #expect(await rejectionReason { try await desk.ask(.full) }?.code == .conflict)
            #expect(
                try await desk.requests() == [
                    "RF-000001 partial pending 10000 f", "RF-000002 full pending 2800 f",
                ]
            )
            _ = try await desk.backOffice.cancelRefund(
                "RF-000001",
                app: desk.app,
                reason: RefundOffice.reason,
                caller: desk.sue
            )
            // 345 of 365 days are unused: 120.99, of which 100.00 is left.
            _ = try await desk.ask(.prorated)
            #expect(try await desk.requests().last == "RF-000003 prorated pending 10000 f")
        }
    }

    @Test("a prorated amount is the one that was shown, and what was shown must still be so")
    func shown() async throws {
        try await RefundOffice.run { desk in
            desk.office.clock.set(.day(100))
            let shown = Date.day(100)
            desk.office.clock.set(.day(100.03))
            let command = RefundCommand(kind: .prorated, shownAt: shown, shownLeft: .yuan(128))
            _ = try await desk.backOffice.requestRefund(
                of: RefundOffice.order,
                app: desk.app,
                command,
                reason: RefundOffice.reason,
                caller: desk.sue
            )
            // 128.00 × 265 / 365
            #expect(try await desk.requests() == ["RF-000001 prorated pending 9293 f"])
            let stale = await rejectionReason {
                try await desk.backOffice.requestRefund(
                    of: RefundOffice.order,
                    app: desk.app,
                    command,
                    reason: RefundOffice.reason,
                    caller: desk.sue
                )
            }
            #expect(stale?.code == .stale)
        }
    }

    @Test("a request of another app is not there")
    func otherApp() async throws {
        try await RefundOffice.run { desk in
            let number = try await desk.ask()
            let other = App.ID(UUID())
            let refused = await rejectionReason {
                try await desk.backOffice.approveRefund(
                    number,
                    app: other,
                    RefundOffice.typed,
                    reason: RefundOffice.reason,
                    caller: .commandLine
                )
            }
            #expect(refused?.code == .notFound)
        }
    }

    @Test("a rejected Apple refund answers the store with DECLINE, and nothing can follow")
    func reject() async throws {
        try await RefundOffice.run { desk in
            let number = try await desk.ask()
            _ = try await desk.backOffice.rejectRefund(
                number,
                app: desk.app,
                reason: RefundOffice.reason,
                version: 1,
                caller: desk.ada
            )
            #expect(try await desk.requests() == ["RF-000001 full rejected 12800 DECLINE f"])
            let again = await rejectionReason { try await desk.approve(number, by: desk.bea) }
            #expect(again?.code == .conflict)
            #expect(again?.message.contains("RF-000001 was rejected by ada@example.com at 2025-01-21") == true)
            let stale = await rejectionReason {
                try await desk.backOffice.rejectRefund(
                    number,
                    app: desk.app,
                    reason: RefundOffice.reason,
                    version: 1,
                    caller: desk.bea
                )
            }
            #expect(stale?.code == .stale)
        }
    }

    @Test("a form sent twice has one effect and one answer")
    func twice() async throws {
        try await RefundOffice.run { desk in
            let staff = try #require(desk.sue.staff)
            let key = try IdempotencyKey("k1", of: staff.uuid, for: ["refund.request", RefundOffice.order])
            func send() async throws -> ActionOutcome {
                try await desk.backOffice.requestRefund(
                    of: RefundOffice.order,
                    app: desk.app,
                    RefundCommand(kind: .partial, amount: .yuan(10)),
                    reason: RefundOffice.reason,
                    key: key,
                    caller: desk.sue
                )
            }
            let first = try await send()
            let second = try await send()
            #expect((first.result, first.auditEntry) == (second.result, second.auditEntry))
            #expect(try await desk.requests().count == 1)
            #expect(try await desk.audit().count == 1)
        }
    }

    @Test("what nobody acts on ends after the app's days: a question to the store too, a promise of ours never")
    func expiry() async throws {
        try await RefundOffice.run { desk in
            let asked = try await desk.ask(.partial, .yuan(10))
            let approved = try await desk.ask(.partial, .yuan(20))
            let promised = try await desk.ask(.partial, .yuan(30))
            try await desk.approve(approved)
            try await desk.approve(promised)
            _ = try await desk.office.pool.query(
                "UPDATE refund_requests SET expires_at = NULL WHERE number = \(promised)"
            )
            desk.office.clock.set(.day(49.9))
            #expect(try await desk.backOffice.expireRefunds() == 0)
            desk.office.clock.set(.day(50))
            #expect(try await desk.backOffice.expireRefunds() == 2)
            #expect(try await desk.backOffice.expireRefunds() == 0)
            #expect(
                try await desk.requests().map { $0.split(separator: " ")[2] } == ["expired", "expired", "approved"]
            )
            #expect(
                try await desk.audit().suffix(2).sorted() == [
                    "perennial refund.expire \(asked) t", "perennial refund.expire \(approved) t",
                ]
            )
        }
    }

    @Test("numbers are counted per app, and no two requests made at once have the same")
    func numbers() async throws {
        try await RefundOffice.run { desk in
            let numbers = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<40 { group.addTask { try await desk.ask(.partial, .yuan(3)) } }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
            #expect(numbers == Set((1...40).map { RefundNumber($0).description }))
        }
    }
}
