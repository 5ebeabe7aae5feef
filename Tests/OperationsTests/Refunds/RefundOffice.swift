import Billing
import Foundation
import Operations
import Postgres
import Storage
import Testing

/// A back office with staff and a yearly order of 128.00, bought on day 0 (2025-01-01). The clock stands on day 20.
struct RefundOffice: Sendable {
    static let sold = StoreTransaction.sold("t1", from: 0, to: 365, for: .yuan(128), "pro.yearly")
    static let order = "ORD-20250101-0001"
    static let reason = Reason(.customerRequest, "The customer bought it by mistake.")
    /// The typed confirmation of an approval of 100.00 or more.
    static let typed = RefundApproval(confirmation: "1-0001")

    let office: TestOffice
    let app: App.ID
    let ada: Caller
    let bea: Caller
    let sue: Caller
    let ann: Caller

    var backOffice: BackOffice { office.backOffice }

    static func run<Value: Sendable>(_ body: (RefundOffice) async throws -> Value) async throws -> Value {
        try await TestOffice.run { office in
            try await office.live(.told(.subscribed, on: 0, sold))
            office.clock.set(.day(20))
            let refunds = RefundOffice(
                office: office,
                app: try await office.app(),
                ada: try await office.hire("ada", .admin),
                bea: try await office.hire("bea", .admin),
                sue: try await office.hire("sue", .support),
                ann: try await office.hire("ann", .analyst)
            )
            return try await body(refunds)
        }
    }

    /// Has the orders be of a store that leaves refunds to us: what is approved is what is paid back.
    func leaveRefundsToUs() async throws {
        _ = try await office.pool.query("UPDATE orders SET store = 'google'")
    }

    func ask(
        _ kind: Refund.Kind = .full,
        _ amount: Money? = nil,
        by caller: Caller? = nil
    ) async throws -> String {
        try await backOffice.requestRefund(
            of: Self.order,
            app: app,
            RefundCommand(kind: kind, amount: amount),
            reason: Self.reason,
            caller: caller ?? sue
        ).result
    }

    @discardableResult
    func approve(_ number: String, _ approval: RefundApproval = typed, by caller: Caller? = nil) async throws -> String
    {
        try await backOffice.approveRefund(number, app: app, approval, reason: Self.reason, caller: caller ?? ada)
            .result
    }

    @discardableResult
    func reject(_ number: String, by caller: Caller? = nil) async throws -> String {
        try await backOffice.rejectRefund(number, app: app, reason: Self.reason, caller: caller ?? ada).result
    }

    @discardableResult
    func pay(_ number: String, by payer: RefundPayer = .store, _ reference: String = "RE-1") async throws -> String {
        try await backOffice.processRefund(
            number,
            app: app,
            RefundPayment(payer: payer, reference: reference),
            reason: Self.reason,
            caller: ada
        ).result
    }

    /// Returns a line for each request: number, kind, status, amounts and more.
    func requests() async throws -> [String] {
        try await office.lines(
            """
            SELECT concat_ws(' ', number, kind, status, requested_amount, approved_amount, processed_amount, refund_preference,
                payer, store_reference IS NOT NULL)
            FROM refund_requests
            ORDER BY number
            """
        )
    }

    func audit() async throws -> [String] {
        try await office.lines(
            """
            SELECT concat_ws(' ', e.actor, e.action, e.object_id, e.app_id = (SELECT id FROM apps))
            FROM audit_entries e
            JOIN audit_chain c ON c.entry_id = e.id
            WHERE e.action LIKE 'refund.%' OR e.action = 'access.deny'
            ORDER BY c.number
            """
        )
    }
}

extension TestOffice {
    func hire(_ name: String, _ role: StaffRole) async throws -> Caller {
        let staff = Staff(
            id: Staff.ID(database.newUUID()),
            email: "\(name)@example.com",
            name: name,
            role: role,
            passwordHash: "-"
        )
        _ = try await database.write { try await $0.staff.insert(staff) }
        return Caller(.staff(staff.id), actor: staff.email, role: role)
    }
}

/// Returns the error of an operation that is refused.
func rejectionReason(_ body: () async throws -> some Any) async -> OperationsError? {
    await #expect(throws: OperationsError.self) { _ = try await body() }
}
