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
            func ask(_ timeout: Duration = .patient) async throws {
                _ = try await database.hasWork(timeout: timeout)
                try await database.beat(as: server, isWorker: true, stalledFor: nil, timeout: timeout)
            }
            try await ask()
            try await pool.withTransaction { connection in
                _ = try await connection.query("LOCK TABLE \(unsafe: table)")
                #expect(try await Self.isLocked { try await ask(.seconds(4)) })
                #expect(try await Self.isLocked { _ = try await database.workStatus(timeout: .seconds(4)) })
            }
            try await ask()
            #expect(try await database.workStatus(timeout: .patient).workers == 1)
        }
    }
    /// Returns true if the database says that it waited for a lock. Where the machine is busy, our own limit may come before its word:
    /// then it is asked again.
    private static func isLocked(_ ask: () async throws -> Void) async throws -> Bool {
        for _ in 0..<10 {
            let error = await #expect(throws: PostgresError.self) { try await ask() }
            if error?.sqlState == .lockNotAvailable { return true }
        }
        return false
    }
}
