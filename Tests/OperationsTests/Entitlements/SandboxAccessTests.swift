import Billing
import Foundation
import Operations
import Postgres
import Storage
import Testing

@Suite("What a purchase of the sandbox gives") struct SandboxAccessTests {
    @Test("nothing, but to whom the app marks as a tester; and nothing again when they are none any more")
    func testers() async throws {
        try await TestOffice.run { office in
            let (token, customer) = try await Self.buyer(office, "PREMIUM", in: .sandbox)
            #expect(try await office.entitlement(customer) == nil)
            let (app, admin) = (try await office.app(), try await office.staff("ada@example.com", .admin))
            let version = try await Self.version(of: customer, office)
            let since = try await office.backOffice.mark(asTester: true, token: token, app: app, caller: admin)
            #expect(since == office.clock.read())
            #expect(try await office.entitlement(customer)?.plan.code == "PREMIUM")
            #expect(try await Self.version(of: customer, office) > version)
            // A repetition changes nothing.
            _ = try await office.backOffice.mark(asTester: true, token: token, app: app, caller: admin)
            #expect(try await office.backOffice.mark(asTester: false, token: token, app: app, caller: admin) == nil)
            #expect(try await office.entitlement(customer) == nil)
            let log = try await office.lines(
                "SELECT action FROM audit_entries WHERE action LIKE 'customer.%tester' ORDER BY at, action"
            )
            #expect(log == ["customer.mark_tester", "customer.unmark_tester"])
            let support = try await office.staff("bob@example.com", .support)
            await #expect(throws: OperationsError.self) {
                try await office.backOffice.mark(asTester: true, token: token, app: app, caller: support)
            }
        }
    }

    @Test("to everybody what it is of, where the app's catalogue says so, as while a store reviews the app")
    func everybody() async throws {
        try await TestOffice.run { office in
            let (_, customer) = try await Self.buyer(office, "PREMIUM", in: .sandbox)
            var catalog = try Catalog.readmigo()
            catalog.sandboxAccess = .everybody
            #expect(try await office.backOffice.applyCatalog(catalog).changes == ["changed app readmigo"])
            #expect(try await office.entitlement(customer)?.plan.code == "PREMIUM")
            #expect(try await office.backOffice.applyCatalog(catalog).changes.isEmpty)
        }
    }

    @Test("never more than what is paid for, though it is of a higher plan")
    func paid() async throws {
        try await TestOffice.run { office in
            let (token, customer) = try await Self.buyer(office, "PRO", in: .production)
            let app = try await office.app()
            _ = try await Self.buyer(office, "PREMIUM", in: .sandbox, token, "t2")
            let admin = try await office.staff("ada@example.com", .admin)
            _ = try await office.backOffice.mark(asTester: true, token: token, app: app, caller: admin)
            #expect(try await office.entitlement(customer)?.plan.code == "PRO")
            office.clock.advance(by: 40 * 86_400)
            #expect(try await office.entitlement(customer)?.plan.code == "PREMIUM")
        }
    }

    @Test("a tester who signs in stays one")
    func merged() async throws {
        try await TestOffice.run { office in
            let (token, device) = try await Self.buyer(office, "PRO", in: .sandbox)
            let (app, admin) = (try await office.app(), try await office.staff("ada@example.com", .admin))
            _ = try await office.backOffice.mark(asTester: true, token: token, app: app, caller: admin)
            let account = try await office.customer("account")
            try await office.database.write { try await $0.customers.merge(device, into: account, of: app) }
            #expect(try await office.entitlement(account)?.plan.code == "PRO")
        }
    }

    /// Sells 39 days in production, or 99 in the sandbox, from yesterday.
    private static func buyer(
        _ office: TestOffice,
        _ plan: String,
        in environment: StoreEnvironment,
        _ token: UUID = UUID(),
        _ subscription: String = "t1"
    ) async throws -> (UUID, Customer.ID) {
        let today = (TestOffice.start.timeIntervalSince1970 - 1_735_689_600) / 86_400
        let end = today + (environment == .sandbox ? 99 : 39)
        var event = StoreEvent.told(
            .subscribed,
            on: today,
            .sold(subscription, of: subscription, from: today - 1, to: end, to: token)
        )
        event.environment = environment
        event.transaction.productID = "com.readmigo.\(plan.lowercased()).monthly"
        try await office.live(event)
        let rows = try await office.pool.query("SELECT id FROM customers WHERE app_account_token = \(token)")
        return (token, try #require(rows.first).decode(0, as: Customer.ID.self))
    }

    private static func version(of customer: Customer.ID, _ office: TestOffice) async throws -> Int {
        try await office.pool.query("SELECT version FROM entitlement_versions WHERE customer_id = \(customer)")[0]
            .decode(0, as: Int.self)
    }
}
