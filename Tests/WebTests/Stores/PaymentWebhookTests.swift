import APITypes
import Billing
import Foundation
import Gateways
import HTTPTypes
import Jobs
import Postgres
import RouterTesting
import Storage
import StoreSimulator
import Testing

@Suite("Payments at WeChat and Alipay, from the order to the books") struct PaymentWebhookTests {
    private static let methods = [CheckoutMethod.wechatNative, .alipayQR]

    @Test(
        "a notification settles the order: access, order and charge, once, however often it comes",
        arguments: methods
    )
    func paid(_ method: CheckoutMethod) async throws {
        try await PaymentSite.run { shop in
            let number = try await shop.open(method)
            try shop.pay(number, by: method)
            shop.wechat.spoil(.twice)
            var knobs = SimulatedAlipayKnobs()
            knobs.copies = 3
            shop.alipay.set(knobs)
            await shop.deliver()
            let wanted = method.store == .wechat ? #"{"code":"SUCCESS","message":"成功"}"# : "success"
            #expect(shop.notified.answers.count >= 2)
            for answer in shop.notified.answers {
                #expect(answer.status == 200 && answer.body == Data(wanted.utf8))
            }
            // Nothing is granted before the store was asked.
            #expect(try await shop.books() == [])
            try await shop.work()
            try await shop.work()
            let store = method.store.rawValue
            let type = method.store == .wechat ? "TRANSACTION.SUCCESS" : "trade_status_sync"
            #expect(try await shop.inbox() == ["\(store) \(type) processed"])
            #expect(try await shop.state(of: number) == .paid)
            #expect(try await shop.books() == ["\(store) initial_purchase completed 1800 initial_purchase 1800"])
            #expect(try await shop.plan() == "PRO")
            try await shop.query()
            #expect(try await shop.books().count == 1)
        }
    }

    @Test("where no notification comes, the query settles the order; a late one changes nothing", arguments: methods)
    func dropped(_ method: CheckoutMethod) async throws {
        try await PaymentSite.run { shop in
            let number = try await shop.open(method)
            try shop.pay(number, by: method)
            shop.wechat.spoil(.dropped)
            var knobs = SimulatedAlipayKnobs()
            knobs.isDropping = true
            shop.alipay.set(knobs)
            await shop.deliver()
            #expect(shop.notified.answers.isEmpty)
            shop.advance(by: 6)
            try await shop.query()
            #expect(try await shop.state(of: number) == .paid)
            let books = ["\(method.store.rawValue) initial_purchase completed 1800 initial_purchase 1800"]
            #expect(try await shop.books() == books)
            #expect(try await shop.plan() == "PRO")
            shop.alipay.set(SimulatedAlipayKnobs())
            shop.advance(by: 300)
            await shop.deliver()
            #expect(shop.notified.answers.count == 1)
            try await shop.work()
            #expect(try await shop.inbox().allSatisfy { $0.hasSuffix("processed") })
            #expect(try await shop.books() == books)
        }
    }

    @Test("a notification that cannot be believed is refused, not kept, and grants nothing: WeChat Pay")
    func refused() async throws {
        try await PaymentSite.run { shop in
            let number = try await shop.open(.wechatNative)
            try shop.pay(number, by: .wechatNative)
            let cases: [(SimulatedWeChatMood, Int)] = [
                (.probe, 401), (.otherKey, 401), (.unsigned, 401), (.unknownSerial, 401), (.stale(301), 401),
                (.stale(-301), 401), (.truncatedCiphertext, 401), (.wrongAssociatedData, 503),
                (.otherMerchant, 403), (.otherApp, 403),
            ]
            for (mood, status) in cases {
                let delivery = try shop.wechat.delivery(of: 0, mood)
                let answer = try await shop.post("/webhooks/wechat/shop", delivery.payload, headers: delivery.headers)
                #expect(answer.status.code == status, "\(mood)")
                #expect(answer.text == #"{"code":"FAIL","message":"失败"}"#, "\(mood)")
                #expect(answer.headers[.contentType] == "application/json; charset=utf-8")
            }
            var bent = try shop.wechat.delivery(of: 0)
            bent.payload = bent.payload.replacing("支付成功", with: "支付失败")
            #expect(
                try await shop.post("/webhooks/wechat/shop", bent.payload, headers: bent.headers).status
                    == .unauthorized
            )
            for path in ["/webhooks/wechat/readmigo", "/webhooks/wechat/nobody", "/webhooks/wechat/%00"] {
                let delivery = try shop.wechat.delivery(of: 0)
                let answer = try await shop.post(path, delivery.payload, headers: delivery.headers)
                #expect(answer.status == .notFound && answer.text.contains("FAIL"), "\(path)")
            }
            let unnamed = try shop.wechat.delivery(of: 0)
            let answer = try await shop.post("/webhooks/wechat", unnamed.payload, headers: unnamed.headers)
            #expect(answer.status == .forbidden)
            for body in ["", "{}", "[]", "\u{1F338}", String(repeating: "[", count: 100_000)] {
                let answer = try await shop.post("/webhooks/wechat/shop", body)
                #expect((400..<500).contains(answer.status.code) && answer.text.contains("FAIL"))
            }
            try await shop.work()
            #expect(try await shop.inbox() == [])
            #expect(try await shop.books() == [])
            #expect(try await shop.plan() == nil)
            // The next one, signed well, is what counts.
            await shop.deliver()
            try await shop.work()
            #expect(try await shop.state(of: number) == .paid)
        }
    }

    @Test("the same for Alipay: forged, for others, bent, and a member twice") func refusedByAlipay() async throws {
        try await PaymentSite.run { shop in
            let number = try await shop.open(.alipayQR)
            try shop.pay(number, by: .alipayQR)
            let notice = try #require(shop.alipay.notices.first)
            let good = shop.alipay.form(notice)
            var knobs = SimulatedAlipayKnobs()
            knobs.isForged = true
            let cases: [(String, Int)] = [
                (shop.alipay.form(notice, knobs), 401), (good + "&total_amount=0.01", 401), (good + "&extra=1", 401),
                (good.replacing(number, with: "P20250615_0001"), 401), (good.replacing("18.00", with: "0.01"), 401),
                (good.replacing("app_id=2021000000000001", with: "app_id=2021000000000002"), 403),
                (good.replacing("seller_id=2088000000000001", with: "seller_id=2088000000000002"), 401),
                (good.replacing("charset=utf-8", with: "charset=GBK"), 401), ("", 400), ("{}", 401), ("sign=a", 401),
                ("a=%zz", 401),
            ]
            for (body, status) in cases {
                let answer = try await shop.post("/webhooks/alipay/shop", body)
                #expect(answer.status.code == status, "\(body.prefix(80))")
                #expect(answer.text == "failure")
            }
            #expect(try await shop.post("/webhooks/alipay/readmigo", good).status == .notFound)
            #expect(try await shop.inbox() == [])
            #expect(try await shop.books() == [])
            #expect(try await shop.plan() == nil)
            // Alipay's name of the app is enough, too.
            let answer = try await shop.post("/webhooks/alipay", good)
            #expect(answer.status == .ok && answer.text == "success")
            try await shop.work()
            #expect(try await shop.state(of: number) == .paid)
        }
    }

    @Test("in GBK, with members that are empty or unknown, Alipay's notification is read all the same")
    func gbk() async throws {
        try await PaymentSite.run { shop in
            let number = try await shop.open(.alipayQR)
            try shop.pay(number, by: .alipayQR)
            var knobs = SimulatedAlipayKnobs()
            (knobs.isGBK, knobs.signsEmpty, knobs.hasUnknown) = (true, true, true)
            shop.alipay.set(knobs)
            await shop.deliver()
            #expect(shop.notified.answers.map(\.status) == [200])
            try await shop.work()
            #expect(try await shop.state(of: number) == .paid)
        }
    }

    @Test("one that tells of another amount waits for people; what the store answers is what is settled")
    func otherAmount() async throws {
        try await PaymentSite.run { shop in
            let number = try await shop.open(.wechatNative)
            try shop.pay(number, by: .wechatNative)
            shop.wechat.spoil(.otherAmount)
            await shop.deliver()
            try await shop.work()
            #expect(try await shop.inbox() == ["wechat TRANSACTION.SUCCESS failed"])
            let reasons = try await shop.site.lines("SELECT last_error FROM store_notifications")
            #expect(reasons.first?.contains("17.99") == true && reasons.first?.contains("18.00") == true)
            #expect(try await shop.books() == [])
            #expect(try await shop.plan() == nil)
            try await shop.query()
            #expect(try await shop.books() == ["wechat initial_purchase completed 1800 initial_purchase 1800"])
        }
    }

    @Test("the same message again within five minutes changes nothing, and later it is refused")
    func replayed() async throws {
        try await PaymentSite.run { shop in
            let number = try await shop.open(.wechatNative)
            try shop.pay(number, by: .wechatNative)
            let delivery = try shop.wechat.delivery(of: 0)
            for _ in 0..<3 {
                let answer = try await shop.post("/webhooks/wechat/shop", delivery.payload, headers: delivery.headers)
                #expect(answer.status == .ok)
                try await shop.work()
            }
            shop.advance(by: 301)
            let answer = try await shop.post("/webhooks/wechat/shop", delivery.payload, headers: delivery.headers)
            #expect(answer.status == .unauthorized)
            #expect(try await shop.inbox() == ["wechat TRANSACTION.SUCCESS processed"])
            #expect(try await shop.books().count == 1)
        }
    }

    @Test("a notification that was taken in is settled also after the APIv3 key was replaced")
    func rotatedKey() async throws {
        try await PaymentSite.run { shop in
            let number = try await shop.open(.wechatNative)
            try shop.pay(number, by: .wechatNative)
            await shop.deliver()
            try await shop.change(apiV3Key: "ABCDEFGHIJKLMNOPQRSTUVWXYZ012345")
            try await shop.work()
            #expect(try await shop.inbox() == ["wechat TRANSACTION.SUCCESS processed"])
            #expect(try await shop.state(of: number) == .paid)
        }
    }

    @Test("while the store does not answer, the notification waits, and is asked about again")
    func unanswered() async throws {
        try await PaymentSite.run { shop in
            let number = try await shop.open(.wechatNative)
            try shop.pay(number, by: .wechatNative)
            await shop.deliver()
            shop.wechat.refuse(
                SimulatedWeChatRefusal(500, "SYSTEM_ERROR", "系统错误"),
                at: "/v3/pay/transactions/out-trade-no/\(number)",
                times: 10
            )
            try await shop.work()
            #expect(try await shop.inbox() == ["wechat TRANSACTION.SUCCESS received"])
            #expect(try await shop.books() == [])
            for _ in 0..<4 { try await shop.work() }
            #expect(try await shop.inbox() == ["wechat TRANSACTION.SUCCESS processed"])
            #expect(try await shop.state(of: number) == .paid)
        }
    }

    @Test("while a setting is wrong, the notification waits until people have seen to it, and says why")
    func wrongSetting() async throws {
        try await PaymentSite.run { shop in
            let number = try await shop.open(.wechatNative)
            try shop.pay(number, by: .wechatNative)
            await shop.deliver()
            shop.wechat.refuse(
                SimulatedWeChatRefusal(401, "SIGN_ERROR", "签名错误"),
                at: "/v3/pay/transactions/out-trade-no/\(number)",
                times: 12
            )
            for _ in 0..<12 {
                try await shop.work()
                #expect(try await shop.inbox() == ["wechat TRANSACTION.SUCCESS received"])
            }
            let waiting = try await shop.site.lines(
                "SELECT last_error FROM store_notifications WHERE snoozes = 12 AND scheduled_at > now() + interval '9 minutes'"
            )
            #expect(waiting.count == 1 && waiting.first?.contains("签名错误") == true)
            try await shop.work()
            #expect(try await shop.inbox() == ["wechat TRANSACTION.SUCCESS processed"])
            #expect(try await shop.state(of: number) == .paid)
        }
    }

    @Test("of Alipay's notification nothing is kept that names the payer, and what is kept is enough")
    func payers() async throws {
        try await PaymentSite.run { shop in
            let number = try await shop.open(.alipayQR)
            try shop.pay(number, by: .alipayQR)
            await shop.deliver()
            #expect(shop.notified.answers.map(\.status) == [200])
            let kept = try #require(
                try await shop.site.lines("SELECT signed_payload FROM store_notifications").first
            )
            #expect(kept.contains("out_trade_no=\(number)") && kept.contains("buyer_pay_amount=18.00"))
            for name in ["buyer_id", "buyer_open_id", "buyer_logon_id", "open-wang", "2088102104794936"] {
                #expect(!kept.contains(name), "\(name)")
            }
            try await shop.work()
            #expect(try await shop.state(of: number) == .paid)
            let masks = try await shop.site.lines("SELECT concat_ws(' ', payer_mask, bank) FROM checkouts")
            #expect(masks == ["…ng ALIPAYACCOUNT"])
        }
    }

    @Test("whoever comes back from a payment of an order that is closed here has it asked about, and is served")
    func returnedLate() async throws {
        try await PaymentSite.run { shop in
            let number = try await shop.open(.alipayQR)
            try shop.pay(number, by: .alipayQR)
            _ = try await shop.site.pool.query(
                "UPDATE checkouts SET state = 'closed', close_reason = 'expired', closed_at = now()"
            )
            _ = try await shop.site.pool.query("UPDATE jobs SET state = 'completed', finalized_at = now()")
            let query = try #require(shop.alipay.returnQuery(of: number))
            #expect(try await shop.get("/payment-returns/alipay/shop?\(query)").status == .ok)
            #expect(try await shop.books() == [])
            _ = try await JobWorker(backOffice: shop.site.backOffice).drain()
            #expect(try await shop.state(of: number) == .paid)
            #expect(try await shop.plan() == "PRO")
        }
    }

    @Test("the page that a customer comes back to from Alipay's has the order asked about, and grants nothing")
    func returned() async throws {
        try await PaymentSite.run { shop in
            let number = try await shop.open(.alipayQR)
            try shop.pay(number, by: .alipayQR)
            for signsType in [true, false] {
                let query = try #require(shop.alipay.returnQuery(of: number, signsType: signsType))
                let answer = try await shop.get("/payment-returns/alipay/shop?\(query)")
                #expect(answer.status == .ok && answer.text.contains("being checked"))
                #expect(try await shop.books() == [])
            }
            let query = try #require(shop.alipay.returnQuery(of: number))
            for (path, status) in [
                ("/payment-returns/alipay/shop?\(query)&extra=1", 403), ("/payment-returns/alipay/shop", 403),
                ("/payment-returns/alipay/shop?a=%zz", 403),
                ("/payment-returns/alipay/nobody?\(query)", 404), ("/payment-returns/alipay/readmigo?\(query)", 404),
                ("/payment-returns/wechat/shop?\(query)", 404), ("/payment-returns/apple/shop?\(query)", 404),
            ] {
                #expect(try await shop.get(path).status.code == status, "\(path.prefix(30))")
            }
            let other = try #require(shop.alipay.returnQuery(of: number)).replacing(number, with: "P20250615_0001")
            #expect(try await shop.get("/payment-returns/alipay/shop?\(other)").status == .forbidden)
            _ = try await JobWorker(backOffice: shop.site.backOffice).drain()
            #expect(try await shop.state(of: number) == .paid)
        }
    }

    @Test("a refund's notification is taken in, and is no second payment", arguments: methods)
    func refunded(_ method: CheckoutMethod) async throws {
        try await PaymentSite.run { shop in
            let number = try await shop.open(method)
            try shop.pay(number, by: method)
            await shop.deliver()
            try await shop.work()
            if method.store == .wechat {
                // A refund on WeChat Pay's own pages is told to the address that the merchant platform has.
                shop.wechat.setRefundURL("https://shop.example.com\(Paths.notifications(of: "wechat", for: "shop"))")
                try shop.wechat.refundByHand(800, of: number, as: "R1")
            } else {
                shop.alipay.giveBack(800, of: number, as: "R1")
            }
            shop.advance(by: 60)
            await shop.deliver()
            try await shop.work()
            #expect(shop.notified.answers.count == 2 && shop.notified.answers.allSatisfy { $0.status == 200 })
            #expect(try await shop.books().count == 1)
        }
    }
}
