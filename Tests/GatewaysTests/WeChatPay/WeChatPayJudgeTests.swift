import Billing
import CryptoExtras
import Foundation
import StoreSimulator
import Testing

@testable import Gateways

/// Checks wechatpayv3 against ours, so that our client and our simulator are not judged by each other alone.
@Suite("wechatpayv3 and ours agree", .enabled(if: Judge.isAvailable || Judge.isRequired))
struct WeChatPayJudgeTests {
    @Test(
        "on requests, answers and notifications, by certificates and by the public key",
        arguments: [(SimulatedWeChatMode.certificates, false), (.publicKey, true), (.both, true)]
    )
    func judged(mode: SimulatedWeChatMode, usesPublicKey: Bool) async throws {
        let judge = try Judge()
        defer { judge.removeFolder() }
        // wechatpayv3 has the real time.
        let clock = SimulatedClock()
        try await PayStore.run(mode: mode, usesPublicKey: usesPublicKey, at: clock) { store in
            clock.advance(by: -3 * 86_400)
            let billDay = BusinessDay(clock.now, in: WeChatPayTime.zone)
            let refund = try await store.paid("SUB-JUDGED", fen: 1_234, by: try store.pay())
            _ = try await store.pay().refund(refund)
            clock.advance(by: 3 * 86_400)
            let known: JSON = [
                "url": .string(store.server.url()), "webhook": .string(store.server.url() + PayStore.webhook),
                "appId": .string(PayStore.appID), "merchantId": .string(PayStore.merchantID),
                "serial": .string(PayStore.serial), "apiV3Key": .string(PayStore.apiV3Key),
                "publicKeyId": .string(store.simulator.publicKey.serial), "usesPublicKey": .bool(usesPublicKey),
                "billDay": .string("\(billDay)"),
            ]
            try judge.write(known.bytes, to: "pay.json")
            try judge.write(Array(try PayStore.key.get().pkcs8PEMRepresentation.utf8), to: "merchant.pem")
            try judge.write(Array(store.simulator.publicKey.pem.utf8), to: "public.pem")
            try judge.write(try Self.requests(of: store), to: "requests.jsonl")
            try judge.write(try Self.notifications(of: store), to: "notifications.jsonl")
            let verdict = try await judge.runAside("wechat_pay.py")
            #expect(verdict.status == 0, "\(verdict.output)")
            // Certificates are read by the client alone, and by one mode alone.
            let count = usesPublicKey ? 47 : 55
            #expect(verdict.output.hasSuffix("\(count) passed, 0 failed\n"), "\(verdict.output)")
            #expect(store.received.all.count >= 1)
        }
    }

    private static func requests(of store: PayStore) throws -> [UInt8] {
        let signer = try store.pay().merchant.signer
        let bodies = ["", #"{"description":"专业版 月付 100% a+b&c=d"}"#]
        return try bodies.flatMap { body in
            let lines = ["POST", "/v3/pay?a=%E4%B8%AD", "1700000000", "593BEC0C930BF1AFEB40B4A08C8FB242"]
            let message = WeChatPaySigner.message(lines, Array(body.utf8))
            let entry: JSON = [
                "message": .string(String(decoding: message, as: UTF8.self)),
                "signature": .string(try signer.sign(lines: lines + [body])),
            ]
            return entry.bytes + [0x0A]
        }
    }

    /// wechatpayv3 does not look at the time of a signature.
    private static func notifications(of store: PayStore) throws -> [UInt8] {
        let moods: [SimulatedWeChatMood?] = [
            nil, nil, nil, .probe, .otherKey, .tampered, .wrongAssociatedData, .truncatedCiphertext,
        ]
        return try store.simulator.messages.indices.flatMap { position in
            try moods.flatMap { mood in
                var delivery = try store.simulator.delivery(of: position, mood)
                if mood == .tampered { delivery.payload = delivery.payload.replacing("支付成功", with: "支付失败") }
                let headers = delivery.headers.map { JSON.Member(name: $0.key, value: .string($0.value)) }
                let entry: JSON = [
                    "headers": .object(headers), "body": .string(delivery.payload),
                    "type": .string(store.simulator.messages[position].type), "isGood": .bool(mood == nil),
                ]
                return entry.bytes + [0x0A]
            }
        }
    }
}
