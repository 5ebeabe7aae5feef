import Billing
import Foundation
import Operations
import Postgres
import Storage
import Testing

extension RefundWorkflowTests {
    @Test("four eyes: whoever asked is refused and written down, until the app allows it for small amounts")
    func fourEyes() async throws {
        try await RefundOffice.run { desk in
            try await desk.leaveRefundsToUs()
            let number = try await desk.ask(.partial, .yuan(10), by: desk.ada)
            let refused = await rejectionReason { try await desk.approve(number) }
            #expect(refused?.code == .forbidden)
            #expect(try await desk.requests() == ["RF-000001 partial pending 1000 f"])
            #expect(try await desk.audit().last == "ada@example.com access.deny RF-000001 t")
            var catalog = try Catalog.readmigo()
            catalog.refunds.selfApprovalLimit = .yuan(11)
            #expect(try await desk.backOffice.applyCatalog(catalog).changes == ["changed app readmigo"])
            #expect(try await desk.backOffice.applyCatalog(catalog).changes == [])
            try await desk.approve(number)
            #expect(try await desk.office.lines("SELECT self_approved::text FROM refund_requests") == ["true"])
            let large = try await desk.ask(.partial, .yuan(11), by: desk.ada)
            #expect(await rejectionReason { try await desk.approve(large) }?.code == .forbidden)
            try await desk.approve(large, by: desk.bea)
        }
    }

    @Test("19 and 19 of one order are not approved alone under a limit of 20, nor 19 and 19 of two orders on one day")
    func ownSums() async throws {
        try await RefundOffice.run { desk in
            try await desk.leaveRefundsToUs()
            var catalog = try Catalog.readmigo()
            catalog.refunds.selfApprovalLimit = .yuan(20)
            _ = try await desk.backOffice.applyCatalog(catalog)
            try await desk.approve(try await desk.ask(.partial, .yuan(19), by: desk.ada))
            let second = try await desk.ask(.partial, .yuan(19), by: desk.ada)
            let refused = await rejectionReason { try await desk.approve(second) }
            #expect(refused?.code == .forbidden)
            #expect(refused?.message.contains("19.00") == true && refused?.message.contains("order") == true)
            #expect(try await desk.audit().last == "ada@example.com access.deny \(second) t")
            // It is the order's limit: it also holds on another day, and for another admin who approves their own request.
            desk.office.clock.set(.day(25))
            #expect(await rejectionReason { try await desk.approve(second) }?.code == .forbidden)
            let third = try await desk.ask(.partial, .yuan(19), by: desk.bea)
            #expect(await rejectionReason { try await desk.approve(third, by: desk.bea) }?.code == .forbidden)
            #expect(
                try await desk.requests().map { $0.split(separator: " ")[2] } == ["approved", "pending", "pending"]
            )
            try await desk.approve(second, by: desk.bea)
        }
    }

    @Test("an amount in another currency counts at the rate of the day, and without a rate as more than any limit")
    func otherCurrencies() async throws {
        try await RefundOffice.run { desk in
            var catalog = try Catalog.readmigo()
            catalog.refunds.selfApprovalLimit = .yuan(20)
            _ = try await desk.backOffice.applyCatalog(catalog)
            let pound = try #require(Currency("GBP"))
            func pounds(_ pence: Int64) -> Money { Money(minorUnits: pence, currency: pound) }
            let sold = StoreTransaction.sold("t2", of: "t2", from: 19, to: 400, for: pounds(5_000))
            try await desk.office.live(.told(.subscribed, on: 19, sold))
            try await desk.leaveRefundsToUs()
            let order = try #require(
                try await desk.office.lines("SELECT number FROM orders WHERE transaction_id = 't2'").first
            )
            func ask(_ pence: Int64) async throws -> String {
                try await desk.backOffice.requestRefund(
                    of: order,
                    app: desk.app,
                    RefundCommand(kind: .partial, amount: pounds(pence)),
                    reason: RefundOffice.reason,
                    caller: desk.ada
                ).result
            }
            func refusal(_ number: String, by caller: Caller) async -> OperationsError.Code? {
                await rejectionReason { try await desk.approve(number, RefundApproval(), by: caller) }?.code
            }
            func worth(_ number: String) async throws -> Money? {
                try await desk.office.database.read {
                    try await $0.screens.refund(number: number, app: desk.app, seesPersonalData: false)?.weight.amount
                }
            }
            let half = try await ask(50)
            #expect(try await worth(half) == nil)
            #expect(await refusal(half, by: desk.ada) == .forbidden)
            #expect(await refusal(half, by: desk.bea) == .invalid)
            // 1 GBP is 9.20 CNY.
            _ = try await desk.office.lines(
                """
                INSERT INTO exchange_rates (currency, day, per_euro)
                VALUES ('GBP', '2025-01-20', 0.85), ('CNY', '2025-01-20', 7.82)
                RETURNING currency
                """
            )
            #expect(try await worth(half) == Money(minorUnits: 460, currency: .cny))
            try await desk.approve(half, RefundApproval(), by: desk.ada)
            // 4.60 and 16.10 are above 20 together.
            let more = try await ask(175)
            #expect(await refusal(more, by: desk.ada) == .forbidden)
            try await desk.approve(more, RefundApproval(), by: desk.bea)
            // 79.21 and the 20.70 before them are still below 100; with 0.18 more they are not.
            try await desk.approve(try await ask(861), RefundApproval(), by: desk.bea)
            let last = try await ask(2)
            #expect(await refusal(last, by: desk.bea) == .invalid)
            try await desk.approve(
                last,
                RefundApproval(confirmation: RefundPolicy.confirmation(of: order)),
                by: desk.bea
            )
        }
    }

    @Test("what one admin approved today counts until midnight of the app's clock, what was taken back does not")
    func ownDay() async throws {
        try await RefundOffice.run { desk in
            var catalog = try Catalog.readmigo()
            catalog.refunds.selfApprovalLimit = .yuan(20)
            _ = try await desk.backOffice.applyCatalog(catalog)
            let sold = StoreTransaction.sold("t2", of: "t2", from: 19, to: 400, for: .yuan(50))
            try await desk.office.live(.told(.subscribed, on: 19, sold))
            let other = try #require(
                try await desk.office.lines("SELECT number FROM orders WHERE transaction_id = 't2'").first
            )
            try await desk.leaveRefundsToUs()
            // 23:30 in Shanghai.
            desk.office.clock.set(.day(20 + 15.5 / 24))
            let first = try await desk.ask(.partial, .yuan(19), by: desk.ada)
            try await desk.approve(first)
            let second = try await desk.backOffice.requestRefund(
                of: other,
                app: desk.app,
                RefundCommand(kind: .partial, amount: .yuan(19)),
                reason: RefundOffice.reason,
                caller: desk.ada
            ).result
            let refused = await rejectionReason { try await desk.approve(second) }
            #expect(refused?.code == .forbidden && refused?.message.contains("today") == true)
            desk.office.clock.set(.day(20 + 16.5 / 24))
            try await desk.approve(second)
            _ = try await desk.backOffice.cancelRefund(
                first,
                app: desk.app,
                reason: RefundOffice.reason,
                caller: desk.ada
            )
            desk.office.clock.set(.day(22))
            try await desk.approve(try await desk.ask(.partial, .yuan(18), by: desk.ada))
        }
    }

    @Test("what adds up to the threshold on one order, or by one admin on one day, is typed")
    func confirmedSums() async throws {
        try await RefundOffice.run { desk in
            try await desk.leaveRefundsToUs()
            let (first, second) = (try await desk.ask(.partial, .yuan(60)), try await desk.ask(.partial, .yuan(60)))
            try await desk.approve(first, RefundApproval())
            desk.office.clock.set(.day(25))
            for admin in [desk.ada, desk.bea] {
                let refused = await rejectionReason { try await desk.approve(second, RefundApproval(), by: admin) }
                #expect(refused?.field == "confirmation")
            }
            try await desk.approve(second)
        }
    }

    @Test("from the threshold on the order's last six characters are typed")
    func confirmation() async throws {
        try await RefundOffice.run { desk in
            try await desk.leaveRefundsToUs()
            let small = try await desk.ask(.partial, .yuan(28))
            let large = try await desk.ask(.partial, .yuan(100))
            try await desk.approve(small, RefundApproval())
            for typed in [nil, "", "1-0002"] {
                let refused = await rejectionReason {
                    try await desk.approve(large, RefundApproval(confirmation: typed))
                }
                #expect(refused?.field == "confirmation")
            }
            try await desk.approve(large)
        }
    }

    @Test("roles: an analyst only looks, support asks and takes back its own, an admin decides")
    func roles() async throws {
        try await RefundOffice.run { desk in
            #expect(await rejectionReason { try await desk.ask(by: desk.ann) }?.code == .forbidden)
            let number = try await desk.ask(.partial, .yuan(10))
            let other = try await desk.ask(.partial, .yuan(10), by: desk.ada)
            let (office, app, reason) = (desk.backOffice, desk.app, RefundOffice.reason)
            for caller in [desk.sue, desk.ann] {
                #expect(await rejectionReason { try await desk.approve(number, by: caller) }?.code == .forbidden)
                #expect(
                    await rejectionReason {
                        try await office.rejectRefund(number, app: app, reason: reason, caller: caller)
                    }?
                    .code
                        == .forbidden
                )
                #expect(
                    await rejectionReason {
                        try await office.cancelRefund(other, app: app, reason: reason, caller: caller)
                    }?
                    .code
                        == .forbidden
                )
            }
            _ = try await office.cancelRefund(number, app: app, reason: reason, caller: desk.sue)
            try await desk.approve(other, by: desk.bea)
            // The person who asked can no longer withdraw an approved request, unless they may decide.
            let third = try await desk.ask(.partial, .yuan(10))
            try await desk.approve(third)
            #expect(
                await rejectionReason {
                    try await office.cancelRefund(third, app: app, reason: reason, caller: desk.sue)
                }?.code
                    == .forbidden
            )
            _ = try await office.cancelRefund(third, app: app, reason: reason, caller: desk.bea)
            #expect(try await desk.audit().count { $0.contains("access.deny") } == 8)
            #expect(
                try await desk.requests().map { $0.split(separator: " ")[2] } == ["cancelled", "approved", "cancelled"]
            )
        }
    }
}
