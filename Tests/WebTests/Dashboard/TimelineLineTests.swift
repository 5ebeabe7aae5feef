import Foundation
import Postgres
import RouterTesting
import Storage
import Testing

@testable import Desk
@testable import HTTP

@Suite("Lines of a customer's timeline") struct TimelineLineTests {
    @Test("a renewal and its charge are one line, which says the amount and the new state; each part has its own")
    func one() async throws {
        try await CustomersTests.signedIn(.support) { site, browser async throws in
            try await CustomersTests.addSubscription(site)
            try await site.pool.withConnection { connection in
                try await connection.execute(
                    script: """
                        UPDATE orders SET kind = 'renewal' WHERE transaction_id = 'T30';
                        INSERT INTO subscription_events (id, subscription_id, event_id, kind, signed_at, event, state_before,
                            state_after, recorded_at, source)
                        SELECT gen_random_uuid(), subscription_id, 'renewed ' || transaction_id, 'renewed',
                            purchased_at + interval '1 minute', jsonb_build_object('transaction',
                                jsonb_build_object('id', transaction_id, 'expiresAt', 1769904000000)), 'grace_period', 'active',
                            now(), 'verification'
                        FROM orders WHERE transaction_id = 'T30';
                        """
                )
            }
            func timeline(_ part: String) async throws -> String {
                let page = try await browser.get("/dashboard/customers/\(TestSite.customer)\(part)").text
                return page.range(of: "timeline").map { String(page[$0.lowerBound...]) } ?? ""
            }
            let all = try await timeline("")
            #expect(all.contains("Renewal charged") && !all.contains(">Renewed<"))
            let line = try #require(all.range(of: "Renewal charged"))
            let rest = all[line.lowerBound...].prefix(2_500)
            #expect(rest.contains("128.00") && rest.contains("Grace period") && rest.contains("Active"))
            #expect(try await timeline("?show=money").contains("Renewal charged"))
            let access = try await timeline("?show=access")
            #expect(access.contains("Renewed") && !access.contains("Renewal charged"))
        }
    }
}
