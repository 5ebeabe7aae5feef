import Billing
import Foundation
import StoreSimulator
import Testing

@testable import Gateways

@Suite("WeChat Pay over HTTP") struct WeChatPaySimulatorTests {
    private static let modes: [(SimulatedWeChatMode, Bool)] = [
        (.certificates, false), (.publicKey, true), (.both, true), (.both, false),
    ]

    @Test(
        "an order is opened each way, paid, found, closed and given back, by certificates and by the public key",
        arguments: modes
    )
    func life(mode: SimulatedWeChatMode, usesPublicKey: Bool) async throws {
        try await PayStore.run(mode: mode, usesPublicKey: usesPublicKey) { store in
            let pay = try store.pay()
            guard case .qr(let code) = try await pay.open(store.order(), by: .wechatNative) else { throw Wrong() }
            #expect(code.hasPrefix("weixin://wxpay/bizpayurl?pr="))
            let redirect = try await pay.open(store.order("SUB-H5-1"), by: .wechatH5)
            guard case .redirect(let address) = redirect else { throw Wrong() }
            #expect(address.hasSuffix("&redirect_url=https%3A%2F%2Fexample.com%2Fback%3Fa%3Db"))
            let page = try await pay.open(store.order("SUB-JS-1"), by: .wechatJSAPI)
            guard case .parameters(let fields) = page else { throw Wrong() }
            #expect(fields.map(\.name).contains("paySign"))
            let app = try await pay.open(store.order("SUB-APP-1"), by: .wechatApp)
            guard case .parameters(let others) = app else { throw Wrong() }
            #expect(others.first { $0.name == "partnerid" }?.value == PayStore.merchantID)

            #expect(try await pay.standing(of: "SUB-NOBODY") == .unknown)
            #expect(try await pay.standing(of: "SUB-20261118-0001") == .open)
            store.simulator.set("SUB-APP-1", to: "USERPAYING")
            #expect(try await pay.standing(of: "SUB-APP-1") == .paying)
            #expect(try await pay.close("SUB-H5-1") == .closed(nil))
            #expect(try await pay.close("SUB-H5-1") == .closed(nil))
            #expect(try await pay.close("SUB-NOBODY") == .unknown)
            let id = try store.simulator.pay("SUB-20261118-0001")
            guard case .paid(let payment) = try await pay.close("SUB-20261118-0001") else { throw Wrong() }
            #expect(payment.transactionID == id && payment.amount == .fen(600) && !payment.isRefunded)

            let refund = StoreRefund(
                number: "R-1",
                orderNumber: "SUB-20261118-0001",
                transactionID: id,
                amount: .fen(100),
                total: .fen(600),
                reason: ""
            )
            #expect(try await pay.standing(of: refund) == nil)
            #expect(try await pay.refund(refund).state == .processing)
            let standing = try #require(try await pay.standing(of: refund))
            #expect(standing.state == .succeeded && standing.amount == .fen(100))
            #expect(standing.succeededAt == PayStore.start)
            guard case .paid(let after) = try await pay.standing(of: "SUB-20261118-0001") else { throw Wrong() }
            #expect(after.isRefunded)
        }
    }

    @Test("the same order again is the same; with another price it is refused, once paid it is asked about")
    func again() async throws {
        try await PayStore.run { store in
            let pay = try store.pay()
            let first = try await pay.open(store.order(), by: .wechatNative)
            #expect(try await pay.open(store.order(), by: .wechatNative) == first)
            let dearer = await payFailure { _ = try await pay.open(store.order(fen: 700), by: .wechatNative) }
            #expect(dearer?.refusal != nil)
            try store.simulator.pay("SUB-20261118-0001")
            let used = await payFailure { _ = try await pay.open(store.order(), by: .wechatNative) }
            #expect((used?.reason.underlying as? WeChatPayError)?.treatment == .queryFirst)
            #expect(used?.refusal == nil)
            let asked = store.simulator.asked.count
            var unsendable = store.order("x")
            #expect(await payFailure { _ = try await pay.open(unsendable, by: .wechatNative) }?.refusal != nil)
            unsendable = store.order("SUB-2-OTHER")
            unsendable.amount = Money(minorUnits: 600, currency: try #require(Currency("USD")))
            #expect(await payFailure { _ = try await pay.open(unsendable, by: .wechatNative) }?.refusal != nil)
            unsendable = store.order("SUB-2-OTHER", fen: 0)
            #expect(await payFailure { _ = try await pay.open(unsendable, by: .wechatNative) }?.refusal != nil)
            unsendable = store.order("SUB-2-OTHER")
            unsendable.notificationURL += "?a=b"
            #expect(await payFailure { _ = try await pay.open(unsendable, by: .wechatNative) } != nil)
            unsendable = store.order("SUB-2-OTHER")
            unsendable.payer = nil
            #expect(await payFailure { _ = try await pay.open(unsendable, by: .wechatJSAPI) }?.refusal != nil)
            unsendable.clientAddress = nil
            #expect(await payFailure { _ = try await pay.open(unsendable, by: .wechatH5) }?.refusal != nil)
            #expect(store.simulator.asked.count == asked)
        }
    }

    @Test("a refund's number pays once, whatever becomes of the answers")
    func paidOnce() async throws {
        try await PayStore.run { store in
            let pay = try store.pay()
            let refund = try await store.paid(by: pay)
            let faults: [SimulatedFault.Kind] = [.hangUpAfterEffect, .cutAfterEffect, .field(.html), .field(.empty)]
            for fault in faults {
                store.server.fail(SimulatedFault(fault, onPath: "/domestic/refunds", times: 3))
                let failure = await payFailure { _ = try await pay.refund(refund) }
                #expect(failure != nil && failure?.refusal == nil, "\(fault)")
                store.server.mend()
            }
            store.simulator.be(.probe, at: "/domestic/refunds")
            #expect(try await pay.refund(refund).state == .succeeded)
            #expect(store.simulator.refunds.count == 1)
            var other = refund
            other.amount = .fen(1)
            // The refund under the number is told, with its own amount.
            let known = try await pay.refund(other)
            #expect(known.state == .succeeded && known.amount == .fen(600))
            other.amount = .fen(601)
            #expect(await payFailure { _ = try await pay.refund(other) }?.refusal != nil)
            #expect(store.simulator.refunds.map(\.amount) == [600])
        }
    }

    @Test("a balance that does not suffice is told in WeChat Pay's words; topped up, the same number is paid")
    func balance() async throws {
        try await PayStore.run { store in
            let pay = try store.pay()
            let refund = try await store.paid(by: pay)
            store.simulator.setBalance(599)
            let failure = await payFailure { _ = try await pay.refund(refund) }
            #expect(failure?.refusal == nil && failure?.message.contains("基本账户余额不足") == true)
            #expect((failure?.reason.underlying as? WeChatPayError)?.treatment == .topUp)
            store.simulator.setBalance(600)
            #expect(try await pay.refund(refund).state == .processing)
        }
    }

    @Test("an abnormal refund goes to the merchant's bank, or encrypted to the customer's card", arguments: modes)
    func abnormal(mode: SimulatedWeChatMode, usesPublicKey: Bool) async throws {
        try await PayStore.run(mode: mode, usesPublicKey: usesPublicKey) { store in
            let pay = try store.pay()
            store.simulator.setRefunds(endingAs: "ABNORMAL")
            for (number, route) in [
                ("SUB-1-MERCHANT", AbnormalRoute.merchant),
                ("SUB-2-CUSTOMER", .customer(bank: "ICBC_DEBIT", account: Secret("6222020000"), name: Secret("王小明"))),
            ] {
                let refund = try await store.paid(number, by: pay)
                _ = try await pay.refund(refund)
                let standing = try #require(try await pay.standing(of: refund))
                #expect(standing.state == .abnormal && standing.succeededAt == nil)
                let id = try #require(standing.storeID)
                #expect(try await pay.settleAbnormal(refund, storeID: id, to: route).state == .processing)
                #expect(try await pay.standing(of: refund)?.state == .succeeded)
            }
            #expect(store.simulator.refund("R-SUB-2-CUSTOMER")?.bankAccount == "6222020000")
        }
    }

    @Test("after a rotation both certificates count, the old one until its own end; each is asked for once")
    func rotation() async throws {
        try await PayStore.run(mode: .certificates, usesPublicKey: false) { store in
            let pay = try store.pay()
            _ = try await pay.open(store.order(), by: .wechatNative)
            #expect(Self.questions(store) == 1)
            store.clock.advance(by: 30)
            try store.simulator.rotate()
            // The serial is unknown, and they were asked for in this minute.
            #expect(await payFailure { _ = try await pay.standing(of: "SUB-20261118-0001") } != nil)
            store.clock.advance(by: 61)
            await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<8 {
                    group.addTask { (try? await pay.standing(of: "SUB-20261118-0001")) == .open }
                }
                for await isOpen in group { #expect(isOpen) }
            }
            #expect(Self.questions(store) == 2)
            try store.simulator.pay("SUB-20261118-0001")
            for _ in 0..<4 { _ = try await pay.notification(try store.simulator.delivery(of: 0), at: store.clock.now) }
            // After five years the first has ended, and the second will half a minute later.
            store.clock.advance(by: 5 * 365 * 86_400 - 90)
            var codes: Set<GatewayError.Code?> = []
            for _ in 0..<2 {
                let delivery = try store.simulator.delivery(of: 0)
                do throws(GatewayError) {
                    _ = try await pay.notification(delivery, at: store.clock.now)
                    codes.insert(nil)
                } catch {
                    codes.insert(error.code)
                }
            }
            #expect(codes == [nil, .invalidSignature])
        }
    }

    private static func questions(_ store: PayStore) -> Int {
        store.simulator.asked.filter { $0 == "GET /v3/certificates" }.count
    }

    @Test("a merchant without certificates is told that it needs the public key")
    func needsPublicKey() async throws {
        try await PayStore.run(mode: .publicKey, usesPublicKey: false) { store in
            let pay = try store.pay()
            let failure = await payFailure { _ = try await pay.open(store.order(), by: .wechatNative) }
            guard case .misconfigured(let reason)? = failure else { throw Wrong() }
            #expect(reason.field == "payPublicKeyId")
        }
        try await PayStore.run(mode: .certificates, usesPublicKey: false) { store in
            let pay = try store.pay()
            store.simulator.refuse(.init(404, "RESOURCE_NOT_EXISTS", "无可用的平台证书"), at: "/v3/certificates")
            let failure = await payFailure { _ = try await pay.open(store.order(), by: .wechatNative) }
            guard case .misconfigured(let reason)? = failure else { throw Wrong() }
            #expect(reason.field == "payPublicKey" && reason.message.contains("public key"))
        }
    }

    @Test("a wrong APIv3 key, a key of another merchant and a wrong clock are settings, not a no")
    func settings() async throws {
        try await PayStore.run(mode: .certificates, usesPublicKey: false) { store in
            var other = store
            other.account.secrets[WeChatSetting.apiV3Key] = Secret("ffffffffffffffffffffffffffffffff")
            let pay = try other.pay()
            let failure = await payFailure { _ = try await pay.open(store.order(), by: .wechatNative) }
            guard case .misconfigured(let reason)? = failure else { throw Wrong() }
            #expect(reason.field == "apiV3Key")
            var stranger = store
            stranger.account.settings[WeChatSetting.merchantSerial] = "3A5B7C9D1E2F4A6B8C0D1E2F3A4B5C6D7E8F9A0C"
            let refused = await payFailure { _ = try await stranger.pay().open(store.order(), by: .wechatNative) }
            guard case .misconfigured(let signing)? = refused else { throw Wrong() }
            #expect(signing.message.contains("SIGN_ERROR") && signing.message.contains("clock"))
        }
    }

    struct Wrong: Error {}
}
