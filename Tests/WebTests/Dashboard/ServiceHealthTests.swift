import Billing
import Foundation
import HTTPTypes
import Operations
import Postgres
import RouterTesting
import Storage
import Testing

@testable import Desk
@testable import HTTP
@testable import Words

@Suite("The page of the service's health") struct ServiceHealthTests {
    @Test("answers are counted by route, tries to sign in by how they ended; monitoring and what is nowhere are not")
    func counted() async throws {
        try await TestSite.run { site in
            try await site.addStaff(.analyst)
            try await site.app.test(.router) { client async throws in
                let browser = Browser(client)
                for path in ["/healthz", "/readyz", "/favicon.ico", "/nowhere", "/dashboard/sign-in"] {
                    _ = try await browser.get(path)
                }
                _ = try await browser.signIn("analyst@example.com", "wrong password 1")
                _ = try await browser.signIn("analyst@example.com")
                _ = try await browser.get("/dashboard/orders?q=x")
            }
            _ = try await site.backOffice.writeHealth()
            let counts = try await site.healthCounts()
            let requests = Dictionary(grouping: counts.routes.keys) {
                $0.split(separator: " ").last.map(String.init) ?? ""
            }
            #expect(requests.keys.sorted() == ["/dashboard/orders", "/dashboard/sign-in"])
            #expect(counts.routes["GET /dashboard/orders"]?.count == 1)
            #expect(counts.routes.values.allSatisfy { $0.good == $0.count && $0.max > 0 })
            #expect((counts.total(.signIn).count, counts.total(.signIn).good) == (2, 1))
        }
    }

    @Test("an analyst sees each metric with its target, and the file has the rows of the table")
    func shown() async throws {
        try await TestSite.run { site in
            try await site.addStaff(.analyst)
            try await site.app.test(.router) { client async throws in
                let browser = Browser(client)
                _ = try await browser.signIn("analyst@example.com", "wrong password 1")
                _ = try await browser.signIn("analyst@example.com")
                _ = try await site.backOffice.writeHealth()
                let page = try await browser.get("/dashboard/health").text
                for metric in HealthMetric.allCases {
                    #expect(page.contains("id=\"\(metric.rawValue)\""), "\(metric)")
                    #expect(page.contains(HealthText(metric, Strings(.english)).target), "\(metric)")
                }
                #expect(page.contains("50.00% <small>1 of 2</small>"))
                #expect(page.contains("Not met") && page.contains("No data"))
                let file = try await browser.get("/dashboard/health/table.csv?table=sign-ins").text
                let lines = file.split(separator: "\r\n")
                #expect(lines.count == 25)
                #expect(lines.first?.hasSuffix("from,is_partial,share_percent,count,good") == true)
                #expect(lines.last?.hasSuffix(",yes,50.00,2,1") == true)
                let routes = try await browser.get("/dashboard/health/table.csv?table=routes").text
                #expect(routes.contains("\r\nPOST,/dashboard/sign-in,2,0,"))
            }
        }
    }
}

extension TestSite {
    fileprivate func healthCounts() async throws -> HealthCounts {
        let row = try await pool.query("SELECT id FROM apps LIMIT 1").first
        let app = try row?.decode(0, as: App.ID.self)
        return try await backOffice.database.read { reader in
            try await reader.health.counts(.day, in: .gmt, app: app ?? App.ID(UUID()))
        }
    }
}
