import Billing
import Foundation
import StoreSimulator
import Testing

@testable import Gateways

@Suite("Bills of WeChat Pay") struct WeChatPayBillTests {
    private static func day(_ date: Date) -> BusinessDay { BusinessDay(date, in: WeChatPayTime.zone) }

    @Test("a day's payments and refunds are read with their fees, once WeChat Pay has made the bill")
    func bill() async throws {
        try await PayStore.run { store in
            let pay = try store.pay()
            let day = Self.day(store.clock.now)
            var refund = try await store.paid("SUB-1-LARGE", fen: 12_345, by: pay)
            _ = try await store.paid("SUB-2-SMALL", fen: 600, by: pay)
            refund.amount = .fen(345)
            _ = try await pay.refund(refund)
            #expect(try await pay.bill(of: day) == nil)
            store.clock.advance(by: 2 * 86_400)
            let bill = try #require(try await pay.bill(of: day))
            #expect(bill.isWhole && bill.unreadable.isEmpty)
            #expect(bill.rows.map(\.kind) == [.payment, .payment, .refund])
            #expect(bill.rows.map(\.orderNumber) == ["SUB-1-LARGE", "SUB-2-SMALL", "SUB-1-LARGE"])
            #expect(bill.rows.map(\.amount.minorUnits) == [12_345, 600, 345])
            #expect(bill.rows.map(\.fee?.minorUnits) == [74, 4, -2])
            #expect(bill.rows.map(\.refundNumber) == [nil, nil, "R-SUB-1-LARGE"])
            #expect(bill.rows.allSatisfy { $0.at == PayStore.start && $0.amount.currency.code == "CNY" })
            #expect(bill.rows.first?.transactionID == refund.transactionID)
            let quiet = try #require(try await pay.bill(of: Self.day(PayStore.start.addingTimeInterval(-86_400))))
            #expect(quiet == StoreBill(rows: [], isWhole: true))
            let funds = try #require(try await pay.fundBill(of: day))
            #expect(funds.isWhole && funds.unreadable.isEmpty)
            #expect(funds.rows.map(\.kind) == ["交易", "扣除交易手续费", "交易", "扣除交易手续费", "退款"])
            #expect(funds.rows.map(\.isIncome) == [true, false, true, false, false])
            #expect(funds.rows.map(\.amount.minorUnits) == [12_345, 74, 600, 4, 345])
            let longAgo = Self.day(PayStore.start.addingTimeInterval(-100 * 86_400))
            let old = await payFailure { _ = try await pay.bill(of: longAgo) }
            #expect(old?.refusal != nil)
        }
    }

    @Test("a bill that did not arrive as its hash has it is not known yet; one with a torn last line says so")
    func torn() async throws {
        try await PayStore.run { store in
            let pay = try store.pay()
            let day = Self.day(store.clock.now)
            _ = try await store.paid("SUB-1-LARGE", by: pay)
            _ = try await store.paid("SUB-2-SMALL", by: pay)
            store.clock.advance(by: 2 * 86_400)
            store.simulator.misdeliverBills(true)
            let failure = await payFailure { _ = try await pay.bill(of: day) }
            guard case .unanswered? = failure else { throw WeChatPaySimulatorTests.Wrong() }
            store.simulator.misdeliverBills(false)
            store.simulator.bendBills { text in
                let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
                return (lines.prefix(2) + [lines[2].prefix(40)]).joined(separator: "\r\n")
            }
            let torn = try #require(try await pay.bill(of: day))
            #expect(!torn.isWhole && torn.rows.map(\.orderNumber) == ["SUB-1-LARGE"])
            #expect(torn.unreadable.count == 1 && torn.unreadable[0].hasPrefix("line 3 "))
        }
    }

    private static let names =
        "交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,"
        + "应结订单金额,代金券金额,微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态,商品名称,商户数据包,"
        + "手续费,费率,订单金额,申请退款金额,费率备注"
    private static let sums = "总交易单数,应结订单总金额,退款总金额,充值券退款总金额,手续费总金额,订单总金额,申请退款总金额"

    private static func line(_ state: String = "SUCCESS", _ amount: String = "6.00", name: String = "Pro") -> String {
        "`2026-11-18 20:13:20,`wx1,`190,`0,`,`42,`SUB-1,`o1,`NATIVE,`\(state),`OTHERS,`CNY,`\(amount),`0.00,`50,`R-1,"
            + "`\(amount),`0.00,`ORIGINAL,`SUCCESS,`\(name),`,`0.03600,`0.60%,`\(amount),`\(amount),`"
    }

    /// - Parameters:
    ///   - amounts: the sums of payments and of refunds; those of the lines where it is nil.
    ///   - ending: the end of the file's last line.
    private static func bill(
        _ lines: [String],
        count: Int? = nil,
        amounts: (paid: String, back: String)? = nil,
        backticks: Bool = false,
        ending: String = "\n"
    ) -> StoreBill {
        let heads = backticks ? [names, sums].map { "`" + $0.replacing(",", with: ",`") } : [names, sums]
        let yuan = lines.map { ($0.components(separatedBy: ",`").dropFirst(12).first ?? "").hasPrefix("6.00") ? 6 : 0 }
        let sum = "\(yuan.reduce(0, +)).00"
        let (paid, back) = amounts ?? (sum, sum)
        let last = "`\(count ?? lines.count),`\(paid),`\(back),`0.00,`0.04,`\(paid),`\(back)"
        let text = ([heads[0]] + lines + [heads[1], last]).joined(separator: "\n") + ending
        return StoreBill(tradeBill: [0xEF, 0xBB, 0xBF] + Array(text.utf8))
    }

    @Test("names with and without backticks, commas in a product's name and failed refunds are read")
    func forms() {
        #expect(Self.bill([Self.line()], backticks: true) == Self.bill([Self.line()]))
        #expect(Self.bill([Self.line()]).rows.map(\.amount.minorUnits) == [600])
        #expect(Self.bill([Self.line(name: "Pro, yearly, best")]).rows.count == 1)
        let failed = Self.line("REFUND").replacing("`SUCCESS,`Pro", with: "`FAIL,`Pro")
        #expect(Self.bill([failed]) == StoreBill(rows: [], isWhole: true))
        #expect(Self.bill([Self.line("REVOKED")]).rows.map(\.kind) == [.refund])
        #expect(Self.bill([]) == StoreBill(rows: [], isWhole: true))
        #expect(StoreBill(tradeBill: []) == StoreBill(rows: [], isWhole: false))
    }

    @Test("an odd line is named, and the others are taken; a sum that counts more lines tells of a break")
    func oddLines() {
        for odd in [
            Self.line("NEW"), Self.line("SUCCESS", "6.005"), Self.line("SUCCESS", "-6.00"), Self.line("SUCCESS", ""),
            Self.line("SUCCESS", "99999999999999999999.00"), Self.line().replacing("2026-11-18", with: "2026-13-18"),
            Self.line().replacing("`SUB-1", with: "`"), Self.line().replacing("`SUB-1", with: "`SUB 1"),
            Self.line().replacing("`SUB-1", with: "`" + String(repeating: "1", count: 65)),
            Self.line().replacing("`42", with: "`4\u{0}2"), Self.line().replacing("`42", with: "`四十二"),
            Self.line("REFUND").replacing("`R-1", with: "`R\t1"), Self.line().replacing("`CNY", with: "`HKD"),
            Self.line().replacing("0.03600", with: "1e9"), Self.line().replacing("0.03600", with: "99999999999.00"),
            "`a", "nothing",
        ] {
            let bill = Self.bill([odd, Self.line()])
            #expect(bill.rows.count == 1 && bill.unreadable.count == 1 && bill.isWhole, "\(odd)")
            #expect(bill.unreadable[0].hasPrefix("line 2"), "\(bill.unreadable)")
        }
        #expect(!Self.bill([Self.line()], count: 2).isWhole)
    }

    @Test("sums that are none of the lines', and those that are no numbers, are named; a torn sum tells of a break")
    func sumsOfLines() {
        let lines = [Self.line(), Self.line("REFUND")]
        #expect(Self.bill(lines) == StoreBill(rows: Self.bill(lines).rows, isWhole: true))
        for wrong in ["6.00", "12.01", "-12.00", "99999999999999999999.00", "a lot", "", "1E1"] {
            for bill in [
                Self.bill(lines, amounts: (paid: wrong, back: "12.00")),
                Self.bill(lines, amounts: (paid: "12.00", back: wrong)),
            ] {
                #expect(bill.rows.count == 2 && bill.unreadable.count == 2, "\(wrong)")
                #expect(bill.unreadable.allSatisfy { $0.hasPrefix("line 5: ") }, "\(bill.unreadable)")
            }
        }
        let whole = Self.names + "\n" + Self.line() + "\n" + Self.sums + "\n`1,`6.00,`6.00,`0.00,`0.04,`6.00,`6.00\n"
        for torn in [whole.utf8.count - 5, whole.utf8.count - 20, whole.utf8.count - 48] {
            let bill = StoreBill(tradeBill: Array(whole.utf8.prefix(torn)))
            #expect(!bill.isWhole || !bill.unreadable.isEmpty, "\(torn)")
        }
        for count in ["", "one", "-1", "99999999999999999999"] {
            let bill = StoreBill(tradeBill: Array(whole.replacing("`1,`6", with: "`\(count),`6").utf8))
            #expect(!bill.isWhole && bill.rows.count == 1, "\(count)")
        }
    }

    @Test("the last line of a file that breaks off within it is no row, though it has all its values")
    func tornWithinTheLastValue() {
        let whole = Self.names + "\n" + Self.line() + "\n" + Self.line(name: "Max")
        let torn = StoreBill(tradeBill: Array(whole.utf8))
        #expect(torn.rows.count == 1 && !torn.isWhole && torn.unreadable == ["line 3 breaks off"])
        #expect(StoreBill(tradeBill: Array((whole + "\n").utf8)).rows.count == 2)
    }

    @Test("yuan are read digit by digit; a fee's half fen counts as one") func yuan() {
        #expect(WeChatPayYuan.money("6")?.minorUnits == 600)
        #expect(WeChatPayYuan.money("0.1")?.minorUnits == 10)
        #expect(WeChatPayYuan.money("123456789.99")?.minorUnits == 12_345_678_999)
        #expect(WeChatPayYuan.fee("0.03600")?.minorUnits == 4)
        #expect(WeChatPayYuan.fee("-0.00500")?.minorUnits == -1)
        #expect(WeChatPayYuan.fee("0.00499")?.minorUnits == 0)
        for text in ["", "-", ".5", "1e3", "1,000.00", "0.001", "６", "1.", "12345678901"] {
            #expect(WeChatPayYuan.money(text) == nil, "\(text)")
        }
    }
}
