import Billing
import Foundation
import Operations
import Postgres
import Storage
import TestSupport
import Testing

@Suite("staff change what a customer may use") struct ChangeEntitlementTests {
    static let reason = Reason(.goodwill, "The reader crashed all day.")
    static let day: TimeInterval = 86_400

    func rejectionReason(
        of body: () async throws -> ActionOutcome
    ) async -> (OperationsError.Code, ActionRefused.Code?)? {
        do {
            _ = try await body()
            return nil
        } catch let error as OperationsError {
            return (error.code, (error.underlying as? ActionRefused)?.code)
        } catch {
            return nil
        }
    }

    /// Returns the only action of a kind: the clock stands still, so the newest cannot be told by its time.
    private func action(
        _ kind: EntitlementActionRecord.Kind,
        of customer: Customer.ID,
        _ office: TestOffice
    ) async throws -> EntitlementActionRecord.ID {
        let all = try await office.database.readPrimary {
            try await $0.entitlementSources.actions(of: customer, limit: 50)
        }
        return try #require(all.first { $0.kind == kind }).id
    }

    @Test("a grant gives its plan until its end; ending it, and taking that back, is one action each")
    func grantAndEnd() async throws {
        try await TestOffice.run { office in
            let (app, admin) = (try await office.app(), try await office.staff("ada@example.com", .admin))
            let customer = try await office.customer("c1")
            @discardableResult func act(_ command: EntitlementCommand) async throws -> ActionOutcome {
                try await office.backOffice.change(
                    customer,
                    of: app,
                    command,
                    reason: Self.reason,
                    key: nil,
                    version: nil,
                    caller: admin
                )
            }
            try await act(.grant(plan: "PRO", .days(7)))
            let given = try await office.entitlement(customer)
            #expect(given?.plan.code == "PRO")
            #expect(given?.until == TestOffice.start + 7 * Self.day)
            let grant = try #require(try await office.entitlementSources(customer).grants.first)
            try await act(.revoke(.grant(grant.id)))
            #expect(try await office.entitlement(customer) == nil)
            try await act(.restore(.grant(grant.id)))
            #expect(try await office.entitlement(customer) == given)
            try await act(.extend(.grant(grant.id), days: 3))
            #expect(try await office.entitlement(customer)?.until == TestOffice.start + 10 * Self.day)
            try await act(.undo(try await action(.extend, of: customer, office)))
            #expect(try await office.entitlement(customer) == given)
            try await act(.changeTier(.grant(grant.id), plan: "PREMIUM"))
            #expect(try await office.entitlement(customer)?.plan.code == "PREMIUM")
            #expect(try await office.entitlement(customer)?.until == given?.until)
            office.clock.advance(by: 7 * Self.day)
            #expect(try await office.entitlement(customer) == nil)
            let audit = try await office.lines(
                """
                SELECT action
                FROM audit_entries e
                JOIN audit_chain c ON c.entry_id = e.id
                WHERE object_type = 'customer'
                ORDER BY c.number
                """
            )
            #expect(
                audit == [
                    "access.grant", "access.revoke", "access.restore", "access.extend", "access.undo",
                    "access.change_tier",
                ]
            )
        }
    }

    @Test("what is paid is never touched: extended, lifted, revoked and restored beside it")
    func paid() async throws {
        try await TestOffice.run { office in
            let (app, admin) = (try await office.app(), try await office.staff("ada@example.com", .admin))
            let (customer, subscription) = try await office.buyer()
            func act(_ command: EntitlementCommand) async throws {
                _ = try await office.backOffice.change(
                    customer,
                    of: app,
                    command,
                    reason: Self.reason,
                    key: nil,
                    version: nil,
                    caller: admin
                )
            }
            let before = try await office.everything()
            let paid = try await office.entitlement(customer)
            try await act(.extend(.subscription(subscription), days: 5))
            #expect(try await office.entitlement(customer)?.until == paid?.until?.addingTimeInterval(5 * Self.day))
            let extended = try await office.entitlement(customer)
            try await act(.changeTier(.subscription(subscription), plan: "PREMIUM"))
            #expect(try await office.entitlement(customer)?.plan.code == "PREMIUM")
            #expect(try await office.entitlement(customer)?.until == paid?.until)
            try await act(.revoke(.subscription(subscription)))
            #expect(try await office.entitlement(customer) == nil)
            try await act(.restore(.subscription(subscription)))
            #expect(try await office.entitlement(customer)?.plan.code == "PREMIUM")
            let restored = try await action(.restore, of: customer, office)
            try await act(.undo(restored))
            #expect(try await office.entitlement(customer) == nil)
            let again = await rejectionReason {
                try await office.backOffice.change(
                    customer,
                    of: app,
                    .undo(restored),
                    reason: Self.reason,
                    key: nil,
                    version: nil,
                    caller: admin
                )
            }
            #expect(again?.1 == .changedSince)
            #expect(extended?.plan.code == "PRO")
            #expect(try await office.everything() == before)
        }
    }

    @Test(
        "a transfer moves subscription, orders and what follows; the store's next word leaves it there; undone it is back"
    )
    func transfer() async throws {
        try await TestOffice.run { office in
            let (app, admin) = (try await office.app(), try await office.staff("ada@example.com", .admin))
            let token = UUID()
            let (customer, subscription) = try await office.buyer(token)
            let other = try await office.customer("c2")
            func act(_ customer: Customer.ID, _ command: EntitlementCommand) async throws {
                _ = try await office.backOffice.change(
                    customer,
                    of: app,
                    command,
                    reason: Self.reason,
                    key: nil,
                    version: nil,
                    caller: admin
                )
            }
            try await act(customer, .extend(.subscription(subscription), days: 5))
            let before = try await office.entitlement(customer)
            try await act(customer, .transfer(subscription, to: other))
            #expect(try await office.entitlement(customer) == nil)
            #expect(try await office.entitlement(other) == before)
            let today = (TestOffice.start.timeIntervalSince1970 - 1_735_689_600) / 86_400
            try await office.live(
                .told(.renewed, on: today + 1, .sold("t2", from: today + 29, to: today + 59, to: token))
            )
            #expect(try await office.entitlement(other) != nil)
            #expect(try await office.lines("SELECT DISTINCT customer_id::text FROM orders") == [other.description])
            try await act(customer, .undo(try await action(.transfer, of: customer, office)))
            #expect(try await office.entitlement(other) == nil)
            #expect(try await office.entitlement(customer) != nil)
            #expect(try await office.lines("SELECT DISTINCT customer_id::text FROM orders") == [customer.description])
        }
    }

    @Test("support gives up to the app's limit, and takes back only what it did itself")
    func limits() async throws {
        try await TestOffice.run { office in
            let app = try await office.app()
            let (admin, support) = (
                try await office.staff("ada@example.com", .admin), try await office.staff("sue@example.com", .support)
            )
            let customer = try await office.customer("c1")
            func act(_ command: EntitlementCommand, _ caller: Caller) async throws -> ActionOutcome {
                try await office.backOffice.change(
                    customer,
                    of: app,
                    command,
                    reason: Self.reason,
                    key: nil,
                    version: nil,
                    caller: caller
                )
            }
            let above = await rejectionReason { try await act(.grant(plan: "PRO", .days(31)), support) }
            #expect(above?.0 == .invalid)
            #expect(above?.1 == .aboveLimit)
            _ = try await act(.grant(plan: "PRO", .days(31)), admin)
            let made = try await office.database.readPrimary {
                try await $0.entitlementSources.actions(of: customer, limit: 1)
            }
            #expect(await rejectionReason { try await act(.undo(made[0].id), support) }?.0 == .forbidden)
            _ = try await act(.undo(made[0].id), admin)
            _ = try await act(.grant(plan: "PRO", .days(30)), support)
            #expect(
                await rejectionReason { try await act(.grant(plan: "PREMIUM", .days(1)), support) }?.1 == .aboveLimit
            )
            #expect(try await office.count("entitlement_actions") == 3)
        }
    }

    @Test("the audit entry says before and after exactly as the forecast did")
    func auditEqualsForecast() async throws {
        try await TestOffice.run { office in
            let (app, admin) = (try await office.app(), try await office.staff("ada@example.com", .admin))
            let (customer, subscription) = try await office.buyer()
            let command = EntitlementCommand.revoke(.subscription(subscription))
            let forecast = try await office.backOffice.forecast(command, for: customer, of: app, caller: admin)
            #expect(forecast.decision.revokesPaid)
            _ = try await office.backOffice.change(
                customer,
                of: app,
                command,
                reason: Self.reason,
                key: nil,
                version: forecast.version,
                caller: admin
            )
            for side in ["before", "after"] {
                let kept = try await office.lines(
                    """
                    SELECT concat_ws('=', key, value)
                    FROM audit_entries, jsonb_each_text(\(unsafe: side))
                    WHERE action = 'access.revoke'
                    ORDER BY key
                    """
                )
                let shown = forecast.facts.map { fact in
                    let text = side == "before" ? fact.before.text : fact.after.text
                    return text.map { "\(fact.field.name)=\($0)" } ?? fact.field.name
                }
                #expect(kept == shown.sorted())
            }
            #expect(
                try await office.lines("SELECT reason FROM audit_entries WHERE action = 'access.revoke'") == [
                    "goodwill: The reader crashed all day."
                ]
            )
        }
    }

    @Test("a customer of another app is not there")
    func otherApp() async throws {
        try await TestOffice.run { office in
            let admin = try await office.staff("ada@example.com", .admin)
            let customer = try await office.customer("c1")
            let refused = await rejectionReason {
                try await office.backOffice.change(
                    customer,
                    of: App.ID(UUID()),
                    .grant(plan: "PRO", .days(3)),
                    reason: Self.reason,
                    key: nil,
                    version: nil,
                    caller: admin
                )
            }
            #expect(refused?.0 == .notFound)
        }
    }
}
