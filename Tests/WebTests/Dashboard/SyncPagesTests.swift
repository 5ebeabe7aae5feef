import APITypes
import Billing
import Foundation
import HTTPTypes
import Operations
import Postgres
import RouterTesting
import Storage
import Testing

@testable import Desk

@Suite("Sync, as pages") struct SyncPagesTests {
    private static let path = "/dashboard/sync"
    private static let one = "\(path)/\(TestSite.reconciliation)"

    private func run(_ role: StaffRole, _ body: @Sendable (TestSite, Browser) async throws -> Void) async throws {
        try await TestSite.run { site in
            try await site.addStaff(.admin)
            if role != .admin { try await site.addStaff(role) }
            try await site.addOrders(1)
            try await site.addReconciliation()
            try await site.app.test(.router) { client async throws in
                let browser = Browser(client)
                _ = try await browser.signIn("\(role.rawValue)@example.com")
                _ = try await browser.submit("/dashboard/app", [("app", "readmigo")])
                try await body(site, browser)
            }
        }
    }

    @Test("each sync says what it read and what it could not do, and leads to the notifications that were missing")
    func pages() async throws {
        try await run(.support) { _, browser in
            let list = try await browser.get(Self.path)
            #expect(list.status == .ok)
            #expect(list.text.contains("<a href=\"\(Self.one)\">"))
            #expect(list.text.contains("It did &lt;not&gt; answer."))
            let page = try await browser.get(Self.one)
            #expect(page.status == .ok)
            let found = "/dashboard/notifications?sync=\(TestSite.reconciliation)"
            #expect(page.text.contains("<a href=\"\(found)\">1</a>"))
            let notifications = try await browser.get(found)
            #expect(notifications.text.contains("/dashboard/notifications/\(TestSite.notificationID)"))
            let other = "/dashboard/notifications?sync=00000000-0000-7000-8000-000000000009"
            #expect(try await !browser.get(other).text.contains(TestSite.notificationID))
        }
    }

    @Test("without a key for the store nothing is offered, and whoever asks all the same is told why")
    func withoutKey() async throws {
        try await run(.admin) { site, browser in
            let page = try await browser.get(Self.path)
            #expect(!page.text.contains("Sync now"))
            #expect(page.text.contains("no key for a store’s API"))
            let answer = try await browser.submit(Self.path, [("key", "one")])
            #expect(answer.status == .conflict)
            #expect(try await site.pool.query("SELECT id FROM jobs").isEmpty)
        }
    }

    @Test("what is no sync is not found, and a marker that is not ours leads to the first page")
    func nothingThere() async throws {
        try await run(.admin) { _, browser in
            for id in ["", "x", "1.5", String(repeating: "9", count: 40), "00000000-0000-7000-8000-000000000009"] {
                let status = try await browser.get("\(Self.path)/\(id)").status
                #expect(status == .notFound || (id.isEmpty && status == .ok), "\(id)")
            }
            #expect(try await browser.get("\(Self.path)?after=x").status == .seeOther)
        }
    }

    @Test("programs read the same")
    func api() async throws {
        try await Programs.run(
            {
                try await $0.addOrders(1)
                try await $0.addReconciliation()
            },
            { _, programs in
                let answer = try await programs.get("/admin/reconciliations")
                let page = try Programs.decode(ReconciliationPage.self, answer)
                let one = try #require(page.reconciliations.first)
                #expect(page.next == nil && page.reconciliations.count == 1)
                #expect(one.id == UUID(uuidString: TestSite.reconciliation))
                #expect((one.source, one.environment, one.trigger) == ("APPLE_IAP", "PRODUCTION", "schedule"))
                #expect((one.notificationsRead, one.notificationsMissed) == (40, 1))
                #expect(one.problem == "It did <not> answer.")
                for query in ["after=x", "state=x"] {
                    let status = try await programs.get("/admin/reconciliations?\(query)").status.code
                    #expect([400, 422].contains(status), "\(query)")
                }
            }
        )
    }
}
