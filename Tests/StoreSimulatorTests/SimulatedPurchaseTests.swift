import Billing
import Foundation
import Gateways
import StoreSimulator
import Testing

@Suite("What is bought in the simulated App Store on request") struct SimulatedPurchaseTests {
    private func run(_ body: (SimulatedAppleServer) async throws -> Void) async throws {
        let store = SimulatedAppleServer(authority: try TestAuthority(), webhook: "http://127.0.0.1:9")
        try await store.start()
        try await body(store)
        await store.stop()
    }

    private func tell(_ store: SimulatedAppleServer, _ path: String, _ body: JSON) async throws -> StoreResponse {
        let url = "\(store.url())/simulator/\(path)"
        return try await HTTPStoreTransport().send(StoreRequest("POST", url, body: Data(body.bytes)))
    }

    private func bought(_ store: SimulatedAppleServer, _ body: JSON) async throws -> JSON {
        let answer = try await tell(store, "purchases", body)
        #expect(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
        let id = try #require(try JSON(parsing: Array(answer.body))["transactionId"]?.string)
        return try #require(store.transaction(id))
    }

    @Test(
        "what is bought once is told by ONE_TIME_CHARGE, has no end and no group, and names the installation",
        arguments: ["Consumable", "Non-Consumable", "Non-Renewing Subscription"]
    )
    func once(_ type: String) async throws {
        try await run { store in
            let transaction = try await bought(store, ["productId": "coins", "type": .string(type), "quantity": 3])
            #expect(transaction["type"] == .string(type))
            #expect(transaction["expiresDate"] == nil)
            #expect(transaction["appTransactionId"]?.string?.isEmpty == false)
            #expect(store.sendings().map(\.message.type) == ["ONE_TIME_CHARGE"])
        }
    }

    @Test("what is owned for ever is sold once to an account; what is used up, each time")
    func owned() async throws {
        try await run { store in
            let token = JSON.string(UUID().uuidString.lowercased())
            func ids(_ type: String) async throws -> Set<String?> {
                var ids: Set<String?> = []
                for _ in 0..<2 {
                    let body: JSON = ["productId": .string(type), "type": .string(type), "appAccountToken": token]
                    ids.insert(try await bought(store, body)["transactionId"]?.string)
                }
                return ids
            }
            let (owned, used) = (try await ids("Non-Consumable"), try await ids("Consumable"))
            #expect((owned.count, used.count) == (1, 2))
        }
    }

    @Test("a commitment is charged period by period, counted, and begins anew after the last")
    func commitment() async throws {
        try await run { store in
            let body: JSON = ["productId": "pro.yearly", "price": 9_990, "periods": 3, "days": 30]
            var transaction = try await bought(store, body)
            #expect(transaction["billingPlanType"] == "MONTHLY")
            #expect(transaction["commitmentInfo"]?["commitmentPrice"] == 29_970)
            let original = try #require(transaction["originalTransactionId"])
            var numbers: [JSON?] = [transaction["commitmentInfo"]?["billingPeriodNumber"]]
            for _ in 0..<3 {
                let end = transaction["expiresDate"]
                let answer = try await tell(store, "renewals", ["originalTransactionId": original])
                let id = try #require(try JSON(parsing: Array(answer.body))["transactionId"]?.string)
                transaction = try #require(store.transaction(id))
                #expect(transaction["purchaseDate"] == end)
                #expect(transaction["price"] == 9_990)
                numbers.append(transaction["commitmentInfo"]?["billingPeriodNumber"])
            }
            #expect(numbers == [1, 2, 3, 1])
            #expect(store.sendings().map(\.message.type) == ["SUBSCRIBED", "DID_RENEW", "DID_RENEW", "DID_RENEW"])
        }
    }

    @Test(
        "what is not understood is named",
        arguments: [
            ([:], "productId"), (["productId": "x", "type": "Rent"], "type"),
            (["productId": "x", "price": -1], "price"),
            (["productId": "x", "price": .integer(.max)], "price"), (["productId": "x", "quantity": 0], "quantity"),
            (["productId": "x", "days": "30"], "days"), (["productId": "x", "periods": 1], "periods"),
            (["productId": "x", "type": "Consumable", "periods": 12], "periods"),
            (["productId": "x", "appAccountToken": "ada"], "appAccountToken"),
        ] as [(JSON, String)]
    )
    func misunderstood(_ body: JSON, _ name: String) async throws {
        try await run { store in
            let answer = try await tell(store, "purchases", body)
            #expect(answer.status == 400)
            #expect(String(decoding: answer.body, as: UTF8.self).contains(name))
            #expect(try await tell(store, "renewals", ["originalTransactionId": "7"]).status == 400)
        }
    }
}
