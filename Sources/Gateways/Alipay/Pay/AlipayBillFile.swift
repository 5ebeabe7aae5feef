import Billing
import Foundation

/// Alipay's bill of a day's trades: a ZIP archive with one table of the rows and one of their sums, in GBK.
///
/// Before and behind the table stand lines that begin with `#`; the one behind tells that the file is whole. Numbers end with a tab,
/// so that spreadsheets keep their digits. A refund's amounts are negative; so is the fee of a payment.
struct AlipayBillFile {
    let bill: StoreBill

    /// - Throws: `.malformed` for what is no such archive, and for a table without its columns.
    init(archive bytes: [UInt8]) throws(GatewayError) {
        let archive = try ZIPArchive(bytes)
        let tables = archive.entries.filter { entry in
            let name = Self.isUTF8(entry.name) ? String(decoding: entry.name, as: UTF8.self) : GBK.text(entry.name)
            return name.lowercased().hasSuffix(".csv") && !name.contains("汇总")
        }
        guard let table = tables.first, tables.count == 1 else {
            throw GatewayError(.malformed, "The bill's archive has \(tables.count) tables of rows in place of one.")
        }
        try self.init(table: try archive.contents(of: table, longest: Self.longest))
    }

    /// - Parameter bytes: in GBK, or in UTF-8.
    /// - Throws: `.malformed` for a table without its columns.
    init(table bytes: [UInt8]) throws(GatewayError) {
        let text = Self.isUTF8(bytes) ? String(decoding: bytes, as: UTF8.self) : GBK.text(bytes)
        var (columns, isWhole) = (Columns?.none, false)
        var (rows, unreadable) = ([BilledMovement](), [String]())
        // The line that was looked at last is no row; only of a whole file that is for somebody to see.
        var isLastTorn = false
        for (index, line) in text.split(separator: /\r\n|\n|\r/, omittingEmptySubsequences: false).enumerated() {
            if line.hasPrefix("#") {
                isWhole = isWhole || (columns != nil && line.contains(Self.end))
            } else if line.allSatisfy(\.isWhitespace) {
                continue
            } else if let known = columns {
                isLastTorn = false
                do throws(GatewayError) {
                    rows.append(try known.row(Self.cells(line)))
                } catch {
                    isLastTorn = true
                    unreadable.append("\(index + 1): \(error.message)")
                }
            } else {
                columns = try Columns(Self.cells(line))
            }
        }
        guard columns != nil else { throw GatewayError(.malformed, "The bill has no table.") }
        if isLastTorn, !isWhole { unreadable.removeLast() }
        bill = StoreBill(rows: rows, unreadable: unreadable, isWhole: isWhole)
    }

    /// The columns by the words of the first line; their order may change.
    private struct Columns {
        let transaction: Int
        let order: Int
        let kind: Int
        let end: Int
        let amount: Int
        let refund: Int
        let fee: Int
        /// The number of columns; a line with fewer broke off, perhaps within a number.
        let count: Int

        init(_ names: [String]) throws(GatewayError) {
            let plain = names.map { $0.replacing("（元）", with: "").replacing("(元)", with: "") }
            func place(_ name: String) throws(GatewayError) -> Int {
                guard let index = plain.firstIndex(of: name) else {
                    throw GatewayError(.malformed, "The bill's table has no column \(name).")
                }
                return index
            }
            transaction = try place("支付宝交易号")
            order = try place("商户订单号")
            kind = try place("业务类型")
            end = try place("完成时间")
            amount = try place("订单金额")
            refund = try place("退款批次号/请求号")
            fee = try place("服务费")
            count = names.count
        }

        func row(_ cells: [String]) throws(GatewayError) -> BilledMovement {
            guard cells.count >= count else { throw GatewayError(.malformed, "The line breaks off.") }
            // safe: as many cells as columns, and all places are columns
            let (fee, refund) = (cells[self.fee], cells[self.refund])
            let kind: BilledMovement.Kind
            switch cells[self.kind] {
            case "交易": kind = .payment
            case "退款": kind = .refund
            default: throw GatewayError(.malformed, "It is neither a payment nor a refund.")
            }
            let amount = try AlipayAmount.signed(cells[self.amount], of: "The amount")
            guard kind == .refund || amount.minorUnits >= 0 else {
                throw GatewayError(.malformed, "The amount of a payment is negative.")
            }
            let given = Int64(clamping: amount.minorUnits.magnitude)
            guard let at = AlipayTime.date(cells[end]) else {
                throw GatewayError(.malformed, "Its time is no time.")
            }
            let kept = try fee.isEmpty ? nil : AlipayAmount.signed(fee, of: "The fee")
            return BilledMovement(
                kind,
                orderNumber: try AlipayText.id(cells[order], "The order's number"),
                transactionID: try AlipayText.id(cells[transaction], "The transaction's number"),
                refundNumber: try kind == .payment || refund.isEmpty
                    ? nil : AlipayText.id(refund, "The refund's number"),
                amount: Money(minorUnits: given, currency: amount.currency),
                fee: kept.flatMap { try? $0.negated() },
                at: at
            )
        }
    }

    /// Cells between commas; one within quotation marks may have commas. Tabs and spaces around are none of theirs.
    private static func cells(_ line: Substring) -> [String] {
        var (cells, cell, isQuoted) = ([String](), "", false)
        for character in line {
            if character == "\"" {
                isQuoted.toggle()
            } else if character == ",", !isQuoted {
                cells.append(cell)
                cell = ""
            } else {
                cell.append(character)
            }
        }
        return (cells + [cell]).map { $0.trimmingCharacters(in: .whitespaces) }
    }

    private static func isUTF8(_ bytes: [UInt8]) -> Bool { String(validating: bytes, as: UTF8.self) != nil }

    /// In the line behind the table.
    static let end = "列表结束"
    /// A hundred thousand rows have some 30 MB.
    private static let longest = 64 << 20
}
