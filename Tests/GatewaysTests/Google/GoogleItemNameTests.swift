import Billing
import Foundation
import StoreSimulator
import Testing

@testable import Gateways

@Suite("An item of a purchase at Google Play has one name, wherever it is told of") struct GoogleItemNameTests {
    /// A life of a purchase with an add-on, and the names of its items in the end.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let life: @Sendable (GoogleStore, String) -> Void
        /// Products by the suffixes of their names; none of the main item.
        let names: [String: String]

        init(
            _ name: String,
            _ names: [String: String],
            _ life: @escaping @Sendable (GoogleStore, String) -> Void = { _, _ in }
        ) {
            (testDescription, self.names, self.life) = (name, names, life)
        }

        static let all = [
            Row("as it was bought", ["": "pro", ":extra": "extra"]),
            Row("renewed", ["": "pro", ":extra": "extra"]) { store, token in
                store.days(30)
                store.google.renew(token)
            },
            Row("a renewal's lines in another sequence", ["": "pro", ":extra": "extra"]) { store, token in
                store.days(30)
                store.google.renew(token)
                store.google.turnLines(ofOrder: store.google.purchase(token)?.orders.last ?? "")
            },
            Row("the first order's lines in another sequence", ["": "extra", ":pro": "pro"]) { store, token in
                store.google.turnLines(ofOrder: store.google.purchase(token)?.orders.first ?? "")
                store.days(30)
                store.google.renew(token)
            },
            Row("without its add-on", ["": "pro"]) { store, token in
                store.google.dropAddOns(token)
                store.days(30)
                store.google.renew(token)
            },
            Row("without its main item", [":extra": "extra"]) { store, token in
                store.google.dropMain(token)
                store.days(30)
                store.google.renew(token)
            },
        ]
    }

    @Test("in the purchase, in its order, and in what is asked again", arguments: Row.all)
    func names(row: Row) async throws {
        try await GoogleStore.run { store in
            let token = store.google.buy(GoogleStore.monthly, addOns: [GoogleStore.extra])
            row.life(store, token)
            let orders = try #require(store.google.purchase(token)?.orders)
            let (first, last) = (try #require(orders.first), try #require(orders.last))
            let facts = try await store.reader.facts(of: token)
            let told = try facts.events(id: "message")
            let byOrder = try await store.reader.events(ofOrder: last, token: token, id: "message", kind: .observed)
            for events in [told, byOrder] {
                let found = events.map { event in
                    let product = String(event.transaction.productID.prefix { $0 != ":" })
                    return (String(event.transaction.id.dropFirst(last.count)), product)
                }
                #expect(Dictionary(found) { first, _ in first } == row.names)
                #expect(events.first?.id == "message")
                #expect(Set(events.map(\.id)).count == events.count)
                #expect(
                    Set(events.map { $0.transaction.originalID.dropFirst(first.count) })
                        == Set(row.names.keys.map { $0[...] })
                )
            }
            // The earlier orders' items are of the same subscriptions.
            let all = try await store.reader.events(ofToken: token)
            for event in all where event.transaction.productID.hasPrefix("pro") {
                let suffix = row.names.first { $0.value == "pro" }?.key ?? ""
                #expect(event.transaction.originalID == "\(first)\(suffix)")
            }
            #expect(told.count { $0.awaitsAcknowledgement == true } == 1)
        }
    }

    @Test("what takes the main item's place at a renewal has its name") func replaced() async throws {
        try await GoogleStore.run { store in
            let token = store.google.buy(GoogleStore.monthly, addOns: [GoogleStore.extra])
            let order = try #require(store.google.purchase(token)?.orders.first)
            let next = store.google.changeLater(token, to: GoogleStore.basic)
            store.days(30)
            store.google.renew(next)
            let events = try await store.newest()
            #expect(events.map(\.transaction.originalID) == [order, "\(order):extra"])
            #expect(events.first?.transaction.productID == "basic:monthly")
        }
    }
}
