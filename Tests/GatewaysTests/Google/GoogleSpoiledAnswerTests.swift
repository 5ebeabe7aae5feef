import Billing
import Foundation
import StoreSimulator
import TestSupport
import Testing

@testable import Gateways

@Suite("What is not Google's answer is not its no") struct GoogleSpoiledAnswerTests {
    /// A call whose answer has an effect.
    struct Call: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The part of the address whose answer is spoiled.
        let part: String
        let ask: @Sendable (GoogleStore, String, String) async throws -> Void

        init(
            _ name: String,
            _ part: String,
            _ ask: @escaping @Sendable (GoogleStore, String, String) async throws -> Void
        ) {
            (testDescription, self.part, self.ask) = (name, part, ask)
        }

        static let all: [Call] = [
            Call("how a subscription stands", "subscriptionsv2/tokens/") { store, token, _ in
                _ = try await store.reader.client.subscription(token)
            },
            Call("an order", "/orders/") { store, _, order in _ = try await store.reader.client.order(order) },
            Call("orders together", "orders:batchGet") { store, _, order in
                _ = try await store.reader.client.orders([order, "\(order)..0"])
            },
            Call("what a token is worth", "subscriptionsv2/tokens/") { store, token, _ in
                let source = try #require(try store.gateway.purchases(of: store.account))
                #expect(try await source.confirm(.purchaseToken(token), at: store.now).events.isEmpty == false)
            },
            Call("what a notification means", "subscriptionsv2/tokens/") { store, _, _ in
                let push = try #require(store.google.pushes.first)
                let payload = try store.google.delivery(of: push).payload
                #expect(try await store.gateway.events(of: payload, for: store.account).isEmpty == false)
            },
            Call("a silent subscription", "/orders") { store, _, order in
                let source = try #require(try store.gateway.reconciliation(of: store.account))
                let standing = try await source.events(of: order, besides: [], in: .production, at: store.now)
                #expect(standing?.events.isEmpty == false, "it passes for unknown")
            },
            Call("how a renewal is turned off", ":cancel") { store, token, _ in
                try await store.reader.client.cancel(token, byUser: true)
            },
            Call("an acknowledgement", ":acknowledge") { store, token, _ in
                try await store.reader.client.acknowledge(token, subscription: "pro")
            },
            Call("a deferral", ":defer") { store, token, _ in
                let etag = try await store.reader.client.subscription(token).etag ?? ""
                _ = try await store.reader.client.postpone(token, by: 86_400, etag: etag)
            },
            Call("a refund", ":refund") { store, _, order in
                try await store.reader.client.refund(order, revoking: false)
            },
            Call("an answer about a refund", ":reviewrefund") { store, _, order in
                try await store.reader.client.review(
                    order,
                    .decline,
                    token: "t",
                    percentage: nil,
                    providesSamples: true
                )
            },
            Call("a revocation", ":revoke") { store, token, _ in
                try await store.reader.client.revoke(token, .full)
            },
        ]
    }

    @Test(
        "whatever comes in the place of an answer, nothing ends by it, and the next good answer is taken",
        arguments: Call.all
    )
    func spoiled(call: Call) async throws {
        try await GoogleStore.run(isSpoiled: true) { store in
            let token = store.google.buy(GoogleStore.monthly)
            let order = try #require(store.google.purchase(token)?.orders.first)
            store.days(30)
            store.google.renew(token)
            let spoiling = try #require(store.spoiling)
            try await call.ask(store, token, order)
            let good = try #require(spoiling.answer(to: call.part), "the call asks at another address")
            for (name, answer) in good.spoiled(everyByte: TestScale.isWhole) where !good.looksLike(answer) {
                spoiling.spoil(call.part, with: answer)
                let failure = await store.failure {
                    try await call.ask(store, token, order)
                    Issue.record("\(name) passed for an answer")
                }
                #expect(failure?.refusal == nil, "\(name) ends it: \(String(describing: failure))")
                #expect(failure?.message.isEmpty == false)
            }
            for (name, body) in Self.halfErrors {
                spoiling.spoil(call.part, with: StoreResponse(status: 404, body: Data(body.utf8)))
                let failure = await store.failure { try await call.ask(store, token, order) }
                #expect(failure != nil && failure?.refusal == nil, "\(name) ends it")
            }
            spoiling.spoil(call.part, with: nil)
            try await call.ask(store, token, order)
        }
    }

    private static let halfErrors = [
        ("an error of another status", #"{"error":{"code":410,"message":"x","status":"NOT_FOUND"}}"#),
        ("an error without a word", #"{"error":{"code":404,"status":"NOT_FOUND"}}"#),
        ("an error without a reason", #"{"error":{"code":404,"message":"x"}}"#),
        ("an error's code as text", #"{"error":{"code":"404","message":"x","status":"NOT_FOUND"}}"#),
        ("half of an error", #"{"error":{"code":404,"message":"x","sta"#),
        ("a status that nobody knows", #"{"error":{"code":404,"message":"x","status":"GONE_FISHING"}}"#),
        ("another's error", #"{"errorCode":4040010,"errorMessage":"Transaction id not found."}"#),
        (
            "an error about the app",
            #"{"error":{"code":404,"message":"x","status":"NOT_FOUND","errors":[{"reason":"applicationNotFound"}]}}"#
        ),
    ]
}

extension StoreResponse {
    /// A success without a body looks like an empty answer, or an empty object, with its status.
    fileprivate func looksLike(_ other: StoreResponse) -> Bool {
        let isBare = body.isEmpty || body == Data("{}".utf8)
        guard isBare, other.status == 200 || other.status == 204 else { return false }
        return other.body.isEmpty || other.body == Data("{}".utf8)
    }
}
