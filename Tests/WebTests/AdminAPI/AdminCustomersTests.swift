import APITypes
import Billing
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

@Suite("The admin API: customers") struct AdminCustomersTests {
    private static let path = "/admin/customers/\(TestSite.customer)"

    @Test("a customer is shown with what they may use, bought last, and what is unusual")
    func customer() async throws {
        try await Self.run { site, programs in
            let answer = try await programs.get(Self.path)
            let customer = try Programs.decode(CustomerSummary.self, answer)
            #expect(customer.name == "Zeynep Yılmaz" && customer.email == "zeynep@example.com")
            #expect(customer.planType == "PRO" && customer.status == "ACTIVE")
            #expect(customer.lastOrderNumber == "ORD-20260101-0030" && customer.hasRefunds)
            #expect(customer.signals == [])
            let list = try await programs.get("/admin/customers?q=zeynep")
            let found = try Programs.decode(CustomerPage.self, list).customers
            #expect(found.map(\.id) == [customer.id] && found.first?.signals == nil)
            #expect(found.first?.lastOrderNumber == "ORD-20260101-0030" && found.first?.planType == "PRO")
        }
    }

    @Test("the last call of the app is shown, and the id of a device leads to the account that it has become")
    func beforeTheyBuy() async throws {
        try await Self.run { site, programs in
            let device = try await site.backOffice.mintToken(
                for: CustomerIdentity(externalID: "phone", isAnonymous: true),
                of: TestSite.readmigoID,
                caller: .commandLine
            )
            let path = "/admin/customers/\(device.customer)"
            let silent = try Programs.decode(CustomerSummary.self, try await programs.get(path))
            #expect(silent.lastSeenAt == nil && silent.platform == nil && silent.planType == nil)
            let answer = try await programs.client.executeRequest(
                uri: "/subscriptions/status",
                method: .get,
                headers: [
                    .authorization: "Bearer \(device.accessToken.revealed)", .acceptLanguage: "tr-TR, en;q=0.5",
                    .userAgent: "Readmigo/2.3.1 (iOS 17.4)",
                ],
                body: nil
            )
            #expect(answer.status == .ok)
            #expect(try await site.backOffice.writeSeenCustomers() == 1)
            let seen = try Programs.decode(CustomerSummary.self, try await programs.get(path))
            #expect(seen.lastSeenAt != nil)
            #expect([seen.locale, seen.platform, seen.appVersion] == ["tr-TR", "ios", "2.3.1"])
            let account = try #require(Customer.ID(TestSite.customer))
            try await site.backOffice.mergeAnonymousCustomer(device.customer, into: account, of: TestSite.readmigoID)
            let merged = try Programs.decode(CustomerSummary.self, try await programs.get(path))
            #expect(merged.id == account.uuid)
            #expect(merged.locale == "tr-TR")
            let timeline = try await programs.get(path + "/timeline")
            #expect(timeline.text.contains("MERGER"))
        }
    }

    @Test("names and addresses are for those who may see personal data: not for analysts, nor searched by them")
    func personalData() async throws {
        try await Self.run { site, programs in
            let paths = [Self.path, "/admin/customers", "/admin/customers?q=token-1", Self.path + "/timeline"]
            for path in paths {
                let answer = try await programs.get(path, as: .analyst)
                #expect(answer.status == .ok, "\(path)")
                for secret in TestSite.personalData { #expect(!answer.text.contains(secret), "\(path)") }
            }
            let searched = try await programs.get("/admin/customers?q=zeynep", as: .analyst)
            #expect(searched.text == #"{"customers":[],"next":null}"#)
            #expect(try await programs.get(Self.path + "/notes", as: .analyst).status == .forbidden)
            let note = try await programs.post(Self.path + "/notes", #"{"text":"Hello"}"#, "k", as: .analyst)
            #expect(note.status == .forbidden)
            let buyer = try await site.backOffice.issueToken(
                named: "orders",
                of: "admin@example.com",
                scopes: [TokenScope(.orders, .read)],
                caller: .commandLine
            ).text
            #expect(try await programs.send(buyer, .get, Self.path, nil, nil).status == .forbidden)
            let orders = try await programs.send(buyer, .get, "/admin/orders?q=zeynep", nil, nil)
            #expect(orders.text == #"{"orders":[],"next":null}"#)
        }
    }

    @Test("the list is filtered, and paged without a row lost or shown twice")
    func list() async throws {
        try await Self.run { site, programs in
            try await site.pool.withConnection { connection in
                try await connection.execute(
                    script: """
                        INSERT INTO customers (id, app_id, key, created_at)
                        SELECT gen_random_uuid(), '\(TestSite.readmigo)', 'buyer-' || i, '2026-03-01'
                        FROM generate_series(1, 60) i;
                        """
                )
            }
            for order in ["", "?dir=asc"] {
                let pages = try await programs.pages("/admin/customers\(order)", CustomerPage.self) { $0.next }
                let ids = pages.flatMap(\.customers).map(\.id)
                #expect(pages.count == 3 && ids.count == 61 && Set(ids).count == 61)
            }
            func keys(_ query: String) async throws -> [String] {
                let answer = try await programs.get("/admin/customers?\(query)")
                return try Programs.decode(CustomerPage.self, answer).customers.map(\.key)
            }
            for query in ["planType=PRO", "source=APPLE_IAP", "hasRefunds=true", "from=2026-03-03", "q=token-1"] {
                #expect(try await keys(query) == ["token-1"], "\(query)")
            }
            #expect(try await keys("planType=none").count == 25)
            #expect(try await keys("to=2026-02-27").isEmpty)
            #expect(try await keys("given=TRIAL").isEmpty)
            for query in [
                "source=x", "given=trial", "given=", "hasRefunds=maybe", "from=soon", "to=2026-02-30", "dir=up",
                "after=x", "page=2",
            ] {
                let answer = try await programs.get("/admin/customers?\(query)")
                #expect(answer.status == .unprocessableContent, "\(query)")
                #expect(try answer.fields() == [String(query.prefix { $0 != "=" })])
            }
        }
    }

    @Test("the timeline tells every moment once, newest first, part by part")
    func timeline() async throws {
        try await Self.run { site, programs in
            let pages = try await programs.pages(Self.path + "/timeline", TimelinePage.self) { $0.next }
            let moments = pages.flatMap(\.moments)
            #expect(pages.count == 2 && Set(moments.map(\.id)).count == moments.count)
            #expect(moments.map(\.createdAt) == moments.map(\.createdAt).sorted(by: >))
            #expect(moments.filter { $0.type == "CHARGE" }.count == 30)
            let refund = try #require(moments.first { $0.type == "MOVEMENT" }?.movement)
            #expect(refund.amount == Amount("-40.00") && refund.currency == "CNY" && refund.type == "REFUND")
            _ = try await programs.post(Self.path + "/notes", #"{"text":"Prefers e-mail."}"#, "k")
            let staff = try await programs.get(Self.path + "/timeline?show=STAFF")
            let actions = try Programs.decode(TimelinePage.self, staff).moments.compactMap(\.staff)
            #expect(actions.map(\.action).contains("note.add"))
            #expect(actions.first?.after == .object(["text": .string("Prefers e-mail.")]))
            let unseen = try await programs.get(Self.path + "/timeline?show=STAFF", as: .analyst)
            #expect(!unseen.text.contains("Prefers"))
            for query in ["show=FUN", "after=x", "limit=3"] {
                let answer = try await programs.get("\(Self.path)/timeline?\(query)")
                #expect(answer.status == .unprocessableContent)
                #expect(try answer.fields() == [String(query.prefix { $0 != "=" })])
            }
        }
    }

    @Test("a note is written once per key, by the token's owner, and read page by page")
    func notes() async throws {
        try await Self.run { site, programs in
            let path = Self.path + "/notes"
            let first = try await programs.post(path, #"{"text":"  Prefers e-mail. "}"#, "k", as: .support)
            #expect(first.status == .created, "\(first.text)")
            let note = try Programs.decode(Note.self, first)
            #expect(note.text == "Prefers e-mail." && note.author == "Ada support")
            let again = try await programs.post(path, #"{"text":"  Prefers e-mail. "}"#, "k", as: .support)
            #expect(again.text == first.text)
            let reused = try await programs.post(path, #"{"text":"Other"}"#, "k", as: .support)
            #expect(reused.status == .conflict)
            #expect(try reused.fields() == ["Idempotency-Key"])
            #expect(try await site.count("customer_notes") == 1)
            for body in [
                "{}", #"{"text":" "}"#, #"{"text":7}"#, #"{"text":"\#(String(repeating: "x", count: 2_001))"}"#,
            ] {
                let answer = try await programs.post(path, body, "k2")
                #expect(answer.status == .unprocessableContent)
                #expect(try answer.fields() == ["text"])
            }
            let keyless = try await programs.post(path, #"{"text":"Other"}"#, nil)
            #expect(try keyless.fields() == ["Idempotency-Key"])
            var headers: HTTPFields = [.authorization: "Bearer \(programs.tokens[.admin] ?? "")", .app: "readmigo"]
            headers[.contentType] = "application/json"
            headers[values: try #require(HTTPField.Name("Idempotency-Key"))] = ["a", "b"]
            let doubled = try await programs.client.executeRequest(
                uri: path,
                method: .post,
                headers: headers,
                body: ByteBuffer(string: #"{"text":"Other"}"#)
            )
            #expect(try doubled.fields() == ["Idempotency-Key"])
            for number in 1...30 {
                let answer = try await programs.post(path, #"{"text":"Call \#(number)"}"#, "call \(number)")
                #expect(answer.status == .created)
            }
            let pages = try await programs.pages(path, NotePage.self) { $0.next }
            #expect(pages.map(\.notes.count) == [25, 6])
            #expect(Set(pages.flatMap(\.notes).map(\.text)).count == 31)
        }
    }

    @Test("an address that takes no parameters refuses them")
    func parameters() async throws {
        try await Self.run { site, programs in
            for answer in [
                try await programs.get(Self.path + "?page=2"), try await programs.get("/admin/orders/ORD-1?page=2"),
                try await programs.post(Self.path + "/notes?page=2", #"{"text":"Hello"}"#, "k"),
            ] {
                #expect(answer.status == .unprocessableContent)
                #expect(try answer.fields() == ["page"])
            }
            #expect(try await site.count("customer_notes") == 0)
        }
    }

    @Test("a note is withdrawn by the owner of the token that wrote it, once, and its text stays in the audit log")
    func withdraw() async throws {
        try await Self.run { site, programs in
            let path = Self.path + "/notes"
            let written = try await programs.post(path, #"{"text":"Prefers e-mail."}"#, "k", as: .support)
            let note = "\(path)/\(try Programs.decode(Note.self, written).id)"
            #expect(try await programs.delete(note, as: .admin).status == .forbidden)
            #expect(try await programs.delete(note, as: .analyst).status == .forbidden)
            #expect(try await programs.delete(note, as: .support, of: "kombin").status == .notFound)
            #expect(try await programs.delete(note, as: .support).status == .noContent)
            #expect(try await programs.delete(note, as: .support).status == .notFound)
            #expect(try await programs.get(path).text == #"{"notes":[],"next":null}"#)
            let entry = try await site.pool.query(
                "SELECT before ->> 'text' FROM audit_entries WHERE action = 'note.withdraw'"
            )
            #expect(try entry.map { try $0.decode(0, as: String.self) } == ["Prefers e-mail."])
        }
    }

    @Test("a customer of another app is not there")
    func otherApp() async throws {
        try await Self.run { site, programs in
            for rest in ["", "/timeline", "/notes"] {
                #expect(try await programs.get(Self.path + rest, of: "kombin").status == .notFound)
                #expect(try await programs.get("/admin/customers/x\(rest)").status == .notFound)
            }
            let note = try await programs.post(Self.path + "/notes", #"{"text":"Hello"}"#, "k", of: "kombin")
            #expect(note.status == .notFound)
            #expect(try await site.count("customer_notes") == 0)
            let list = try await programs.get("/admin/customers", of: "kombin")
            #expect(list.text == #"{"customers":[],"next":null}"#)
        }
    }

    private static func run(_ body: @escaping @Sendable (TestSite, Programs) async throws -> Void) async throws {
        try await Programs.run(
            { site in
                try await site.addOrders(30)
                try await CustomersTests.addSubscription(site)
            },
            body
        )
    }
}
