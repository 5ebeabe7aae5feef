import Billing
package import Foundation
import Gateways

/// A day's bill of the simulated Alipay: a ZIP archive with the table of the rows and that of their sums, in GBK.
struct SimulatedAlipayBill {
    /// `2026-11-20`, on Shanghai's clock.
    let day: String
    let sellerID: String
    let trades: [SimulatedAlipayTrade]
    let knobs: SimulatedAlipayBillKnobs

    /// Nothing happened on that day: Alipay makes no bill then.
    var isEmpty: Bool { rows.isEmpty }

    var archive: [UInt8] {
        let name = "\(sellerID)0156_\(day.replacing("-", with: ""))_业务明细"
        var table = GBK.bytes(text)
        if knobs.isTorn { table = Array(table.prefix(table.count - table.count / 4)) }
        return Self.zip([
            (GBK.bytes("\(name).csv"), table), (GBK.bytes("\(name)(汇总).csv"), GBK.bytes("#支付宝业务汇总查询\r\n")),
        ])
    }

    private var text: String {
        let rows = rows
        let lines =
            [
                "#支付宝业务明细查询", "#账号：[\(sellerID)0156]", "#起始日期：[\(day) 00:00:00]   终止日期：[\(day) 24:00:00]",
                "#-----------------------------------------业务明细列表----------------------------------------",
                Self.columns.joined(separator: ","),
            ] + rows.map { $0.joined(separator: ",") } + [
                "#-----------------------------------------业务明细列表结束------------------------------------",
                "#交易合计：\(rows.count)笔", "#导出时间：[\(day) 24:00:00]",
            ]
        return lines.map { $0 + "\r\n" }.joined()
    }

    private var rows: [[String]] {
        var rows: [[String]] = []
        for trade in trades.sorted(by: { $0.transactionID < $1.transactionID })
        where !knobs.hidden.contains(trade.number) {
            let total = knobs.amounts[trade.number] ?? trade.total
            if let paidAt = trade.paidAt, isOn(paidAt) {
                rows.append(row(trade, "交易", total, paidAt, fee: -Self.fee(of: total)))
            }
            for refund in trade.refunds where isOn(refund.at) {
                let fee = Self.fee(of: refund.amount)
                rows.append(row(trade, "退款", -refund.amount, refund.at, fee: fee, request: refund.number))
            }
        }
        for stray in knobs.strays where isOn(stray.at) {
            let trade = SimulatedAlipayTrade(
                number: stray.number,
                transactionID: "9" + stray.number,
                subject: "?",
                total: stray.amount,
                qr: "",
                expiresAt: stray.at
            )
            rows.append(row(trade, "交易", stray.amount, stray.at, fee: -Self.fee(of: stray.amount)))
        }
        return rows
    }

    private func isOn(_ date: Date) -> Bool { SimulatedAlipayTrade.time(date).hasPrefix(day) }

    private func row(
        _ trade: SimulatedAlipayTrade,
        _ kind: String,
        _ amount: Int64,
        _ date: Date,
        fee: Int64,
        request: String? = nil
    ) -> [String] {
        let (yuan, time) = (SimulatedAlipayTrade.yuan(amount), SimulatedAlipayTrade.time(date))
        let subject = trade.subject.contains(",") ? "\"\(trade.subject)\"" : trade.subject
        return [
            "\(trade.transactionID)\t", "\(trade.number)\t", kind, subject, time, time, "", "", "", "",
            "buy***@example.com",
            yuan, yuan, "0.00", "0.00", "0.00", "0.00", "0.00", "", "0.00", "0.00", request.map { "\($0)\t" } ?? "",
            SimulatedAlipayTrade.yuan(fee), "0.00", "",
        ]
    }

    /// 0.6 %, to the nearest fen.
    private static func fee(of amount: Int64) -> Int64 { (amount * 6 + 500) / 1_000 }

    private static let columns = [
        "支付宝交易号", "商户订单号", "业务类型", "商品名称", "创建时间", "完成时间", "门店编号", "门店名称", "操作员", "终端号", "对方账户", "订单金额（元）",
        "商家实收（元）", "支付宝红包（元）", "集分宝（元）", "支付宝优惠（元）", "商家优惠（元）", "券核销金额（元）", "券名称", "商家红包消费金额（元）",
        "卡消费金额（元）", "退款批次号/请求号", "服务费（元）", "分润（元）", "备注",
    ]

    /// An archive of files as they are.
    private static func zip(_ files: [(name: [UInt8], contents: [UInt8])]) -> [UInt8] {
        func bytes(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        }
        var (archive, directory) = ([UInt8](), [UInt8]())
        for file in files {
            let sums =
                bytes(Int(ZIPArchive.checksum(file.contents)), 4) + bytes(file.contents.count, 4)
                + bytes(file.contents.count, 4)
            let head = bytes(0, 2) + bytes(0, 2) + bytes(0, 4) + sums + bytes(file.name.count, 2) + bytes(0, 2)
            directory +=
                bytes(0x0201_4B50, 4) + bytes(20, 2) + bytes(20, 2) + head + bytes(0, 2) + bytes(0, 2) + bytes(0, 2)
                + bytes(0, 4) + bytes(archive.count, 4) + file.name
            archive += bytes(0x0403_4B50, 4) + bytes(20, 2) + head + file.name + file.contents
        }
        let end =
            bytes(0x0605_4B50, 4) + bytes(0, 4) + bytes(files.count, 2) + bytes(files.count, 2)
            + bytes(directory.count, 4) + bytes(archive.count, 4) + bytes(0, 2)
        return archive + directory + end
    }
}

/// In what the simulated Alipay's bills differ from its orders.
package struct SimulatedAlipayBillKnobs: Sendable {
    /// Our numbers of orders that the bill does not have.
    package var hidden: Set<String> = []
    /// Other amounts, in fen, by our numbers of the orders.
    package var amounts: [String: Int64] = [:]
    /// Payments that nobody made.
    package var strays: [(number: String, amount: Int64, at: Date)] = []
    /// The table breaks off.
    package var isTorn = false

    package init() {}
}
