import Billing
import Foundation
import StoreSimulator
import Testing

@testable import Gateways

/// One test for each row of the tables of states and errors (payments.md, 1B), named after it.
@Suite("Each state and error of WeChat Pay means what its table says") struct WeChatPayStateTests {
    struct StateRow: Sendable, CustomTestStringConvertible {
        let state: String
        let meaning: String
        let holds: @Sendable (CheckoutStanding) -> Bool

        var testDescription: String { "\(state) is \(meaning)" }

        init(_ state: String, _ meaning: String, _ holds: @escaping @Sendable (CheckoutStanding) -> Bool) {
            (self.state, self.meaning, self.holds) = (state, meaning, holds)
        }
    }

    private static let states = [
        StateRow("SUCCESS", "paid") { if case .paid(let payment) = $0 { !payment.isRefunded } else { false } },
        StateRow("REFUND", "paid and given back, in part at least") {
            if case .paid(let payment) = $0 { payment.isRefunded } else { false }
        },
        StateRow("NOTPAY", "open") { $0 == .open }, StateRow("CLOSED", "closed") { $0 == .closed(nil) },
        StateRow("REVOKED", "closed") { $0 == .closed(nil) }, StateRow("USERPAYING", "being paid") { $0 == .paying },
        StateRow("PAYERROR", "open until it is closed") { $0 == .open },
    ]

    @Test("the states of an order", arguments: states) func order(row: StateRow) throws {
        var json = Self.transaction
        json["trade_state"] = .string(row.state)
        #expect(row.holds(try WeChatPayTransaction(json).standing))
        guard !["SUCCESS", "REFUND"].contains(row.state) else { return }
        // Of an order that nobody paid most members are missing.
        let bare: JSON = [
            "out_trade_no": "SUB-1", "mchid": "1900000109", "trade_state": .string(row.state), "trade_state_desc": "",
        ]
        #expect(row.holds(try WeChatPayTransaction(bare).standing))
    }

    @Test("a state that is not known here is not known yet") func unknownState() {
        for state: JSON in ["ACCEPT", "", "success", 7, .null] {
            var json = Self.transaction
            json["trade_state"] = state
            #expect(throws: GatewayError.self) { try WeChatPayTransaction(json) }
        }
    }

    @Test(
        "the states of a refund",
        arguments: [
            ("PROCESSING", StoreRefundStanding.State.processing), ("SUCCESS", .succeeded), ("CLOSED", .closed),
            ("ABNORMAL", .abnormal),
        ]
    )
    func refund(state: String, standing: StoreRefundStanding.State) throws {
        let json: JSON = [
            "out_refund_no": "R-1", "out_trade_no": "SUB-1", "transaction_id": "42", "refund_id": "50",
            "status": .string(state), "amount": ["refund": 100, "currency": "CNY"],
        ]
        let refund = try WeChatPayRefund(json, state: "status")
        #expect(refund.standing.state == standing && refund.standing.amount == .fen(100))
        #expect(throws: GatewayError.self) { try WeChatPayRefund(json, state: "refund_status") }
    }

    @Test("amounts are whole and never negative; a number in a text, a fraction and a sum that nobody pays are refused")
    func amounts() throws {
        func total(_ total: JSON) -> Int64? {
            var json = Self.transaction
            json["amount"] = ["total": total, "currency": "CNY"]
            guard case .paid(let payment)? = try? WeChatPayTransaction(json).standing else { return nil }
            return payment.amount.minorUnits
        }
        #expect(total(600) == 600)
        #expect(total(0) == 0)
        #expect(total(.number(600)) == 600)
        for odd: JSON in [
            "600", .number(600.5), -1, .integer(.max), .integer(.min), .number(1e300), .null, [], true,
            .integer(Money.highestPrice + 1),
        ] {
            #expect(total(odd) == nil, "\(odd)")
        }
    }

    @Test("members that nobody knows are let be, doubled ones are not") func members() throws {
        var json = Self.transaction
        json["new_member"] = ["a": [1, 2]]
        _ = try WeChatPayTransaction(json)
        let text = String(decoding: json.bytes, as: UTF8.self)
        _ = try JSON(parsingUnique: Array(text.utf8))
        let doubled = text.replacing(#""mchid":"#, with: #""mchid":"1","mchid":"#)
        #expect(error(.malformed) { _ = try JSON(parsingUnique: Array(doubled.utf8)) })
        let within = text.replacing(#""total":"#, with: #""total":1,"total":"#)
        #expect(error(.malformed) { _ = try JSON(parsingUnique: Array(within.utf8)) })
    }

    @Test("what people see of a payment is left out where it is odd, and keeps no payment waiting")
    func oddWords() throws {
        var json = Self.transaction
        json["bank_type"] = 7
        json["trade_type"] = .string(String(repeating: "x", count: 10_000))
        json["payer"] = ["openid": "a b"]
        guard case .paid(let payment) = try WeChatPayTransaction(json).standing else {
            Issue.record("it is not paid")
            return
        }
        #expect(payment.bank == nil && payment.kind == nil && payment.payer == nil)
        json["success_time"] = "yesterday"
        #expect(throws: GatewayError.self) { try WeChatPayTransaction(json) }
    }

    @Test("moments are those of their offset; those that no store writes are none") func moments() {
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        for text in ["2023-11-15T06:13:20+08:00", "2023-11-14T22:13:20Z", "2023-11-15T06:13:20.123+08:00"] {
            #expect(WeChatPayTime.date(text) == date, "\(text)")
        }
        #expect(WeChatPayTime.text(date) == "2023-11-15T06:13:20+08:00")
        #expect(WeChatPayTime.billDate("2023-11-15 06:13:20") == date)
        for text in ["", "2023-11-15", "0001-01-01T00:00:00Z", "2023-13-15T06:13:20+08:00", "2023-11-15 06:13:20"] {
            #expect(WeChatPayTime.date(text) == nil, "\(text)")
        }
    }

    @Test("a description loses its emoji, what joined them, and what does not fit") func descriptions() {
        #expect(WeChatPayText.plain("专业版 🌸 月付", atMost: 127) == "专业版 月付")
        #expect(WeChatPayText.plain("👨‍👩‍👧‍👦 Family\n❤️ plan\u{0}", atMost: 127) == "Family ❤ plan")
        #expect(WeChatPayText.plain("🎉", atMost: 127) == "")
        #expect(WeChatPayText.plain(String(repeating: "中", count: 100), atMost: 127).utf8.count == 126)
    }

    static let transaction: JSON = [
        "appid": "wxd930ea5d5a258f4f", "mchid": "1900000109", "out_trade_no": "SUB-1", "transaction_id": "4200000001",
        "trade_type": "NATIVE", "trade_state": "SUCCESS", "trade_state_desc": "支付成功", "bank_type": "OTHERS",
        "success_time": "2023-11-15T06:13:20+08:00", "payer": ["openid": "o1"],
        "amount": ["total": 600, "payer_total": 600, "currency": "CNY", "payer_currency": "CNY"],
    ]
}
