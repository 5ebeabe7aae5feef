import Billing
import Foundation
import Gateways
import HTTPTypes
import Operations
import Postgres
import Storage
import Testing

@testable import API
@testable import HTTP

@Suite("Orders to pay, over HTTP") struct CheckoutTests {
    private static let path = "/api/v1/subscription/orders"
    private static let native = #"{"product": "pro.month", "method": "wechat_native"}"#

    @Test("an order has its price, its QR code as text and picture, and is the customer's alone")
    func open() async throws {
        try await PayShop.run { calls in
            let token = try await calls.nobody()
            let answer = try await calls.ask(.post, Self.path, token: token, key: "k1", body: Self.native)
            #expect(answer.status == .created)
            let order = try answer.object()
            let number = try #require(order["number"] as? String)
            #expect(order["state"] as? String == "open" && order["currency"] as? String == "CNY")
            #expect(order["amount"] as? Double == 18 && order["credit"] as? Double == 0)
            let payment = try #require(order["payment"] as? [String: Any])
            #expect((order["page"] as? String)?.hasSuffix("/pay/\(number)") == true)
            #expect(payment["qrText"] as? String == "weixin://pay/\(number)")
            let image = try #require((payment["qrImage"] as? String)?.split(separator: ",").last)
            let png = try #require(Data(base64Encoded: String(image)))
            #expect(png.prefix(8) == Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
            let again = try await calls.ask(.post, Self.path, token: token, key: "k1", body: Self.native)
            #expect(try again.object()["number"] as? String == number)
            let other = try await calls.buyer()
            #expect(try await calls.ask(.get, "\(Self.path)/\(number)", token: other).status == .notFound)
            #expect(try await calls.ask(.get, "\(Self.path)/\(number)").status == .unauthorized)
            let plain = try await calls.ask(.get, "\(Self.path)/\(number)", token: token)
            #expect(try plain.object()["state"] as? String == "open")
        }
    }

    @Test("whoever waits for an order is answered as it is paid")
    func wait() async throws {
        try await PayShop.run { calls in
            let token = try await calls.nobody()
            let opened = try await calls.ask(.post, Self.path, token: token, body: Self.native).object()
            let number = try #require(opened["number"] as? String)
            async let waiting = calls.ask(.get, "\(Self.path)/\(number)?wait=25", token: token)
            let payment = StorePayment(
                number: number,
                transactionID: "wx-1",
                amount: Money(minorUnits: 1_800, currency: try #require(Currency("CNY"))),
                paidAt: calls.site.backOffice.database.now
            )
            let settled = try await calls.site.backOffice.settle(payment, at: .wechat, of: TestSite.readmigoID)
            #expect(settled == .settled)
            let answer = try await waiting.object()
            #expect(answer["state"] as? String == "paid" && answer["paidAt"] is String)
            #expect(answer["payment"] is NSNull)
            let status = try await calls.ask(.get, "/subscriptions/status", token: token).object()
            #expect(status["planType"] as? String == "PRO")
        }
    }

    @Test("what is not sold is told at its field or by its code, in the customer's language")
    func refused() async throws {
        try await PayShop.run { calls in
            let token = try await calls.nobody()
            let method = try await calls.ask(
                .post,
                Self.path,
                token: token,
                body: #"{"product": "pro.month", "method": "cash"}"#
            )
            #expect(method.status == .unprocessableContent)
            #expect(try method.fields() == ["method"])
            let openid = try await calls.ask(
                .post,
                Self.path,
                token: token,
                body: #"{"product": "pro.month", "method": "wechat_jsapi"}"#
            )
            #expect(try openid.fields() == ["openid"])
            for (member, value) in [
                ("returnUrl", "http://shop.example/"), ("returnUrl", "https://"), ("returnUrl", "javascript:alert(1)"),
                ("openid", "o\\u0000x"), ("clientAddress", "the moon"),
            ] {
                let body = #"{"product": "pro.month", "method": "wechat_native", "\#(member)": "\#(value)"}"#
                let answer = try await calls.ask(.post, Self.path, token: token, language: "tr", body: body)
                #expect(answer.status == .unprocessableContent, "\(body)")
                #expect(try answer.fields() == [member], "\(body)")
            }
            let unknown = try await calls.ask(
                .post,
                Self.path,
                token: token,
                body: #"{"product": "😀", "method": "wechat_native"}"#
            )
            #expect(unknown.status == .notFound)
            #expect(try unknown.object()["code"] as? String == "productNotFound")
            let alipay = try await calls.ask(
                .post,
                Self.path,
                token: token,
                body: #"{"product": "pro.month", "method": "alipay_qr"}"#
            )
            #expect(alipay.status == .conflict)
            #expect(try alipay.object()["code"] as? String == "storeNotConnected")
            let renews = try await calls.ask(
                .post,
                Self.path,
                token: try await calls.buyer(),
                language: "zh-Hans",
                body: Self.native
            )
            #expect(renews.status == .conflict)
            #expect(try renews.object()["code"] as? String == "alreadySubscribed")
            #expect((try renews.object()["detail"] as? String)?.contains("2026年12月1日") == true)
        }
    }
}
