import HTTP
import Operations
import Postgres
import Storage
import TestSupport
import Testing

@testable import Server

@Suite("Readiness while a demo fills") struct ReadinessWhileFillingTests {
    @Test("work is done, and how far the demo is stands beside it")
    func filling() async throws {
        try await withDatabase(template: DatabaseTemplate(Schema.migrator.migrations)) { pool in
            let database = Database(writing: pool, reading: pool, doorTimeout: .patient)
            let office = BackOffice(
                database: database,
                inbox: NotificationInbox(database: database),
                logger: .quiet
            )
            office.filling.reach(0.41)
            #expect(await said(ReadinessCheck(office, isWorker: false)) == "filling the demo's data, 41 %")
            office.filling.end()
            #expect(await said(ReadinessCheck(office, isWorker: false)) == nil)
        }
    }

    /// Returns the remark beside "ready" once the time limits, which a busy machine may miss, are kept.
    private func said(_ check: ReadinessCheck) async -> String? {
        while true {
            switch await check.answer() {
            case .ready: return nil
            case .readyThough(let remark): return remark
            case .notReady: await Task.yield()
            }
        }
    }
}
