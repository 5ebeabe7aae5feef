import Billing
import Foundation
import Postgres
import TestSupport
import Testing

@testable import Storage

@Suite("How what is due is found") struct LeasePlanTests {
    @Test(
        "by the lane's own index and the row's key, also where the statement was planned while the table was empty",
        arguments: [QueueTable.jobs, .notifications]
    )
    func plans(table: QueueTable) async throws {
        try await withDatabase(template: DatabaseTemplate(Schema.migrator.migrations)) { pool in
            let statement = Self.statement(table)
            let plan = try await pool.withTransaction { connection in
                _ = try await connection.query(QueueTable.readsByIndex)
                _ = try await connection.query("SET LOCAL plan_cache_mode = force_generic_plan")
                _ = try await connection.query(Query(unsafe: "PREPARE lease AS \(statement.text)"))
                let nothing = statement.binds.map { _ in "NULL" }.joined(separator: ", ")
                let plan = try await connection.query(
                    Query(unsafe: "EXPLAIN (COSTS OFF) EXECUTE lease(\(nothing))")
                )
                _ = try await connection.query("DEALLOCATE lease")
                return try plan.map { try $0.decode(0, as: String.self) }
            }
            let text = plan.joined(separator: "\n")
            let index = table.name == "jobs" ? "jobs_to_work_on" : "store_notifications_to_process"
            #expect(!text.contains("Seq Scan"), "\(text)")
            let isByLane = plan.contains {
                $0.contains("Index Cond: ((app_id = ") && $0.contains("scheduled_at <= now()")
            }
            #expect(isByLane, "\(text)")
            let scans = plan.filter { $0.contains("Index ") && $0.contains("Scan ") }
            #expect(scans.count { $0.contains("\(table.name)_pkey") } == 1, "\(text)")
            #expect(scans.count { $0.contains(index) } == scans.count - 1, "\(text)")
        }
    }

    private static func statement(_ table: QueueTable) -> Query {
        let due =
            table.name == "jobs"
            ? table.dueByAppAndKind([.report: 1], besides: [JobLane(app: App.ID(UUID()), kind: .report): 1])
            : table.dueByApp(128)
        return table.leasing(due, by: UUID(), for: .seconds(30), returning: "q.app_id")
    }
}
