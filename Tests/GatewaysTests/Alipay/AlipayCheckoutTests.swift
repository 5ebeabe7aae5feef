import Billing
import Foundation
import StoreSimulator
import Testing

@testable import Gateways

@Suite("Orders at Alipay") struct AlipayCheckoutTests {
    @Test("a code is scanned and paid, in both modes, and each step is told", arguments: AlipayShop.Mode.allCases)
    func code(_ mode: AlipayShop.Mode) async throws {
        let shop = try AlipayShop(mode)
        let order = shop.order()
        guard case .qr(let code) = try await shop.pay.open(order, by: .alipayQR) else {
            Issue.record("it is no code")
            return
        }
        #expect(code.hasPrefix("https://qr.alipay.com/"))
        #expect(try await shop.pay.open(order, by: .alipayQR) == .qr(code))
        #expect(try await shop.pay.standing(of: order.number) == .unknown)
        #expect(shop.alipay.scan(code))
        #expect(try await shop.pay.standing(of: order.number) == .open)
        shop.clock.advance(by: 60)
        #expect(shop.alipay.pay(code))
        guard case .paid(let payment) = try await shop.pay.standing(of: order.number) else {
            Issue.record("it is not paid")
            return
        }
        #expect(payment.number == order.number)
        #expect(payment.amount == order.amount && payment.payerAmount == order.amount)
        #expect(payment.paidAt == AlipayShop.start + 60)
        #expect(payment.payer?.revealed == "open-wang")
        #expect(payment.bank == "ALIPAYACCOUNT")
        #expect(payment.appID == SignInStore.alipayID)
        #expect(!payment.isRefunded)
    }

    @Test("page, wap and app are signed and carried there by others: nothing is called, and Alipay takes them")
    func carried() async throws {
        for mode in AlipayShop.Mode.allCases {
            let shop = try AlipayShop(mode)
            guard case .form(let url, let fields) = try await shop.pay.open(shop.order("PAGE_1"), by: .alipayPage),
                case .redirect(let address) = try await shop.pay.open(shop.order("WAP_1"), by: .alipayWap),
                case .orderText(let text) = try await shop.pay.open(shop.order("APP_1"), by: .alipayApp)
            else {
                Issue.record("a method opens in another way")
                return
            }
            #expect(shop.transport.asked == [])
            #expect(url == "http://127.0.0.1:1/gateway.do?charset=utf-8")
            #expect(!fields.contains { $0.name == "charset" || $0.value.isEmpty })
            let form = FormFields.encode(fields.map { ($0.name, $0.value) })
            _ = try await shop.transport.send(StoreRequest("POST", url, body: Data(form.utf8)))
            _ = try await shop.transport.send(StoreRequest("GET", address))
            _ = try await shop.transport.send(StoreRequest("GET", "http://127.0.0.1:1/gateway.do?\(text)"))
            for number in ["PAGE_1", "WAP_1", "APP_1"] {
                #expect(try await shop.pay.standing(of: number) == .unknown)
                #expect(shop.alipay.pay(number))
                guard case .paid = try await shop.pay.standing(of: number) else {
                    Issue.record("\(number) is not paid")
                    continue
                }
            }
            // An app returns by itself.
            #expect(!text.contains("return_url") && !text.contains(" ") && text.contains("notify_url"))
        }
    }

    @Test("an order that nobody scanned cannot be closed there, and ends by its time; one that was is closed")
    func closed() async throws {
        let shop = try AlipayShop()
        let order = shop.order()
        _ = try await shop.pay.open(order, by: .alipayQR)
        #expect(try await shop.pay.close(order.number) == .unknown)
        shop.alipay.scan(order.number)
        #expect(try await shop.pay.close(order.number) == .closed(nil))
        #expect(try await shop.pay.close(order.number) == .closed(nil))
        #expect(try await shop.pay.standing(of: order.number) == .closed(nil))
        #expect(!shop.alipay.pay(order.number))
        let late = shop.order("P2")
        _ = try await shop.pay.open(late, by: .alipayQR)
        shop.clock.advance(by: 901)
        #expect(!shop.alipay.scan(late.number))
    }

    @Test("a payment that was quicker than the close is told, and not given back")
    func quicker() async throws {
        let shop = try AlipayShop()
        let payment = try await shop.paid()
        #expect(try await shop.pay.close(payment.number) == .paid(payment))
        #expect(shop.alipay.refunded(payment.number) == 0)
        #expect(!shop.transport.asked.contains("alipay.trade.cancel"))
    }

    @Test("what Alipay does not take is our setting, and is not asked")
    func wrong() async throws {
        let shop = try AlipayShop()
        var orders = [shop.order("P-1"), shop.order("P 1"), shop.order("订单"), shop.order(fen: 0), shop.order(fen: -1)]
        orders.append(shop.order(fen: 10_000_000_001))
        var dollars = shop.order()
        dollars.amount = Money(minorUnits: 100, currency: Currency("USD") ?? .unknown)
        orders.append(dollars)
        for order in orders {
            let failure = await shop.failure { _ = try await shop.pay.open(order, by: .alipayQR) }
            guard case .misconfigured? = failure else {
                Issue.record("\(order.number) \(order.amount) is \(String(describing: failure))")
                continue
            }
        }
        for method in CheckoutMethod.allCases where method.store != .alipay {
            guard case .misconfigured? = await shop.failure({ _ = try await shop.pay.open(shop.order(), by: method) })
            else {
                Issue.record("\(method) is opened at Alipay")
                continue
            }
        }
        #expect(shop.transport.asked == [])
        #expect(AlipayPay.subject("a/b=c&d\n") == "a b c d")
        #expect(AlipayPay.subject(String(repeating: "字", count: 300)).count == 256)
        #expect(AlipayPay.subject("&&") == "-")
    }

    @Test("an answer about another order, signed by Alipay, is none about ours")
    func other() async throws {
        let shop = try AlipayShop()
        _ = try await shop.paid("P1")
        _ = try await shop.pay.standing(of: "P1")
        let answer = shop.transport.last
        _ = try await shop.pay.open(shop.order("P2"), by: .alipayQR)
        shop.transport.spoil("alipay.trade.query", with: answer)
        let failure = await shop.failure { _ = try await shop.pay.standing(of: "P2") }
        #expect(failure != nil && failure?.refusal == nil)
    }
}
