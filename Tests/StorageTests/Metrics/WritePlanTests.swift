import Foundation
import Postgres
import TestSupport
import Testing

@testable import Billing
@testable import Storage

@Suite("What an event writes to the metrics of customers") struct WritePlanTests {
    @Test("finds each of their rows by its customer or its moment, though the tables are empty when it is planned")
    func plans() async throws {
        try await withDatabase(template: DatabaseTemplate(Schema.migrator.migrations)) { pool in
            let database = Database(writing: pool, reading: pool, doorTimeout: .patient)
            for (table, query) in Self.statements {
                let plan = try await database.write(plansOnce: true) { transaction in
                    // The plan is the generic one, for any values.
                    let nothing = query.binds.map { _ in "NULL" }.joined(separator: ", ")
                    try await transaction.query(Query(unsafe: "PREPARE written AS \(query.text)"))
                    let plan = try await transaction.query(
                        Query(unsafe: "EXPLAIN (COSTS OFF) EXECUTE written(\(nothing))")
                    )
                    try await transaction.query("DEALLOCATE written")
                    return try plan.map { try $0.decode(0, as: String.self) }
                }
                let text = plan.joined(separator: "\n")
                let isByKey = plan.contains { line in
                    line.contains("Index Cond: ")
                        && (line.contains("customer_id = ")
                            || line.contains("app_id = ") && line.contains("at = gone.at"))
                }
                #expect(isByKey, "\(text)")
                #expect(!text.contains("Seq Scan on \(table)") && !text.contains("Materialize"), "\(text)")
            }
        }
    }

    private static var statements: [(table: String, query: Query)] {
        let (app, customer, moment) = (ScreenSamples.app, Customer.ID(ScreenSamples.id(1)), ScreenSamples.now)
        let cell = MetricsCell(product: ScreenSamples.id(2), country: "USA", currency: nil)
        let entry = MetricsEntry(
            measure: .subscriber,
            day: BusinessDay(moment, in: .gmt),
            dimension: 0,
            cell: cell,
            amount: 0,
            count: 1,
            effectiveAt: moment
        )
        let change = EntitlementChange(
            at: moment,
            before: nil,
            after: ScreenSamples.id(2),
            cause: .bought,
            cell: cell,
            source: .grant(Grant.ID(ScreenSamples.id(3)))
        )
        var changes = AccessChanges(app: app)
        changes.retired = [AccessChanges.Change(customer: customer, change: change)]
        let merge = CustomerEntry.merge(
            [CustomerEntry(customer: customer, entry: entry)],
            at: moment,
            in: .gmt,
            app: app
        )
        return [("subscriber_entries", merge)]
            + changes.statements(at: moment, in: .gmt).map { ("access_changes", $0) }
    }
}
