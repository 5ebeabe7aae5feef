import Billing
import Foundation
import Gateways
import Jobs
import Operations
import Postgres
import Storage
import StoreSimulator
import Testing

/// Apple's words of reports from the field, told one by one.
struct Field {
    let office: TestOffice
    let signer: AppleSigner

    static func run(_ body: (Field) async throws -> Void) async throws {
        let signer = AppleSigner(authority: try TestOffice.authority.get())
        try await TestOffice.run { try await body(Field(office: $0, signer: signer)) }
    }

    func tell(_ messages: SimulatedMessage...) async throws {
        for message in messages {
            _ = try await office.backOffice.receiveNotification(try signer.sign(message), from: .apple)
            _ = try await office.worker.drain()
        }
        #expect(try await office.lines("SELECT DISTINCT state FROM store_notifications") == ["processed"])
    }

    func subscription() async throws -> [String] {
        try await office.lines(
            """
            SELECT concat_ws(' ', s.state, p.store_product_id, s.end_reason, s.next_store_product_id)
            FROM subscriptions s JOIN products p ON p.id = s.product_id
            """
        )
    }

    /// "mrr new 500" of every cell that is not taken back.
    func metrics(_ measures: String...) async throws -> [String] {
        #expect(try await office.backOffice.verifyRollups().map(\.differences) == [0])
        return try await office.lines(
            """
            SELECT concat_ws(' ', e.measure, e.dimension, sum(e.amount), sum(e.count))
            FROM subscriber_entries e
            WHERE e.measure = ANY(\(measures))
            GROUP BY e.measure, e.dimension
            HAVING sum(e.amount) <> 0 OR sum(e.count) <> 0
            ORDER BY 1
            """
        )
    }

    /// The only customer's.
    func entitlement() async throws -> Entitlement? {
        let ids = try await office.lines("SELECT id::text FROM customers WHERE merged_into IS NULL")
        return try await office.entitlement(try #require(ids.first.flatMap(Customer.ID.init)))
    }

    /// "2026-02 100" of each month at whose end there is any.
    func recurringRevenue(from first: String, through last: String) async throws -> [String] {
        let app = try await office.app()
        let question = MetricsQuery(
            filter: MetricsFilter(),
            monthsFrom: BusinessDay(try Self.date(first), in: .gmt),
            through: BusinessDay(try Self.date(last), in: .gmt)
        )
        #expect(try await office.backOffice.verifyRollups().map(\.differences) == [0])
        return try await office.database.read { try await $0.metrics.recurringRevenue(question, app: app) }.map {
            "\($0.period.first.description.prefix(7)) \($0.movement.end)"
        }
    }

    static func date(_ day: String) throws -> Date { try Date("\(day)T00:00:00Z", strategy: .iso8601) }

    /// The days of `AppleWords` until midnight in UTC of a day.
    static func day(_ day: String) throws -> Double {
        (try date(day).timeIntervalSince(TestOffice.start) + 8_640_000) / 86_400
    }
}
