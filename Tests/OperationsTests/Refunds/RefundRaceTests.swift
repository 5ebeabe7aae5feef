import Billing
import Foundation
import Operations
import Postgres
import Storage
import TestSupport
import Testing

@Suite("Many hands on one refund") struct RefundRaceTests {
    private static let rounds = TestScale.rounds(200, sampled: 10)
    private static let hands = 50

    @Test("of 50 simultaneous approvals one decides and 49 are told who; then 50 pay, and one entry is booked")
    func race() async throws {
        try await RefundOffice.run { desk in
            var admins: [Caller] = []
            for index in 0..<Self.hands { admins.append(try await desk.office.hire("admin\(index)", .admin)) }
            for round in 0..<Self.rounds {
                let subscription = "race\(round)"
                let sold = StoreTransaction.sold(subscription, of: subscription, from: 19, to: 49)
                try await desk.office.live(.told(.subscribed, on: 19, sold))
                let order = try #require(
                    try await desk.office.lines("SELECT number FROM orders WHERE transaction_id = \(subscription)")
                        .first
                )
                let number = try await desk.backOffice.requestRefund(
                    of: order,
                    app: desk.app,
                    RefundCommand(kind: .full),
                    reason: RefundOffice.reason,
                    caller: desk.sue
                ).result
                let approvals = await Self.all(admins) { admin in
                    try await desk.backOffice.approveRefund(
                        number,
                        app: desk.app,
                        // One admin's approvals of a day grow beyond the threshold.
                        RefundApproval(confirmation: RefundPolicy.confirmation(of: order)),
                        reason: RefundOffice.reason,
                        version: round.isMultiple(of: 2) ? 1 : nil,
                        caller: admin
                    )
                }
                try await Self.expectOne(approvals, number, "approved", round, desk)
                let payments = await Self.all(admins) { admin in
                    try await desk.backOffice.processRefund(
                        number,
                        app: desk.app,
                        RefundPayment(payer: .store, reference: "RE-\(round)"),
                        reason: RefundOffice.reason,
                        version: round.isMultiple(of: 2) ? 2 : nil,
                        caller: admin
                    )
                }
                try await Self.expectOne(payments, number, "processed", round, desk)
            }
            #expect(
                try await desk.office.lines(
                    """
                    SELECT concat_ws(' ', action, count(*), count(DISTINCT object_id))
                    FROM audit_entries WHERE action LIKE 'refund.%' GROUP BY action ORDER BY action
                    """
                ) == ["approve", "process", "request"].map { "refund.\($0) \(Self.rounds) \(Self.rounds)" }
            )
            #expect(
                try await desk.office.lines(
                    """
                    SELECT concat_ws(' ', count(*), count(DISTINCT order_id), sum(amount))
                    FROM ledger_entries WHERE kind = 'refund'
                    """
                ) == ["\(Self.rounds) \(Self.rounds) \(Self.rounds * -1_800)"]
            )
        }
    }

    @Test(
        "of two own requests on two orders that one admin approves at once, only what stays below the day's limit passes"
    )
    func ownDay() async throws {
        try await RefundOffice.run { desk in
            var catalog = try Catalog.readmigo()
            catalog.refunds.selfApprovalLimit = .yuan(20)
            _ = try await desk.backOffice.applyCatalog(catalog)
            for round in 1...TestScale.rounds(20, sampled: 8) {
                desk.office.clock.set(.day(20 + Double(round)))
                var numbers: [String] = []
                for subscription in ["own\(round)a", "own\(round)b"] {
                    let sold = StoreTransaction.sold(subscription, of: subscription, from: 19, to: 400)
                    try await desk.office.live(.told(.subscribed, on: 19, sold))
                    try await desk.leaveRefundsToUs()
                    desk.office.clock.set(.day(20 + Double(round)))
                    let order = try await desk.office.lines(
                        "SELECT number FROM orders WHERE transaction_id = \(subscription)"
                    )
                    numbers.append(
                        try await desk.backOffice.requestRefund(
                            of: try #require(order.first),
                            app: desk.app,
                            RefundCommand(kind: .partial, amount: .yuan(15)),
                            reason: RefundOffice.reason,
                            caller: desk.ada
                        ).result
                    )
                }
                let outcomes = await Self.atOnce(numbers.map { ($0, desk.ada) }, desk)
                #expect(outcomes.count { $0 == nil } == 1 && outcomes.count { $0 == .forbidden } == 1, "round \(round)")
            }
        }
    }

    @Test("two admins who approve their own requests of one order at once do not get past its limit together")
    func ownOrder() async throws {
        try await RefundOffice.run { desk in
            var catalog = try Catalog.readmigo()
            catalog.refunds.selfApprovalLimit = .yuan(20)
            _ = try await desk.backOffice.applyCatalog(catalog)
            for round in 1...TestScale.rounds(20, sampled: 8) {
                let subscription = "pair\(round)"
                desk.office.clock.set(.day(20 + Double(round)))
                let sold = StoreTransaction.sold(
                    subscription,
                    of: subscription,
                    from: 19,
                    to: 400,
                    for: .yuan(128),
                    "pro.yearly"
                )
                try await desk.office.live(.told(.subscribed, on: 19, sold))
                try await desk.leaveRefundsToUs()
                let order = try #require(
                    try await desk.office.lines("SELECT number FROM orders WHERE transaction_id = \(subscription)")
                        .first
                )
                var asked: [(String, Caller)] = []
                for admin in [desk.ada, desk.bea] {
                    let number = try await desk.backOffice.requestRefund(
                        of: order,
                        app: desk.app,
                        RefundCommand(kind: .partial, amount: .yuan(15)),
                        reason: RefundOffice.reason,
                        caller: admin
                    ).result
                    asked.append((number, admin))
                }
                let outcomes = await Self.atOnce(asked, desk)
                #expect(outcomes.count { $0 == nil } == 1 && outcomes.count { $0 == .forbidden } == 1, "round \(round)")
            }
            let given = try await desk.office.lines(
                "SELECT DISTINCT sum(approved_amount)::text FROM refund_requests GROUP BY order_id"
            )
            #expect(given == ["1500"])
        }
    }

    @Test("two people who approve two requests of one order cannot give more than is left")
    func twoRequests() async throws {
        try await RefundOffice.run { desk in
            let first = try await desk.ask(.partial, .yuan(100))
            // A second request that holds more than is left can come about when a refund was reversed and booked again.
            let second = try await desk.ask(.partial, .yuan(28))
            _ = try await desk.office.pool.query(
                "UPDATE refund_requests SET requested_amount = 10000 WHERE number = \(second)"
            )
            let results = await Self.all([desk.ada, desk.bea]) { admin in
                try await desk.backOffice.approveRefund(
                    admin.actor == desk.ada.actor ? first : second,
                    app: desk.app,
                    RefundOffice.typed,
                    reason: RefundOffice.reason,
                    caller: admin
                )
            }
            #expect(results.count { (try? $0.get()) != nil } == 1)
            #expect(
                results.compactMap { result in
                    if case .failure(let error) = result { (error as? OperationsError)?.field } else { nil }
                } == ["amount"]
            )
            // SQL that goes around these rules meets the schema's.
            let error = await #expect(throws: PostgresError.self) {
                _ = try await desk.office.pool.query(
                    """
                    UPDATE refund_requests
                    SET status = 'approved', approved_amount = 10000, decided_as = 'eve', decided_at = now()
                    WHERE status = 'pending'
                    """
                )
            }
            #expect(error?.constraint == "approved_is_never_above_what_is_left")
        }
    }

    /// Approves requests at once, each by its own person; returns the error codes, nil for one that passed.
    private static func atOnce(_ asked: [(String, Caller)], _ desk: RefundOffice) async -> [OperationsError.Code?] {
        await withTaskGroup(of: OperationsError.Code?.self) { group in
            for (number, admin) in asked {
                group.addTask {
                    do {
                        try await desk.approve(number, by: admin)
                        return nil
                    } catch {
                        return (error as? OperationsError)?.code ?? .invalid
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    private static func all(
        _ admins: [Caller],
        _ body: @escaping @Sendable (Caller) async throws -> ActionOutcome
    ) async -> [Result<ActionOutcome, any Error>] {
        await withTaskGroup(of: Result<ActionOutcome, any Error>.self) { group in
            for admin in admins {
                group.addTask {
                    do { return .success(try await body(admin)) } catch { return .failure(error) }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    private static func expectOne(
        _ results: [Result<ActionOutcome, any Error>],
        _ number: String,
        _ word: String,
        _ round: Int,
        _ desk: RefundOffice
    ) async throws {
        #expect(results.count { (try? $0.get()) != nil } == 1, "round \(round)")
        let column = word == "approved" ? "decided_as" : "finished_as"
        let winner = try await desk.office.lines(
            "SELECT \(unsafe: column) FROM refund_requests WHERE number = \(number)"
        ).first
        let told = results.compactMap { result -> String? in
            guard case .failure(let error) = result, let error = error as? OperationsError else { return nil }
            return error.code == .stale || error.code == .conflict ? error.message : nil
        }
        #expect(told.count == hands - 1, "round \(round)")
        #expect(told.allSatisfy { $0.hasPrefix("\(number) was \(word) by \(winner ?? "?") at ") }, "round \(round)")
    }
}
