import Billing
import Foundation
import Operations
import Postgres
import Storage

/// Makes staff and customers, for tests of staff actions.
extension TestOffice {
    /// Makes an account without the cost of its password.
    func staff(_ email: String, _ role: StaffRole) async throws -> Caller {
        let id = UUID()
        _ = try await pool.query(
            """
            INSERT INTO staff (id, email, name, role, password_hash, created_at, updated_at)
            VALUES (\(id), \(email), \(email), \(role.rawValue), '-', now(), now())
            """
        )
        return Caller(.staff(Staff.ID(id)), actor: email, role: role)
    }

    /// Makes a customer who bought nothing.
    func customer(_ key: String, email: String? = nil) async throws -> Customer.ID {
        let id = UUID()
        _ = try await pool.query(
            """
            INSERT INTO customers (id, app_id, key, external_id, email, created_at)
            VALUES (\(id), \(try await app()), \(key), \("x-" + key), \(email), now())
            """
        )
        return Customer.ID(id)
    }

    /// Sells a month of Pro to a new customer, from today.
    func buyer(_ token: UUID = UUID(), subscription: String = "t1") async throws -> (Customer.ID, Subscription.ID) {
        let today = (Self.start.timeIntervalSince1970 - 1_735_689_600) / 86_400
        try await live(
            .told(
                .subscribed,
                on: today,
                .sold(subscription, of: subscription, from: today - 1, to: today + 29, to: token)
            )
        )
        let rows = try await pool.query(
            "SELECT customer_id, id FROM subscriptions WHERE original_transaction_id = \(subscription)"
        )
        guard let row = rows.first else { throw OperationsError(.notFound, "nothing was sold") }
        return try row.decode(Customer.ID.self, Subscription.ID.self)
    }

    func entitlementSources(_ customer: Customer.ID) async throws -> EntitlementSources {
        try await database.readPrimary { try await $0.entitlementSources.of([customer])[customer] }
            ?? EntitlementSources(customer: customer)
    }

    func entitlement(_ customer: Customer.ID) async throws -> Entitlement? {
        try await entitlementSources(customer).entitlement(at: database.now)
    }

    /// Returns an idempotency key as a form of this person has it.
    func key(_ text: String, _ caller: Caller, for command: String = "command") throws -> IdempotencyKey {
        try IdempotencyKey(text, of: caller.staff?.uuid ?? UUID(), for: [command])
    }
}
