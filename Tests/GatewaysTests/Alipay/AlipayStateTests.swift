import Billing
import Foundation
import StoreSimulator
import Testing

@testable import Gateways

/// Each row of the table of states (payments.md, 1C).
@Suite("Alipay's states") struct AlipayStateTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let prepare: @Sendable (AlipayShop, String) async throws -> Void
        let isExpected: @Sendable (CheckoutStanding) -> Bool

        init(
            _ name: String,
            _ prepare: @escaping @Sendable (AlipayShop, String) async throws -> Void,
            _ isExpected: @escaping @Sendable (CheckoutStanding) -> Bool
        ) {
            (testDescription, self.prepare, self.isExpected) = (name, prepare, isExpected)
        }
    }

    static let rows = [
        Row("ACQ.TRADE_NOT_EXIST before the scan is still waiting") { _, _ in
        } _: {
            $0 == .unknown
        },
        Row("WAIT_BUYER_PAY can be paid") { shop, number in
            shop.alipay.scan(number)
        } _: {
            $0 == .open
        },
        Row("TRADE_SUCCESS is paid") { shop, number in
            shop.alipay.pay(number)
        } _: {
            if case .paid(let payment) = $0 { !payment.isRefunded } else { false }
        },
        Row("TRADE_FINISHED is paid, and the window of refunds is over") { shop, number in
            shop.alipay.pay(number)
            shop.alipay.finish(number)
        } _: {
            if case .paid = $0 { true } else { false }
        },
        Row("TRADE_CLOSED of what nobody paid is closed without a payment") { shop, number in
            shop.alipay.scan(number)
            shop.clock.advance(by: 901)
        } _: {
            $0 == .closed(nil)
        },
        Row("a partial refund keeps TRADE_SUCCESS") { shop, number in
            shop.alipay.pay(number)
            shop.alipay.giveBack(100, of: number, as: "R1")
        } _: {
            if case .paid = $0 { true } else { false }
        },
        Row("TRADE_CLOSED after a full refund is a refund, not a cancel") { shop, number in
            shop.alipay.pay(number)
            shop.alipay.giveBack(12_800, of: number, as: "R1")
        } _: {
            if case .closed(let payment?) = $0 {
                payment.isRefunded && payment.amount.minorUnits == 12_800
            } else {
                false
            }
        },
    ]

    @Test("the query tells it", arguments: rows)
    func standing(_ row: Row) async throws {
        let shop = try AlipayShop()
        let order = shop.order()
        _ = try await shop.pay.open(order, by: .alipayQR)
        try await row.prepare(shop, order.number)
        let standing = try await shop.pay.standing(of: order.number)
        #expect(row.isExpected(standing), "\(standing)")
    }

    @Test("a state that nobody knows is not known yet")
    func unknown() async throws {
        let shop = try AlipayShop()
        #expect(throws: GatewayError.self) { try AlipayTrade.status("TRADE_PENDING") }
        #expect(AlipayTrade.Status.allCases.count == 4)
        let failure = await shop.failure { _ = try await shop.pay.standing(of: "P-1") }
        #expect(failure != nil)
    }
}
