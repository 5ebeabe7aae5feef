import Billing
import Foundation
import Gateways
import Jobs
import Operations
import Postgres
import Storage
import StoreSimulator
import Testing

@Suite("What Apple is asked about purchases, and told") struct ApplePurchaseTests {
    @Test("an order id leads to its transactions at Apple, and to what is here of them")
    func order() async throws {
        try await ConnectedOffice.run { office in
            let known = try await Self.sell(office)
            let found = try await office.backOffice.lookUpOrder(
                " m\(known.transaction) ",
                of: try await office.office.app()
            )
            #expect(found.id == "M\(known.transaction)")
            let transaction = try #require(found.transactions.first { $0.id == known.transaction })
            #expect(transaction.known?.orderNumber == known.order)
            #expect(transaction.known?.customer == known.customer)
            #expect(transaction.known?.subscription != nil)
            #expect(transaction.price != nil)
            #expect(transaction.purchasedAt != nil)
        }
    }

    @Test("what is no order id, or no order of the app, says so")
    func unknown() async throws {
        try await ConnectedOffice.run { office in
            let app = try await office.office.app()
            for (text, code) in [
                ("", OperationsError.Code.invalid), ("M K", .invalid), ("MK\0", .invalid), ("测试", .invalid),
                (String(repeating: "9", count: 100_000), .invalid), ("../../x", .invalid),
                ("M9223372036854775808", .notFound),
            ] {
                let error = await #expect(throws: OperationsError.self) {
                    _ = try await office.backOffice.lookUpOrder(text, of: app)
                }
                #expect(error?.code == code, "\(text.prefix(20))")
                #expect(error?.field == "order")
            }
            await office.store.stop()
            let error = await #expect(throws: OperationsError.self) {
                _ = try await office.backOffice.lookUpOrder("MK5TTTVWJH", of: app)
            }
            #expect(error?.code == .overloaded)
        }
    }

    @Test("Apple is told whose a purchase is; the log says who told it and why, at the customer")
    func accountToken() async throws {
        try await ConnectedOffice.run { office in
            let (known, token) = (try await Self.sell(office), UUID())
            try await set(token, of: known.original, office)
            let told = try #require(office.store.asked.last { $0.contains("appAccountToken") })
            #expect(told.hasPrefix("PUT"))
            let log =
                "SELECT concat_ws(' ', object_type, object_id, after, reason) FROM audit_entries WHERE action = 'store.account_token'"
            let line = try #require(try await office.lines(Query(unsafe: log)).first)
            #expect(line.hasPrefix("customer \(known.customer) "))
            #expect(line.contains(token.uuidString.lowercased()))
            #expect(line.hasSuffix("testing: It was for a test alone."))
            let answer = try await office.backOffice.lookUpOrder(
                "M\(known.transaction)",
                of: try await office.office.app()
            )
            #expect(answer.transactions.first?.id == known.transaction)
        }
    }

    @Test(
        "Apple is told of the account that a subscription was transferred to, and of the former one when that is undone, even if it was away"
    )
    func transfer() async throws {
        try await ConnectedOffice.run { office in
            let known = try await Self.sell(office)
            let app = try await office.office.app()
            let row = try #require(
                try await office.office.pool.query(
                    """
                    SELECT s.id, c.key, other.id, other.key FROM subscriptions s
                    JOIN customers c ON c.id = s.customer_id JOIN customers other ON other.id <> c.id
                    WHERE s.original_transaction_id = \(known.original) AND s.environment = 'production'
                        AND other.key NOT LIKE '%:%' LIMIT 1
                    """
                ).first
            )
            let (subscription, owner, receiver, token) = try row.decode(
                Subscription.ID.self,
                String.self,
                Customer.ID.self,
                String.self
            )
            let admin = try await office.office.staff("admin@example.com", .admin)
            func change(_ command: EntitlementCommand) async throws {
                _ = try await office.backOffice.change(
                    known.customer,
                    of: app,
                    command,
                    reason: try Reason(category: "correction", text: "They share the device."),
                    key: nil,
                    version: nil,
                    caller: admin
                )
            }
            func told() -> [String] { office.store.asked.filter { $0.contains("appAccountToken") } }
            func tokens() async throws -> [String] {
                try await office.lines(
                    """
                    SELECT concat_ws(' ', actor, object_id, after::jsonb ->> 'appAccountToken')
                    FROM audit_entries WHERE action = 'store.account_token' ORDER BY 1
                    """
                )
            }
            try await change(.transfer(subscription, to: receiver))
            let port = try #require(URL(string: office.store.url())?.port)
            await office.store.stop()
            _ = try await JobWorker(backOffice: office.backOffice).drain()
            #expect(told().isEmpty)
            #expect(try await tokens().isEmpty)
            let waiting = try await office.count("jobs WHERE kind = 'account_token' AND last_error IS NOT NULL")
            #expect(waiting == 1)

            try await office.store.start(port: port)
            try await office.office.pool.withConnection {
                try await $0.execute(script: "UPDATE jobs SET scheduled_at = now() WHERE kind = 'account_token'")
            }
            _ = try await JobWorker(backOffice: office.backOffice).drain()
            #expect(told().count == 1)
            #expect(try await tokens() == ["perennial \(receiver) \(token)"])

            let undone = try await office.lines("SELECT id::text FROM entitlement_actions WHERE kind = 'transfer'")
            let action = try #require(undone.first.flatMap { UUID(uuidString: $0) })
            try await change(.undo(EntitlementActionRecord.ID(action)))
            _ = try await JobWorker(backOffice: office.backOffice).drain()
            #expect(told().count == 2)
            // The clock stands still: lines of one time have no last one.
            let both = ["perennial \(receiver) \(token)", "perennial \(known.customer) \(owner)"]
            #expect(try await tokens() == both.sorted())
        }
    }

    @Test("a purchase that Apple does not know is not written down")
    func unknownPurchase() async throws {
        try await ConnectedOffice.run { office in
            for (original, code) in [
                ("", OperationsError.Code.invalid), ("1.5", .invalid), ("12\0", .invalid),
                ("-9223372036854775808", .invalid),
                (String(repeating: "9", count: 100_000), .invalid), ("10000000000000000000", .notFound),
            ] {
                let error = await #expect(throws: OperationsError.self) { try await set(UUID(), of: original, office) }
                #expect(error?.code == code, "\(original.prefix(20))")
            }
            let written = try await office.count("audit_entries WHERE action = 'store.account_token'")
            #expect(written == 0)
        }
    }

    private func set(_ token: UUID, of original: String, _ office: ConnectedOffice) async throws {
        _ = try await office.backOffice.setAppAccountToken(
            token,
            of: original,
            in: .production,
            of: try await office.office.app(),
            reason: Reason(.testing, "It was for a test alone."),
            key: nil,
            caller: .commandLine
        )
    }

    /// Sells a subscription in production.
    private static func sell(
        _ office: ConnectedOffice
    ) async throws -> (transaction: String, original: String, order: String, customer: Customer.ID) {
        let lives = SimulatedSubscribers(seed: 3, customers: 5, months: 3, endingAt: TestOffice.start)
        let all = lives.notifications().filter { $0.environment == .production }
        let signer = AppleSigner(authority: try TestOffice.authority.get())
        office.store.record(all, as: .arrived)
        try await office.receive(try all.map(signer.sign))
        let row = try #require(
            try await office.office.pool.query(
                """
                SELECT transaction_id, original_transaction_id, number, customer_id FROM orders
                WHERE environment = 'production' AND subscription_id IS NOT NULL ORDER BY number LIMIT 1
                """
            ).first
        )
        return try row.decode(String.self, String.self, String.self, Customer.ID.self)
    }
}
