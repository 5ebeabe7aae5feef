import Billing
import Foundation
import HTTPTypes
import Operations
import Postgres
import Storage
import Testing

@testable import Desk

/// Checks the lightgallery document's properties of payments and cancellations over HTTP, each on many made-up customers of one
/// site. A failure prints its seed.
@Suite("properties of the lightgallery document: payments over HTTP") struct PaymentProperties {
    static let seeds: Range<UInt64> = 0..<100

    /// Checks, until WeChat Pay and Alipay are connected, that a payment that nobody can verify is refused and changes nothing.
    @Test("Property 16: Payment Verification")
    func refusesUnverifiable() async throws {
        try await CustomerCalls.run { calls in
            try await calls.site.addStoreAccount()
            let tokens = [try await calls.buyer(), try await calls.nobody()]
            let before = try await calls.kept()
            for seed in Self.seeds {
                var random = SeededGenerator(seed: seed)
                let method = try #require(["wechat_pay", "alipay"].randomElement(using: &random))
                let product =
                    ["com.readmigo.pro.monthly", "com.readmigo.pro.forever"].randomElement(using: &random) ?? ""
                let length = Int.random(in: 1...32, using: &random)
                let number = String((0..<length).compactMap { _ in "0123456789".randomElement(using: &random) })
                let body = #"{"paymentMethod":"\#(method)","transactionId":"\#(number)","productId":"\#(product)"}"#
                let token = try #require(tokens.randomElement(using: &random))
                let answer = try await calls.ask(.post, "/api/v1/subscription/verify", token: token, body: body)
                #expect(answer.status == .conflict, "seed \(seed): \(body)")
                #expect(try answer.fields() == ["paymentMethod"], "seed \(seed)")
                #expect(try await calls.kept() == before, "seed \(seed): \(body)")
            }
        }
    }

    @Test("Property 23: Platform-Specific Cancellation")
    func cancellation() async throws {
        try await CustomerCalls.run { calls in
            for seed in Self.seeds {
                var random = SeededGenerator(seed: seed)
                let bought = BoughtSomewhere(using: &random)
                let token = try await bought.holder("customer \(seed)", calls)
                let language = ["en", "zh-Hans", "tr"].randomElement(using: &random) ?? "en"
                let before = try await calls.kept()
                let answer = try await calls.ask(.post, "/api/v1/subscription/cancel", token: token, language: language)
                let object = try answer.object()
                let comment: Comment = "seed \(seed): \(bought), \(object)"
                switch bought.outcome {
                case .leadsTo(let page):
                    #expect(answer.status == .ok, comment)
                    #expect(object["cancelled"] as? Bool == false, comment)
                    #expect(object["manageUrl"] as? String == page, comment)
                case .done:
                    #expect(answer.status == .ok, comment)
                    #expect(object["cancelled"] as? Bool == true, comment)
                    #expect(object["manageUrl"] is NSNull, comment)
                case .refused(let code):
                    #expect(answer.status == .conflict, comment)
                    #expect(object["code"] as? String == code, comment)
                }
                // No store was told to cancel, so nothing is cancelled here either.
                #expect(try await calls.kept() == before, comment)
            }
        }
    }
}

/// A customer's purchase before a cancellation: a subscription of some store in some state, or nothing.
private struct BoughtSomewhere {
    let store: Store?
    let isOver: Bool
    let renews: Bool
    /// True if it was cancelled before; the paid period runs on.
    let isCancelled: Bool

    enum Outcome {
        case leadsTo(String)
        case done
        case refused(String)
    }

    init(using random: inout SeededGenerator) {
        store = ([nil] + Store.allCases).randomElement(using: &random) ?? nil
        isOver = Int.random(in: 0..<4, using: &random) == 0
        isCancelled = !isOver && Int.random(in: 0..<4, using: &random) == 0
        renews = !isOver && !isCancelled && Int.random(in: 0..<4, using: &random) > 0
    }

    /// The expected outcome by the documents and the stores: only customers themselves cancel at Apple and Google.
    var outcome: Outcome {
        switch store {
        case nil: .refused("nothingToCancel")
        case _ where isOver: .refused("nothingToCancel")
        case _ where !renews && !isCancelled: .refused("doesNotRenew")
        case .apple?: .leadsTo("https://apps.apple.com/account/subscriptions")
        case .google?: .leadsTo("https://play.google.com/store/account/subscriptions")
        default: isCancelled ? .done : .refused("cancellationNotConnected")
        }
    }

    /// Returns a token of a customer with that purchase.
    func holder(_ name: String, _ calls: CustomerCalls) async throws -> String {
        let site = calls.site
        let token = try await site.backOffice.mintToken(
            for: CustomerIdentity(externalID: name, isAnonymous: false),
            of: TestSite.readmigoID,
            caller: .commandLine
        )
        guard let store else { return token.accessToken.revealed }
        let state = isOver ? "expired" : isCancelled ? "cancelled" : "active"
        let start = site.clock.read().addingTimeInterval(-20 * 86_400)
        let end = start.addingTimeInterval((isOver ? 10 : 30) * 86_400)
        _ = try await site.pool.query(
            """
            INSERT INTO subscriptions (id, app_id, customer_id, store, environment, original_transaction_id, state, product_id,
                started_at, period_starts_at, period_ends_at, renews_automatically, cancelled_at, ended_at, created_at, updated_at)
            VALUES (gen_random_uuid(), \(TestSite.readmigoID), \(token.customer), \(store.rawValue), 'production', \(name), \(state),
                '00000000-0000-7000-8000-0000000000b1', \(start), \(start), \(end), \(renews),
                \(isCancelled ? start.addingTimeInterval(86_400) : nil), \(isOver ? end : nil), now(), now())
            """
        )
        return token.accessToken.revealed
    }
}

extension CustomerCalls {
    /// Returns all purchases and grants of everybody, and all jobs.
    fileprivate func kept() async throws -> [String] {
        try await site.pool.query(
            """
            SELECT s::text FROM subscriptions s
            UNION ALL SELECT e::text FROM subscription_events e
            UNION ALL SELECT o::text FROM orders o
            UNION ALL SELECT g::text FROM grants g
            UNION ALL SELECT v::text FROM purchase_verifications v
            UNION ALL SELECT j::text FROM jobs j
            ORDER BY 1
            """
        ).map { try $0.decode(0, as: String.self) }
    }
}
