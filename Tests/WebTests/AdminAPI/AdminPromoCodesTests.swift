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

@Suite("Promo codes as JSON") struct AdminPromoCodesTests {
    private static let path = "/admin/promo-codes"
    private static let reason = #""category":"fraud","reason":"The codes were on a forum.""#
    private static let body =
        #"{"name":"Fair","channel":"fair","planType":"PRO","days":30,"codes":3,"usesPerCode":2,"expiresAt":"2036-01-01T00:00:00Z"}"#

    @Test("a batch is made once per key, listed, and told with what came of it")
    func make() async throws {
        try await Programs.run { site in
            try await site.addOrders(1)
        } _: { site, programs in
            let made = try await programs.post(Self.path, Self.body, "k1")
            #expect(made.status == .created, "\(made.text)")
            let location = try #require(made.headers[.location])
            #expect(try await programs.post(Self.path, Self.body, "k1").headers[.location] == location)
            #expect(try await site.count("promo_batches") == 1)
            let list = try Programs.decode(PromoBatchPage.self, try await programs.get(Self.path, as: .analyst))
            let item = try #require(list.batches.first)
            #expect(
                (item.name, item.state, item.codes, item.usesPerCode, item.usesPerCustomer) == (
                    "Fair", "RUNNING", 3, 2, 1
                )
            )
            #expect(list.next == nil)
            let one = try Programs.decode(PromoBatchDetails.self, try await programs.get(location, as: .support))
            #expect((one.batch.id, one.report.codes, one.report.redemptions) == (item.id, 3, 0))
            #expect(one.report.conversionRate == nil && one.days.isEmpty)
            let channels = try Programs.decode(PromoChannelReport.self, try await programs.get("\(Self.path)/channels"))
            #expect(channels.channels.map(\.channel) == ["fair"])
            let none = try Programs.decode(PromoBatchPage.self, try await programs.get("\(Self.path)?state=STOPPED"))
            #expect(none.batches.isEmpty)
            #expect(try await programs.get(location, of: "kombin").status == .notFound)
            #expect(try await programs.get("\(location)/redemptions", as: .analyst).status == .forbidden)
            #expect(try await programs.get("\(location)/redemptions", as: .support).status == .ok)
        }
    }

    @Test("a stop needs a reason, and a second one is a conflict")
    func stop() async throws {
        try await Programs.run { site in
            try await site.addOrders(1)
            try await site.addPromoBatch()
        } _: { _, programs in
            let one = "\(Self.path)/\(TestSite.promoBatch)"
            #expect(try await programs.post("\(one)/stop", "{}", "k1").status == .unprocessableContent)
            #expect(try await programs.post("\(one)/stop", "{\(Self.reason)}", "k2", as: .support).status == .forbidden)
            let stopped = try await programs.post("\(one)/stop", "{\(Self.reason)}", "k2")
            #expect(try Programs.decode(PromoBatchItem.self, stopped).state == "STOPPED")
            #expect(try await programs.post("\(one)/stop", "{\(Self.reason)}", "k3").status == .conflict)
            let resumed = try await programs.post("\(one)/resume", "{\(Self.reason)}", "k4")
            #expect(try Programs.decode(PromoBatchItem.self, resumed).state == "RUNNING")
        }
    }

    @Test("what is wrong is named as the API calls it")
    func wrong() async throws {
        try await Programs.run { site in
            try await site.addOrders(1)
        } _: { site, programs in
            let body =
                #"{"name":"","channel":"fair","planType":"","days":0,"codes":100001,"usesPerCode":-9223372036854775808,"startsAt":"soon"}"#
            let answer = try await programs.post(Self.path, body, "k1")
            #expect(answer.status == .unprocessableContent)
            let problem = try Programs.decode(Problem.self, answer)
            let fields = Set(problem.errors.map(\.field))
            #expect(fields == ["name", "planType", "days", "codes", "usesPerCode", "startsAt"])
            let unknown = Self.body.replacing("\"PRO\"", with: "\"GOLD\"")
            #expect(try await programs.post(Self.path, unknown, "k2").status == .unprocessableContent)
            #expect(try await programs.post(Self.path, Self.body, "k3", as: .analyst).status == .forbidden)
            #expect(try await site.count("promo_batches") == 0)
        }
    }
}
