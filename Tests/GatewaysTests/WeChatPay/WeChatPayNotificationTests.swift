import Billing
import Foundation
import StoreSimulator
import Testing

@testable import Gateways

@Suite("Notifications of WeChat Pay") struct WeChatPayNotificationTests {
    @Test("payment and refund are told, signed by certificate and public key within the same minute")
    func told() async throws {
        try await PayStore.run { store in
            let pay = try store.pay()
            let refund = try await store.paid(by: pay)
            _ = try await pay.refund(refund)
            await store.simulator.deliverDue()
            var seen: [String] = []
            for delivery in store.received.all {
                let notification = try await pay.notification(delivery, at: store.clock.now)
                seen.append(notification.type)
                switch notification.content {
                case .payment(let payment): #expect(payment.number == refund.orderNumber)
                case .refund(let notice):
                    #expect(notice.number == refund.number && notice.standing.state == .succeeded)
                case .ignored: Issue.record("it is ignored")
                }
            }
            #expect(seen.sorted() == ["REFUND.SUCCESS", "TRANSACTION.SUCCESS"])
            let serials = Set(store.received.all.compactMap { $0.headers["wechatpay-serial"] })
            #expect(serials.count == 2 && serials.contains(store.simulator.publicKey.serial))
            #expect(store.simulator.messages.allSatisfy { $0.isTaken })
        }
    }

    @Test("what is wrong with one is told: signature, time, key, app, merchant, ciphertext")
    func bent() async throws {
        try await PayStore.run(mode: .publicKey) { store in
            let pay = try store.pay()
            _ = try await store.paid(by: pay)
            let cases: [(SimulatedWeChatMood, GatewayError.Code)] = [
                (.probe, .invalidSignature), (.otherKey, .invalidSignature), (.unsigned, .invalidSignature),
                (.unknownSerial, .invalidSignature), (.stale(301), .invalidSignature), (.stale(-301), .signedInFuture),
                (.wrongAssociatedData, .misconfigured), (.truncatedCiphertext, .malformed), (.otherMerchant, .wrongApp),
                (.otherApp, .wrongApp),
            ]
            for (mood, code) in cases {
                let delivery = try store.simulator.delivery(of: 0, mood)
                do throws(GatewayError) {
                    _ = try await pay.notification(delivery, at: store.clock.now)
                    Issue.record("\(mood) is taken")
                } catch {
                    #expect(error.code == code, "\(mood): \(error)")
                    #expect(!error.message.isEmpty)
                }
            }
            for mood in [SimulatedWeChatMood.stale(299), .stale(-299), .stale(300)] {
                _ = try await pay.notification(try store.simulator.delivery(of: 0, mood), at: store.clock.now)
            }
            let cheaper = try store.simulator.delivery(of: 0, .otherAmount)
            guard case .payment(let payment) = try await pay.notification(cheaper, at: store.clock.now).content else {
                Issue.record("it is no payment")
                return
            }
            #expect(payment.amount == .fen(599))
        }
    }

    @Test("what is kept of one is its body, with the number that is asked about, and is read again without a key")
    func kept() async throws {
        try await PayStore.run { store in
            let pay = try store.pay()
            let refund = try await store.paid(by: pay)
            _ = try await pay.refund(refund)
            await store.simulator.deliverDue()
            let deliveries = store.received.all
            #expect(deliveries.count == 2)
            for delivery in deliveries {
                let notification = try await pay.notification(delivery, at: store.clock.now)
                let kept = WeChatPayKeptMessage(notification, body: delivery.payload)
                #expect(try WeChatPayKeptMessage(kept.text) == kept && kept.body == delivery.payload)
                switch kept.subject {
                case .payment(let number, let amount):
                    #expect(number == refund.orderNumber && amount == .fen(600))
                case .refund(let number):
                    #expect(number == refund.number)
                    let notice = try await pay.notice(ofRefund: number)
                    #expect(notice.orderNumber == refund.orderNumber && notice.standing.state == .succeeded)
                case .other: Issue.record("nothing is kept")
                }
            }
            for text in ["", "{}", "[]", "no text", #"{"body":"","out_trade_no":"A","total":"600"}"#] {
                #expect(throws: GatewayError.self) { try WeChatPayKeptMessage(text) }
            }
        }
    }

    @Test("the bytes count as they came: Chinese text parsed and written again does not hold")
    func bytes() async throws {
        try await PayStore.run { store in
            let pay = try store.pay()
            _ = try await store.paid(by: pay)
            var delivery = try store.simulator.delivery(of: 0)
            _ = try await pay.notification(delivery, at: store.clock.now)
            delivery.payload = delivery.payload.replacing("支付成功", with: #"\u652f\u4ed8\u6210\u529f"#)
            await #expect(throws: GatewayError.self) { try await pay.notification(delivery, at: store.clock.now) }
        }
    }
}
