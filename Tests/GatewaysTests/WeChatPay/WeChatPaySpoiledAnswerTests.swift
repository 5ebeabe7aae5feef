import Billing
import Foundation
import StoreSimulator
import TestSupport
import Testing

@testable import Gateways

@Suite("What is not WeChat Pay's answer is not its no") struct WeChatPaySpoiledAnswerTests {
    /// A call whose answer has an effect.
    struct Call: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The part of the address whose answer is spoiled.
        let part: String
        let ask: @Sendable (WeChatPay, PayStore, StoreRefund) async throws -> Void

        init(
            _ name: String,
            _ part: String,
            _ ask: @escaping @Sendable (WeChatPay, PayStore, StoreRefund) async throws -> Void
        ) {
            (testDescription, self.part, self.ask) = (name, part, ask)
        }
    }

    private static let day = BusinessDay(PayStore.start.addingTimeInterval(-3 * 86_400), in: WeChatPayTime.zone)

    private static let calls = [
        Call("an order as a code", "transactions/native") { pay, store, _ in
            _ = try await pay.open(store.order("SUB-NATIVE"), by: .wechatNative)
        },
        Call("an order inside WeChat", "transactions/jsapi") { pay, store, _ in
            _ = try await pay.open(store.order("SUB-JSAPI"), by: .wechatJSAPI)
        },
        Call("an order in an app", "transactions/app") { pay, store, _ in
            _ = try await pay.open(store.order("SUB-APP"), by: .wechatApp)
        },
        Call("an order in a phone's browser", "transactions/h5") { pay, store, _ in
            _ = try await pay.open(store.order("SUB-MWEB"), by: .wechatH5)
        },
        Call("how an order stands", "out-trade-no/SUB-PAID") { pay, _, _ in
            guard case .paid = try await pay.standing(of: "SUB-PAID") else { throw WeChatPaySimulatorTests.Wrong() }
        },
        Call("closing an order", "/close") { pay, _, _ in
            let standing = try await pay.close("SUB-OPEN")
            #expect(standing == .closed(nil))
        },
        Call("a refund", "POST http") { pay, _, refund in _ = try await pay.refund(refund) },
        Call("how a refund stands", "domestic/refunds/R-SUB-PAID") { pay, _, refund in
            let standing = try await pay.standing(of: refund)
            #expect(standing != nil, "it passes for unknown")
        },
        Call("where a day's bill lies", "bill/tradebill") { pay, _, _ in
            let bill = try await pay.bill(of: day)
            #expect(bill?.isWhole == true, "it passes for a day on which nothing happened")
        },
        Call("a day's bill", "billdownload") { pay, _, _ in
            let bill = try await pay.bill(of: day)
            #expect(bill?.rows.count == 1)
        },
        Call("where a day's movements lie", "bill/fundflowbill") { pay, _, _ in
            let bill = try await pay.fundBill(of: day)
            #expect(bill?.rows.isEmpty == false)
        },
        Call("the certificates", "v3/certificates") { pay, _, _ in
            guard case .paid = try await pay.standing(of: "SUB-PAID") else { throw WeChatPaySimulatorTests.Wrong() }
        },
    ]

    @Test(
        "whatever comes in the place of an answer, nothing ends by it, and the next good answer is taken",
        arguments: calls
    )
    func spoiled(call: Call) async throws {
        let clock = SimulatedClock(standingAt: PayStore.start.addingTimeInterval(-3 * 86_400))
        try await PayStore.run(mode: .certificates, usesPublicKey: false, at: clock) { store in
            let refund = try await store.paid("SUB-PAID", by: try store.pay())
            _ = try await store.pay().open(store.order("SUB-OPEN"), by: .wechatNative)
            clock.advance(by: 3 * 86_400)
            if call.part.contains("refunds") { _ = try await store.pay().refund(refund) }
            let spoiling = SpoilingTransport(HTTPStoreTransport())
            // Each asks for the certificates anew.
            let ask: () async throws -> Void = { try await call.ask(try store.pay(over: spoiling), store, refund) }
            try await ask()
            let good = try #require(spoiling.answer(to: call.part), "the call asks at another address")
            var all = good.spoiled(everyByte: TestScale.isWhole)
            if call.part != "billdownload" { all += Self.forged(good) }
            // Of a bill no member has another type.
            for (name, answer) in all where answer != good {
                spoiling.spoil(call.part, with: answer)
                do {
                    try await ask()
                    Issue.record("\(name) passed for an answer")
                } catch let failure as StoreFailure {
                    #expect(failure.refusal == nil, "\(name) ends it: \(failure)")
                    #expect(!failure.message.isEmpty)
                }
            }
            spoiling.spoil(call.part, with: nil)
            try await ask()
        }
    }

    /// The good answer under a signature that does not hold, and errors of WeChat Pay's that it did not sign.
    private static func forged(_ good: StoreResponse) -> [(name: String, answer: StoreResponse)] {
        func with(_ name: String, _ value: String?) -> StoreResponse {
            var answer = good
            answer.headers[name] = value
            return answer
        }
        let signature = good.headers["wechatpay-signature"] ?? ""
        var all: [(name: String, answer: StoreResponse)] = [
            ("no signature", with("wechatpay-signature", nil)), ("an empty one", with("wechatpay-signature", "")),
            ("a probe", with("wechatpay-signature", "WECHATPAY/SIGNTEST/" + signature.dropFirst(19))),
            ("another one", with("wechatpay-signature", String(signature.reversed()))),
            ("another nonce", with("wechatpay-nonce", "0")), ("no nonce", with("wechatpay-nonce", nil)),
            ("another time", with("wechatpay-timestamp", "1795000001")),
            ("no time", with("wechatpay-timestamp", "yesterday")), ("no serial", with("wechatpay-serial", nil)),
            ("an unknown serial", with("wechatpay-serial", "5ABCDEF0123456789ABCDEF0123456789ABCDEF0")),
            ("another algorithm", with("wechatpay-signature-type", "WECHATPAY2-SM2-WITH-SM3")),
        ]
        for code in WeChatPayErrorCode.allCases {
            for status in code.statuses {
                let body = #"{"code":"\#(code.rawValue)","message":"not signed"}"#
                all.append(("\(status) \(code)", StoreResponse(status: status, body: Data(body.utf8))))
            }
        }
        return all
    }
}
