import Billing
import Foundation
import Postgres
import Storage
import Testing

@Suite("Lists as files") struct ListExportTests {
    @Test("a file holds every row of the list, in its order, with amounts and times typed")
    func orders() async throws {
        try await ScreenSamples.with(orders: 60) { database, pool in
            _ = try await pool.query("UPDATE customers SET name = '=1+1' WHERE id = \(ScreenSamples.id(33))")
            let lines = try await lines(database) {
                $0.export(OrderFilter(sort: .amount), app: ScreenSamples.app, seesPersonalData: true)
            }
            let numbers = try await pool.query(
                "SELECT number FROM orders WHERE app_id = \(ScreenSamples.app) ORDER BY amount DESC, id DESC"
            ).map { try $0.decode(0, as: String.self) }
            #expect(
                lines.count == 61
                    && lines.dropFirst().map { String($0.prefix { $0 != "," }) } == numbers.map { "\"\($0)\"" }
            )
            #expect(
                lines[0].hasPrefix("\u{FEFF}number,status,kind,customer_id,customer_key,external_id,name,email,product")
            )
            #expect(lines[1].contains(#",198.00,"CNY",0.00,"CNY",0.00,"CNY","apple","PRODUCTION","#))
            #expect(lines[1].contains("+08:00"))
            #expect(lines.contains { $0.contains(#","'=1+1","#) })
        }
    }

    @Test("a filter narrows the file as it narrows the list, and no name leaves for those who may not see it")
    func filtered() async throws {
        try await ScreenSamples.with(orders: 60) { database, pool in
            let refunded = try await lines(database) {
                $0.export(OrderFilter(status: .refunded), app: ScreenSamples.app, seesPersonalData: false)
            }
            #expect(refunded.count == 1 + (0..<60).filter { ScreenSamples.status($0) == .refunded }.count)
            #expect(!refunded[0].contains("name,email") && !refunded.contains { $0.contains("example.com") })
            let customers = try await lines(database) {
                $0.export(CustomerFilter(search: "lina"), app: ScreenSamples.app, zone: .gmt, seesPersonalData: true)
            }
            #expect(customers.count == 2 && customers[1].contains(#","李娜","lina@example.com","PRO","#))
            #expect(customers[1].contains(#","ORD-20261121-10"#))
            let subscriptions = try await lines(database) {
                $0.export(SubscriptionFilter(state: .active), app: ScreenSamples.app, seesPersonalData: false)
            }
            #expect(subscriptions.count == 5 && subscriptions[1].contains(#","active","apple","PRODUCTION","#))
            let none = try await lines(database) {
                $0.export(SubscriptionFilter(state: .paused), app: ScreenSamples.app, seesPersonalData: true)
            }
            #expect(none.count == 1)
        }
    }

    @Test("a slow taker gets all of it in pieces, and one who goes away stops the database")
    func pieces() async throws {
        try await ScreenSamples.with(orders: 0) { database, pool in
            try await CustomerListTests.addCustomers(5_000, pool)
            let export = try await database.read {
                $0.screens.export(CustomerFilter(), app: ScreenSamples.app, zone: .gmt, seesPersonalData: true)
            }
            var (pieces, rows) = (0, 0)
            try await database.export(export, offset: { _ in 0 }) { piece, count in
                #expect(piece.count < 200_000 && count >= rows)
                (pieces, rows) = (pieces + 1, count)
            }
            #expect(rows == 5_004 && pieces > 2)
            struct WentAway: Error {}
            await #expect(throws: WentAway.self) {
                try await database.export(export, offset: { _ in 0 }) { _, _ in throw WentAway() }
            }
            #expect(try await pool.query("SELECT 1").count == 1)
        }
    }

    /// Returns the offset of Shanghai from UTC in seconds, at any moment.
    private static func shanghai(_ moment: Int) -> Int { 28_800 }

    private func lines(_ database: Database, _ list: @Sendable (Queries) -> ListExport) async throws -> [String] {
        let export = try await database.read { list($0.screens) }
        var bytes: [UInt8] = []
        try await database.export(export, offset: Self.shanghai) { piece, _ in bytes += piece }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\r\n").map { String($0) }
    }
}
