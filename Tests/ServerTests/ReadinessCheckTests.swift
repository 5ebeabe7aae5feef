import Foundation
import HTTP
import Operations
import Postgres
import Storage
import TestSupport
import Testing

@testable import Server

@Suite("What readiness says") struct ReadinessCheckTests {
    @Test("the reason is named, in words of our own")
    func reasons() {
        let told: [(SQLState, String)] = [
            (.diskFull, "the database has no space left on its disk"),
            (.lockNotAvailable, "a lock holds up every write"),
            (SQLState("58030"), "the database refuses it (SQLSTATE 58030), and its log says why"),
            (.cannotConnectNow, "the database did not confirm a write in time"),
        ]
        for (state, text) in told {
            let error = PostgresError(.server(state), "could not extend file \"base/16384/16388\"")
            #expect(ReadinessCheck.reason(error).hasPrefix(text))
        }
        #expect(ReadinessCheck.reason(PostgresError(.timeout, "")).contains("in time"))
    }

    @Test("a primary that is its own replica leaves nothing to say, and one that nobody has looked at does")
    func replica() async throws {
        try await withDatabase(template: DatabaseTemplate(Schema.migrator.migrations)) { pool in
            let replica = Replica(pool: pool, fallback: pool, maximumAge: .seconds(600))
            let database = Database(writing: pool, replica: replica, doorTimeout: .patient)
            let inbox = NotificationInbox(database: database)
            let check = ReadinessCheck(BackOffice(database: database, inbox: inbox, logger: .quiet), isWorker: false)
            #expect(await said(check).hasPrefix("ready; pages are read from the primary: it has not caught up yet"))
            _ = await replica.look(patience: .seconds(60))
            #expect(await said(check) == "ready")
        }
    }

    /// Returns the check's answer once its time limits, which a busy machine may miss, are kept.
    private func said(_ check: ReadinessCheck) async -> String {
        for _ in 0..<100 {
            switch await check.answer() {
            case .ready: return "ready"
            case .readyThough(let problem): return "ready; \(problem)"
            case .notReady: try? await Task.sleep(for: .milliseconds(100))
            }
        }
        return "not ready"
    }
}
