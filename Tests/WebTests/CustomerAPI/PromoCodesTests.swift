import APITypes
import Billing
import Foundation
import HTTPTypes
import Operations
import Storage
import Testing

@testable import Desk
@testable import HTTP

@Suite("Promo codes over HTTP") struct PromoCodesTests {
    private static let path = "/promo-codes/redeem"

    @Test("a code answers what it gave, and what the customer may use since; once more it answers the same")
    func redeem() async throws {
        try await CustomerCalls.run { calls in
            let (code, token) = (try await Self.code(calls), try await calls.nobody())
            let answer = try await Self.redeem(code, token, calls)
            #expect(answer.status == .ok)
            let body = try answer.object()
            #expect(body["name"] as? String == "Spring fair")
            #expect(body["planType"] as? String == "PRO")
            #expect(body["expiresAt"] is String)
            let granted = try #require(body["granted"] as? [String: Any])
            #expect(granted["planType"] as? String == "PRO")
            #expect(granted["endsAt"] as? String == body["expiresAt"] as? String)
            let again = try await Self.redeem(code.lowercased().replacing("-", with: " "), token, calls)
            #expect(again.status == .ok)
            #expect(try again.object()["redeemedAt"] as? String == body["redeemedAt"] as? String)
            let entitlement = try await calls.ask(.get, "/entitlements", token: token).object()
            #expect(entitlement["planType"] as? String == "PRO")
            #expect(entitlement["source"] as? String == "PROMO_CODE")
            let status = try await calls.ask(.get, "/subscriptions/status", token: token).object()
            #expect(status["source"] as? String == "PROMO_CODE" && status["createdAt"] is String)
            #expect(try await calls.site.audit().filter { $0 == "promo_code.redeem" }.count == 1)
        }
    }

    @Test("why a code gives nothing is said by `code`")
    func refused() async throws {
        try await CustomerCalls.run { calls in
            let (code, token) = (try await Self.code(calls), try await calls.nobody())
            let unknown = try await Self.redeem("0000-0000-0000", token, calls)
            #expect(unknown.status == .notFound)
            #expect(try unknown.object()["code"] as? String == "promoCodeUnknown")
            let malformed = try await Self.redeem("no code", token, calls)
            #expect(malformed.status == unknown.status)
            #expect(try malformed.object()["detail"] as? String == unknown.object()["detail"] as? String)
            let covered = try await Self.redeem(code, try await calls.buyer(), calls)
            #expect(covered.status == .conflict)
            #expect(try covered.object()["code"] as? String == "promoCodeAlreadyCovered")
        }
    }

    @Test("too many wrong codes are 429")
    func throttled() async throws {
        try await CustomerCalls.run { calls in
            let token = try await calls.nobody()
            for _ in 0..<10 {
                #expect(try await Self.redeem("no code", token, calls).status == .notFound)
            }
            #expect(try await Self.redeem("no code", token, calls).status == .tooManyRequests)
        }
    }

    @Test("what is no code is 422 with its field, and changes nothing")
    func input() async throws {
        try await CustomerCalls.run { calls in
            let token = try await calls.nobody()
            let before = try await calls.site.rowCounts()
            for body in [
                "{}", #"{"code":""}"#, #"{"code":1.5}"#, #"{"code":"\#(String(repeating: "7", count: 10_000))"}"#,
            ] {
                let answer = try await calls.ask(.post, Self.path, token: token, body: body)
                #expect(answer.status == .unprocessableContent, "\(body.prefix(40))")
                #expect(try answer.fields() == ["code"], "\(body.prefix(40))")
            }
            #expect(try await calls.site.rowCounts() == before)
            #expect(try await calls.ask(.post, Self.path, body: #"{"code":"x"}"#).status == .unauthorized)
        }
    }

    @Test("only the refusals that OpenAPI lists are told")
    func vocabulary() {
        #expect(
            PromoRefusal.allCases.map(\.rawValue).sorted()
                == Vocabulary.problemCodes.filter { $0.hasPrefix("promoCode") }.sorted()
        )
    }

    private static func redeem(
        _ code: String,
        _ token: String,
        _ calls: CustomerCalls
    ) async throws -> CustomerCalls.Answer {
        try await calls.ask(.post, path, token: token, body: #"{"code":"\#(code)"}"#)
    }

    /// Returns a code of a batch of PRO for 30 days.
    private static func code(_ calls: CustomerCalls) async throws -> String {
        let backOffice = calls.site.backOffice
        let wanted = try NewPromoBatch(
            name: "Spring fair",
            channel: "fair",
            plan: "PRO",
            days: "30",
            codes: "1",
            now: backOffice.database.now
        )
        let outcome = try await backOffice.makePromoBatch(
            wanted,
            of: TestSite.readmigoID,
            key: nil,
            caller: .commandLine
        )
        let id = try #require(PromoBatch.ID(outcome.result))
        return try #require(try await backOffice.promoCodes(of: id, after: 0, limit: 1).first).code.grouped
    }
}
