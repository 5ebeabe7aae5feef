import Billing
import Foundation
import HTTPTypes
import Operations
import RouterTesting
import Storage
import Testing

@testable import Desk
@testable import HTTP

@Suite("Customers' sessions on the desk") struct CustomerSessionPagesTests {
    private static let page = "/dashboard/customers/\(TestSite.customer)"
    private static let path = page + "/sessions"

    @Test("support sees where a customer is signed in, and ends one of it with a reason that the log keeps")
    func one() async throws {
        try await CustomersTests.signedIn(.support) { site, browser async throws in
            #expect(try await browser.get(Self.path).text.contains("not signed in anywhere"))
            let (first, second) = (try await Self.token(site), try await Self.token(site))
            let session = try #require(try await site.backOffice.customerSession(first))
            #expect(try await browser.get(Self.page).text.contains(Self.path))
            let shown = try await browser.get(Self.path).text
            #expect(shown.contains("Signed in with Apple"))
            #expect(shown.contains(session.id.description))
            let form = [("session", session.id.description), ("key", "k1")] + AccessPagesTests.reason
            let done = try await browser.submit(Self.path, form, from: Self.path)
            #expect(done.status == .seeOther && done.location == Self.page)
            #expect(try await browser.get(Self.page).text.contains("Sessions ended."))
            #expect(try await site.backOffice.customerSession(first) == nil)
            #expect(try await site.backOffice.customerSession(second) != nil)
            #expect(try await site.audit().filter { $0 == "customer_session.end" }.count == 1)
            #expect(try await browser.get(Self.page).text.contains("Ended 1 session of the customer"))
            // Another page has ended the session meanwhile.
            let late = [("session", session.id.description), ("key", "k2")] + AccessPagesTests.reason
            let gone = try await browser.submit(Self.path, late, from: Self.path)
            #expect(gone.status == .conflict && gone.text.contains("has ended already"))
        }
    }

    @Test("all of them end at once, and nobody else's")
    func all() async throws {
        try await CustomersTests.signedIn(.admin) { site, browser async throws in
            let tokens = [try await Self.token(site), try await Self.token(site)]
            let other = try await site.backOffice.mintToken(
                for: CustomerIdentity(externalID: "somebody-else", isAnonymous: false),
                of: TestSite.readmigoID,
                caller: .commandLine
            ).accessToken.revealed
            let form = [("session", "all"), ("key", "k1")] + AccessPagesTests.reason
            #expect(try await browser.submit(Self.path, form, from: Self.path).status == .seeOther)
            for token in tokens { #expect(try await site.backOffice.customerSession(token) == nil) }
            #expect(try await site.backOffice.customerSession(other) != nil)
        }
    }

    @Test("what is missing or unknown is said by its field, and ends nothing")
    func refused() async throws {
        try await CustomersTests.signedIn(.admin) { site, browser async throws in
            let token = try await Self.token(site)
            let unknown = ["", "x", "-9223372036854775808", String(repeating: "9", count: 1_000)]
            for (number, session) in unknown.enumerated() {
                let form = [("session", session), ("key", "k\(number)")] + AccessPagesTests.reason
                #expect(try await browser.submit(Self.path, form, from: Self.path).status == .unprocessableContent)
            }
            let unreasoned = try await browser.submit(Self.path, [("session", "all"), ("key", "k")], from: Self.path)
            #expect(unreasoned.status == .unprocessableContent)
            #expect(try await site.backOffice.customerSession(token) != nil)
            _ = try await browser.submit("/dashboard/app", [("app", "kombin")])
            #expect(try await browser.get(Self.path).status == .notFound)
            let form = [("session", "all"), ("key", "k9")] + AccessPagesTests.reason
            #expect(try await browser.submit(Self.path, form).status == .notFound)
            #expect(try await site.backOffice.customerSession(token) != nil)
        }
    }

    @Test("an analyst neither sees nor ends them")
    func analyst() async throws {
        try await CustomersTests.signedIn(.analyst) { site, browser async throws in
            let token = try await Self.token(site)
            #expect(try await !browser.get(Self.page).text.contains(Self.path))
            #expect(try await browser.get(Self.path).status == .forbidden)
            let form = [("session", "all"), ("key", "k1")] + AccessPagesTests.reason
            #expect(try await browser.submit(Self.path, form).status == .forbidden)
            #expect(try await site.backOffice.customerSession(token) != nil)
        }
    }

    private static func token(_ site: TestSite) async throws -> String {
        let customer = try #require(Customer.ID(TestSite.customer))
        return try await site.backOffice.beginSession(by: .apple, for: customer, of: TestSite.readmigoID)
            .accessToken.revealed
    }
}
