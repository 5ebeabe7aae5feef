import Billing
import Foundation
import Gateways
import StoreSimulator
import Testing

@Suite("The customers of the simulated WeChat Pay, Alipay and Google Play") struct SimulatedShoppersTests {
    private static let end = Date(timeIntervalSince1970: 1_795_000_000)
    private static let start = end.addingTimeInterval(-730 * 86_400)

    @Test("buy the same under the same seed, in order, and pay what they pay", arguments: [Store.wechat, .alipay])
    func shoppers(store: Store) {
        func make(_ seed: UInt64) -> [SimulatedShopper] {
            SimulatedShoppers(seed: seed, customers: 40, at: store, from: Self.start, until: Self.end).shoppers
        }
        let shoppers = make(7)
        let orders = shoppers.flatMap(\.orders)
        #expect(orders == make(7).flatMap(\.orders))
        #expect(orders != make(8).flatMap(\.orders))
        #expect(Set(orders.map(\.number)).count == orders.count)
        #expect(Set(orders.compactMap(\.payment?.transactionID)).count == orders.filter { $0.payment != nil }.count)
        #expect(orders.allSatisfy { $0.method.store == store && (Self.start..<Self.end).contains($0.openedAt) })
        #expect(orders.contains { $0.payment == nil } && orders.contains { $0.item.plan == "PREMIUM" })
        for shopper in shoppers {
            #expect(shopper.orders.map(\.openedAt) == shopper.orders.map(\.openedAt).sorted())
        }
        let recent = orders.filter { ($0.payment?.paidAt ?? .distantPast) > Self.end.addingTimeInterval(-7 * 86_400) }
        #expect(recent.count >= 8)
    }

    @Test("live at Google Play as it tells, and the last day's messages are left for the webhook")
    func players() async throws {
        let players = SimulatedPlayers(seed: 7, customers: 30, from: Self.start, until: Self.end)
        let google = try SimulatedGoogle.demo()
        try await google.start()
        let told = try await players.play(at: google, asks: true)
        #expect(told.count == 30)
        let events = told.joined()
        #expect(Set(events.map(\.id)).count == events.count)
        #expect(
            Set(events.map(\.kind)).isSuperset(of: [
                .subscribed, .renewed, .gracePeriodEntered, .billingRetryEntered, .paused,
            ])
        )
        // An end is told within seconds of what brings it, in either order.
        for history in told {
            for (one, next) in zip(history, history.dropFirst()) {
                #expect(next.signedAt.timeIntervalSince(one.signedAt) >= -5)
            }
        }
        let left = google.pushes.filter { !$0.isDelivered }
        let words = left.map { String(decoding: $0.notification.bytes, as: UTF8.self) }
        #expect(words.contains { $0.contains("pendingRefundReviewNotification") })
        #expect(words.contains { $0.contains("voidedPurchaseNotification") })

        let again = try SimulatedGoogle.demo()
        try await again.start()
        #expect(try await players.play(at: again, asks: false).allSatisfy(\.isEmpty))
        #expect(again.pushes.map(\.id) == google.pushes.map(\.id))
        #expect(!again.pushes.contains { !$0.isDelivered })
        await google.stop()
        await again.stop()
    }

    @Test("are remembered by a store that starts again, with what was given back")
    func recalled() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let sale = SimulatedSale(
            number: "7K3MQ9ZD2XVA7K3MQ9ZD2XVA7K",
            method: .wechatJSAPI,
            description: "Pro monthly",
            amount: 1_800,
            openedAt: Self.end.addingTimeInterval(-120),
            transactionID: "4200000902611210000000001",
            paidAt: Self.end.addingTimeInterval(-60),
            refunds: [.init(number: "R1", storeID: "5030", amount: 600, at: Self.end)]
        )
        let wechat = try SimulatedWeChatShop(keptIn: folder.path)
        wechat.pay.recall([sale])
        #expect(wechat.pay.order(sale.number)?.state == "REFUND")
        #expect(wechat.pay.order(sale.number)?.kind == "JSAPI")
        #expect(wechat.pay.refund("R1")?.amount == 600)
        let alipay = try SimulatedAlipayShop(keptIn: folder.path)
        alipay.alipay.recall([sale])
        #expect(alipay.alipay.refunded(sale.number) == 600)
    }
}

extension SimulatedGoogle {
    fileprivate static func demo() throws -> SimulatedGoogle {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try SimulatedGoogleShop(keptIn: folder.path).google
    }
}
