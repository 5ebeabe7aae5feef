import Foundation
import HTTPTypes
import NIOCore
import Operations
import Postgres
import RouterTesting
import Storage
import Testing

@testable import Desk
@testable import HTTP
@testable import Words

@Suite("Lists as files, over HTTP") struct ExportsTests {
    @Test("the link on a list gives exactly that list, under a name that says when and what, and is written down once")
    func orders() async throws {
        try await CustomersTests.signedIn(.support) { site, browser async throws in
            let list = try await browser.get("/dashboard/orders?status=completed")
            #expect(list.text.contains("Export CSV (29 rows)"))
            let answer = try await browser.get("/dashboard/exports/orders?status=completed")
            #expect(answer.status == .ok && answer.headers[.contentType]?.hasPrefix("text/csv; charset=utf-8") == true)
            #expect(
                answer.headers[.contentDisposition]
                    == "attachment; filename=\"orders-20261121T024000Z-status-completed.csv\""
            )
            #expect(answer.headers[.cacheControl]?.contains("no-store") == true)
            let lines = answer.text.split(separator: "\r\n")
            #expect(lines.count == 30 && answer.text.hasPrefix("\u{FEFF}number,"))
            let entries = try await site.pool.query(
                "SELECT actor, object_id, after::text FROM audit_entries WHERE action = 'list.export'"
            ).map { try $0.decode(String.self, String.self, String.self) }
            #expect(entries.count == 1 && entries[0].0 == "support@example.com" && entries[0].1 == "orders")
            #expect(entries[0].2 == #"{"rows": 29, "filter": "?status=completed", "complete": true}"#)
        }
    }

    @Test(
        "a filter that a file does not have, or a value that it does not know, is refused and nothing is written down"
    )
    func unknown() async throws {
        try await CustomersTests.signedIn(.admin) { site, browser async throws in
            for file in [
                "exports/orders", "exports/customers", "exports/subscriptions", "exports/refunds", "exports/ledger",
                "exports/access-changes", "exports/monthly-revenue", "revenue/table.csv", "subscribers/table.csv",
                "cohorts/table.csv", "access/table.csv", "usage/table.csv", "health/table.csv",
            ] {
                let answer = try await browser.get("/dashboard/\(file)?colour=red&colour=blue")
                #expect(answer.status == .unprocessableContent, "\(file)")
                #expect(answer.text.contains("colour: There is no such filter here."), "\(file)")
            }
            for address in [
                "exports/orders?status=nonsense", "exports/refunds?status=nonsense", "exports/customers?store=shop",
                "exports/subscriptions?environment=sandbox", "exports/ledger?currency=shells",
                "revenue/table.csv?table=chairs", "access/table.csv?direction=up", "usage/table.csv?grain=age",
                "health/table.csv?span=age", "exports/orders?from=2027-02-30", "revenue/table.csv?to=2027-02-29",
            ] {
                let answer = try await browser.get("/dashboard/\(address)")
                #expect(answer.status == .unprocessableContent, "\(address)")
            }
            #expect(try await site.count("audit_entries WHERE action = 'list.export'") == 0)
        }
    }

    @Test("the file of refunds has the state of each one's payment by its store, and an analyst's has no names")
    func refunds() async throws {
        for role in [StaffRole.admin, .analyst] {
            try await CustomersTests.signedIn(role) { site, browser async throws in
                let listed = try await site.count("refund_requests")
                let answer = try await browser.get("/dashboard/exports/refunds?status=all")
                #expect(answer.status == .ok)
                let lines = answer.text.split(separator: "\r\n")
                #expect(lines.count == listed + 1 && lines[0].contains(",payer,payout_state,customer_id,"))
                #expect(lines[0].contains(",email,") == (role == .admin))
            }
        }
    }

    @Test("a file writes an environment as the API does")
    func environments() async throws {
        try await CustomersTests.signedIn(.support) { site, browser async throws in
            let lines = try await browser.get("/dashboard/exports/orders").text.split(separator: "\r\n").map {
                $0.split(separator: ",", omittingEmptySubsequences: false)
            }
            let place = try #require(lines[0].firstIndex { $0.hasSuffix("environment") })
            #expect(Set(lines.dropFirst().map { $0[place] }) == ["\"PRODUCTION\""])
        }
    }

    @Test("every list's file can be sent to bulk actions as it is")
    func backAgain() async throws {
        try await CustomersTests.signedIn(.admin) { site, browser async throws in
            try await CustomersTests.addSubscription(site)
            for list in [
                "orders", "customers", "subscriptions", "refunds?status=all", "ledger", "access-changes",
                "monthly-revenue", "subscribers", "cohorts",
            ] {
                let file = try await browser.get("/dashboard/exports/\(list)").text
                let lines = BulkLines(file)
                #expect(lines.problem == nil, "\(list)")
                let rows = file.split(separator: "\r\n").count - 1
                #expect(lines.customers.count == rows, "\(list)")
                #expect(lines.customers.allSatisfy { UUID(uuidString: $0) != nil }, "\(list)")
                let turkish = file.split(separator: "\r\n").first.map { $0.replacing(",", with: ";") } ?? ""
                #expect(BulkLines(String(turkish)).problem == nil, "\(list)")
            }
        }
    }

    @Test(
        "a file whose first row does not come in time is a rejectionReason that says when to come back, and is not read on"
    )
    func late() async throws {
        let (ends, end) = AsyncStream<Void>.makeStream()
        let export = RunningExport(
            { _ in try await Task.sleep(for: .seconds(600)) },
            end: { end.finish() }
        )
        let error = await #expect(throws: WebError.self) { try await export.first(within: .milliseconds(20)) }
        #expect(error?.code == .unavailable && error?.retryAfter == 60)
        #expect(ErrorTable.status(of: error?.code ?? .internalError) == .serviceUnavailable)
        for await _ in ends {}
        for language in Language.allCases {
            let text = ErrorText.refused(.late, requestID: "r-1", Strings(language))
            #expect(text.status == 503 && !text.headlineText.isEmpty)
        }
    }

    @Test("a file that begins in time has all its time after that")
    func begun() async throws {
        let (continued, goOn) = AsyncStream<Void>.makeStream()
        let export = RunningExport(
            { send in
                try await send(ByteBuffer(string: "a"), 1)
                for await _ in continued {}
                try await send(ByteBuffer(string: "b"), 2)
            },
            end: {}
        )
        let first = try await export.first(within: .seconds(30))
        #expect(first?.rows == 1)
        goOn.finish()
        #expect(try await export.next()?.rows == 2)
        #expect(try await export.next() == nil)
    }

    @Test("an analyst's files hold no names, and a search by name finds nothing in them")
    func analyst() async throws {
        try await CustomersTests.signedIn(.analyst) { site, browser async throws in
            try await CustomersTests.addSubscription(site)
            for list in ["orders", "customers", "subscriptions"] {
                let answer = try await browser.get("/dashboard/exports/\(list)")
                #expect(answer.status == .ok && answer.text.contains("token-1"))
                #expect(!answer.text.contains(",name,") && !answer.text.contains("email"))
                for secret in TestSite.personalData { #expect(!answer.text.contains(secret)) }
                let named = try await browser.get("/dashboard/exports/\(list)?q=zeynep")
                #expect(named.text.split(separator: "\r\n").count == 1)
            }
        }
    }

    @Test(
        "names of files are plain",
        arguments: [("", ""), ("?q=%E6%9D%8E%2F..%2F%22x&status=refunded", "-q-x-status-refunded")]
    )
    func names(_ filter: String, _ end: String) {
        let name = ExportName.file(of: "orders", filter: filter, at: Date(timeIntervalSince1970: 1_795_228_800))
        #expect(name == "orders-20261121T024000Z\(end).csv")
    }
}
