import Foundation
import HTTPTypes
import Operations
import Postgres
import RouterTesting
import Storage
import Testing

@testable import Desk
@testable import HTTP

@Suite("API tokens where a second factor is required") struct RequiredSecondFactorTests {
    @Test(
        "a token of somebody who lacks it opens nothing and says why; with it, the same token opens all; other roles are free"
    )
    func required() async throws {
        try await TestSite.run(requiredTwoFactor: [.admin]) { site in
            try await site.addStaff(.admin, .support)
            let (admin, support) = (try await site.token(of: .admin).text, try await site.token(of: .support).text)
            try await site.app.test(.router) { client async throws in
                let programs = Programs(tokens: [.admin: admin, .support: support], client: client)
                for path in ["/admin/orders", "/admin/customers", "/admin/metrics/revenue"] {
                    let refused = try await programs.get(path, as: .admin)
                    #expect(refused.status == .forbidden)
                    #expect(refused.text.contains("second factor"))
                }
                #expect(try await programs.get("/admin/orders", as: .support).status == .ok)
                let browser = Browser(client)
                _ = try await browser.signIn("admin@example.com")
                let setUp = "/dashboard/account/two-factor"
                _ = try await browser.submit(setUp, [], from: setUp)
                let code = site.code(try await site.totp(of: "admin@example.com"))
                #expect(try await browser.submit(setUp + "/code", [("code", code)], from: setUp).status == .ok)
                #expect(try await programs.get("/admin/orders", as: .admin).status == .ok)
            }
        }
    }
}
