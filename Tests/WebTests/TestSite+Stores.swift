import Billing
import Foundation
import Postgres

extension TestSite {
    static var kombinID: App.ID {
        Identifier(UUID(uuidString: "00000000-0000-7000-8000-000000000002") ?? UUID())
    }
    static var readmigoID: App.ID { Identifier(UUID(uuidString: readmigo) ?? UUID()) }

    /// Adds readmigo's account at Apple, without a key; so no call here asks Apple.
    func addStoreAccount() async throws {
        _ = try await pool.query(
            """
            INSERT INTO store_accounts (app_id, store, identifier, environment, settings)
            VALUES (\(Self.readmigoID), 'apple', 'com.readmigo.app', 'store', '{"appAppleId": "1600000001"}')
            """
        )
    }

    /// Returns the rows of a query that returns one text each.
    func lines(_ query: String) async throws -> [String] {
        try await pool.query(Query(unsafe: query)).map { try $0.decode(0, as: String.self) }
    }
}
