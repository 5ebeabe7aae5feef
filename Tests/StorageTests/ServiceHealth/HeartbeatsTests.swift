import Foundation
import Postgres
import Storage
import TestSupport
import Testing

@Suite("Whether something can be stored") struct HeartbeatsTests {
    @Test("a lock is told from a database that does not confirm", arguments: ["heartbeats", "store_notifications"])
    func locked(_ table: String) async throws {
        try await TestShop.run { pool, database in
            let server = UUID()
            func ask() async throws {
                _ = try await database.hasWork(timeout: .seconds(4))
                try await database.beat(as: server, isWorker: true, stalledFor: nil, timeout: .seconds(4))
            }
            try await ask()
            try await pool.withTransaction { connection in
                _ = try await connection.query("LOCK TABLE \(unsafe: table)")
                let error = await #expect(throws: PostgresError.self) { try await ask() }
                #expect(error?.sqlState == .lockNotAvailable)
                let failure = await #expect(throws: PostgresError.self) {
                    try await database.workStatus(timeout: .seconds(4))
                }
                #expect(failure?.sqlState == .lockNotAvailable)
            }
            try await ask()
            #expect(try await database.workStatus(timeout: .seconds(4)).workers == 1)
        }
    }
}
