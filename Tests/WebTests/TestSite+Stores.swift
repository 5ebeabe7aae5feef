import Billing
import Foundation
import Postgres

extension TestSite {
    static var readmigoID: App.ID { Identifier(UUID(uuidString: readmigo) ?? UUID()) }

    /// Readmigo's account at Apple, without a key; so nothing here asks Apple.
    func addStoreAccount() async throws {
        _ = try await pool.query(
            """
            INSERT INTO store_accounts (app_id, store, identifier, environment, settings)
            VALUES (\(Self.readmigoID), 'apple', 'com.readmigo.app', 'store', '{"appAppleId": "1600000001"}')
            """
        )
    }

    /// The rows of a query that gives one text each.
    func lines(_ query: String) async throws -> [String] {
        try await pool.query(Query(unsafe: query)).map { try $0.decode(0, as: String.self) }
    }
}
