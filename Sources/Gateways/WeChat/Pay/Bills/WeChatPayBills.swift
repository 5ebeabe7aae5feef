package import Billing
package import Foundation

extension StoreBill {
    /// Reads WeChat Pay's trade bill of all payments and refunds (`bill_type=ALL`).
    init(tradeBill file: [UInt8]) {
        let table = WeChatPayTable(file, sum: "总交易单数")
        self.init(rows: [], unreadable: table.unreadable, isWhole: table.isWhole)
        var hasFailed = false
        for (line, values) in table.rows {
            // A refund that failed moved nothing.
            guard values["退款状态"] != "FAIL" else {
                hasFailed = true
                continue
            }
            do throws(GatewayError) {
                rows.append(try BilledMovement(tradeBill: values))
            } catch {
                unreadable.append("line \(line): \(error.message)")
            }
        }
        guard unreadable.isEmpty else { return }
        let sums = Self.sums.filter { !hasFailed || !$0.isOfRefunds }
        unreadable += sums.compactMap { table.disagreement(of: $0.name, with: $0.column) }
    }

    /// The sums at the end of a trade bill whose columns are exact. The fee's is not: its lines have parts of a fen.
    private static let sums: [(name: String, column: String, isOfRefunds: Bool)] = [
        ("应结订单总金额", "应结订单金额", false), ("订单总金额", "订单金额", false), ("退款总金额", "退款金额", true),
        ("申请退款总金额", "申请退款金额", true),
    ]
}

extension BilledMovement {
    fileprivate init(tradeBill values: [String: String]) throws(GatewayError) {
        func required(_ names: String...) throws(GatewayError) -> String {
            for name in names { if let value = values[name], !value.isEmpty { return value } }
            throw GatewayError(.missing, "\(names.first ?? "") is missing.")
        }
        let kind: Kind
        switch try required("交易状态") {
        case "SUCCESS": kind = .payment
        case "REFUND", "REVOKED": kind = .refund
        default: throw GatewayError(.malformed, "交易状态 is none that is known here.")
        }
        // Older bills have no column of the order's amount before coupons.
        let amount = kind == .payment ? try required("订单金额", "应结订单金额") : try required("申请退款金额", "退款金额")
        guard let money = WeChatPayYuan.money(amount), money.minorUnits >= 0 else {
            throw GatewayError(.malformed, "The amount is none.")
        }
        guard ["CNY", "", nil].contains(values["货币种类"]) else {
            throw GatewayError(.malformed, "货币种类 is not CNY, which WeChat Pay settles here.")
        }
        let fee = values["手续费"] ?? ""
        guard fee.isEmpty || WeChatPayYuan.fee(fee) != nil else { throw GatewayError(.malformed, "手续费 is no amount.") }
        guard let date = WeChatPayTime.billDate(try required("交易时间")) else {
            throw GatewayError(.malformed, "交易时间 is no moment.")
        }
        self.init(
            kind,
            orderNumber: try WeChatPayText.billed(try required("商户订单号"), "商户订单号"),
            transactionID: try WeChatPayText.billed(try required("微信订单号"), "微信订单号"),
            refundNumber: try kind == .payment || values["商户退款单号"]?.isEmpty ?? true
                ? nil : WeChatPayText.billed(values["商户退款单号"] ?? "", "商户退款单号"),
            amount: money,
            fee: WeChatPayYuan.fee(fee),
            at: date
        )
    }
}

/// WeChat Pay's account of all that moved a merchant's balance on one day: also fees, withdrawals and top-ups.
package struct WeChatPayFundBill: Hashable, Sendable {
    package let rows: [Row]
    /// Lines that could not be read, each with its number and the reason.
    package let unreadable: [String]
    /// False where the file broke off.
    package let isWhole: Bool

    package struct Row: Hashable, Sendable {
        package let at: Date
        /// WeChat Pay's number of the payment or refund.
        package let transactionID: String
        /// Its number of the movement.
        package let flowID: String
        /// In its words: 交易, 退款, 提现, 充值, 扣除交易手续费.
        package let kind: String
        /// True if the balance grew by it.
        package let isIncome: Bool
        /// Never negative.
        package let amount: Money
        package let balance: Money?
        /// Our number of the order or refund.
        package let voucher: String
    }

    init(_ file: [UInt8]) {
        let table = WeChatPayTable(file, sum: "资金流水总笔数")
        var (rows, unreadable): ([Row], [String]) = ([], table.unreadable)
        for (line, values) in table.rows {
            guard let row = Row(values) else {
                unreadable.append("line \(line) has no moment, number or amount")
                continue
            }
            rows.append(row)
        }
        (self.rows, self.unreadable, isWhole) = (rows, unreadable, table.isWhole)
    }
}

extension WeChatPayFundBill.Row {
    fileprivate init?(_ values: [String: String]) {
        func first(_ names: String...) -> String { names.lazy.compactMap { values[$0] }.first ?? "" }
        guard let at = WeChatPayTime.billDate(first("记账时间")),
            let amount = WeChatPayYuan.money(first("收支金额(元)", "收支金额（元）")), amount.minorUnits >= 0,
            case let flowID = first("资金流水单号"), !flowID.isEmpty
        else { return nil }
        switch first("收支类型") {
        case "收入": isIncome = true
        case "支出": isIncome = false
        default: return nil
        }
        self.amount = amount
        self.at = at
        self.flowID = flowID
        transactionID = first("微信支付业务单号")
        kind = first("业务类型")
        balance = WeChatPayYuan.money(first("账户结余(元)", "账户结余（元）"))
        voucher = first("业务凭证号")
    }
}
