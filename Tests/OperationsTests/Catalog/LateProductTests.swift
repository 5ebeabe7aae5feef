import Billing
import Foundation
import Jobs
import Operations
import Postgres
import Storage
import Testing

@Suite("A product that comes into the catalogue late")
struct LateProductTests {
    @Test("what waited for it is applied by itself, and what waits for another is left alone")
    func applied() async throws {
        try await TestOffice.run { office in
            try await office.live(
                .told(.subscribed, on: 0, .sold("t1", from: 0, to: 30, "max.monthly")),
                .told(.subscribed, on: 0, .sold("t2", of: "t2", from: 0, to: 30, "ultra.monthly"))
            )
            #expect(try await office.lines("SELECT state FROM store_notifications") == ["failed", "failed"])
            var catalog = try Catalog.readmigo()
            catalog.products.append(Catalog.product("max.monthly", "PREMIUM", BillingPeriod(1, .month), 38))
            _ = try await office.backOffice.applyCatalog(catalog)
            _ = try await office.worker.drain()
            #expect(
                try await office.lines("SELECT state FROM store_notifications ORDER BY state") == [
                    "failed", "processed",
                ]
            )
            #expect(try await office.orders().count == 1)
        }
    }
}
