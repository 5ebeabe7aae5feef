package import Billing
import Postgres

/// The name of a customer.
package struct CustomerName: Sendable {
    package var key: String
    package var name: Personal<String>?
    package var email: Personal<String>?

    /// The name, else the e-mail address, as far as the reader may see them, else the app's key.
    package func shown(to reader: some PersonalDataReader) -> String {
        name?.shown(to: reader) ?? email?.shown(to: reader) ?? key
    }
}

extension CustomerName {
    /// Of the columns `key`, `name`, `email`.
    init(row: Row) throws {
        (key, name, email) = try row.decode(String.self, Personal<String>?.self, Personal<String>?.self)
    }
}

extension EntitlementSourceReads {
    package func name(of customer: Customer.ID) async throws -> CustomerName? {
        try await reader.query("SELECT key, name, email FROM customers WHERE id = \(customer)").first
            .map(CustomerName.init(row:))
    }

    /// The customers of an app that a text means: by key of ours, the app's own id, or e-mail address.
    package func customers(named text: String, app: App.ID) async throws -> [Customer.ID] {
        try await reader.query(BulkWrites.customers(named: [text], of: app)).map {
            try $0.decode(1, as: Customer.ID.self)
        }
    }
}

extension EntitlementSourceReads {
    /// The app of that name, and customers of it who bought something that ended and hold no grant.
    package func lapsedCustomers(of slug: String, limit: Int) async throws -> (App.ID?, [Customer.ID]) {
        let rows = try await reader.query(
            """
            SELECT a.id, c.id
            FROM apps a
            JOIN customers c ON c.app_id = a.id
            WHERE a.slug = \(slug)
                AND EXISTS (SELECT FROM subscriptions s WHERE s.customer_id = c.id AND s.state = 'expired')
                AND NOT EXISTS (SELECT FROM subscriptions s WHERE s.customer_id = c.id AND s.state <> 'expired')
                AND NOT EXISTS (SELECT FROM grants g WHERE g.customer_id = c.id)
            ORDER BY c.key
            LIMIT \(limit)
            """
        ).map { try $0.decode(App.ID.self, Customer.ID.self) }
        return (rows.first?.0, rows.map(\.1))
    }
}
