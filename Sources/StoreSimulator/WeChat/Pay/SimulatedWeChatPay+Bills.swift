import Billing
import Crypto
package import Foundation
import Gateways
import Synchronization

extension SimulatedWeChatPay {
    /// Tells where a bill lies, and its hash; made by ten in the morning of the next day.
    func bill(_ request: SimulatedRequest, in state: State, at now: Date) throws(SimulatedWeChatRefusal) -> JSON {
        guard let day = request.first("bill_date"), day.wholeMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}/) != nil,
            let start = Date(rfc3339: "\(day)T00:00:00+08:00")
        else { throw .parameter("bill_date") }
        guard ["", nil].contains(request.first("tar_type")) else { throw .parameter("tar_type") }
        guard now.timeIntervalSince(start) >= 86_400 + 36_000 else {
            throw SimulatedWeChatRefusal(400, "STATEMENT_CREATING", "账单生成中")
        }
        guard now.timeIntervalSince(start) <= 93 * 86_400 else {
            throw SimulatedWeChatRefusal(400, "INVALID_REQUEST", "请求的账单日期已过期")
        }
        let kind = request.path.hasSuffix("tradebill") ? "trade" : "fund"
        guard let text = text(kind, day, in: state) else {
            throw SimulatedWeChatRefusal(400, "NO_STATEMENT_EXIST", "账单文件不存在")
        }
        let hash = Insecure.SHA1.hash(data: Data(text.utf8))
        return [
            "download_url": .string(
                "http://\(request.headers["host"] ?? "")/v3/billdownload/file?token=\(kind)-\(day)"
            ),
            "hash_type": "SHA1",
            "hash_value": .string(hash.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()),
        ]
    }

    /// The file, which WeChat Pay does not sign.
    func billFile(_ request: SimulatedRequest) -> StoreResponse {
        let parts = (request.first("token") ?? "").split(separator: "-", maxSplits: 1).map(String.init)
        let (bill, isSpoiled) = state.withLock { state in
            (parts.count == 2 ? text(parts[0], parts[1], in: state) : nil, state.misdeliversBills)
        }
        guard let bill else { return StoreResponse(status: 404) }
        let bytes = Data(bill.utf8) + (isSpoiled ? Data("`".utf8) : Data())
        return StoreResponse(status: 200, headers: ["content-type": "text/plain"], body: bytes)
    }

    /// - Returns: nil for a day on which nothing happened.
    private func text(_ kind: String, _ day: String, in state: State) -> String? {
        let books = state.books
        let payments = state.billKnobs.bent(Array(books.orders.values))
            .filter { $0.isPaid && $0.paidAt.map(SimulatedWeChatTime.day) == day }
            .sorted { $0.transactionID ?? "" < $1.transactionID ?? "" }
        let refunds = state.billKnobs.bent(Array(books.refunds.values))
            .filter { SimulatedWeChatTime.day($0.createdAt) == day && $0.state != "CLOSED" }
            .sorted { $0.id < $1.id }
        guard !payments.isEmpty || !refunds.isEmpty else { return nil }
        let text =
            kind == "trade"
            ? tradeBill(payments, refunds, in: books) : Self.fundBill(payments, refunds, in: books)
        let bent = state.bendBill?(text) ?? text
        return state.billKnobs.isTorn ? String(bent.dropLast(bent.count / 4)) : bent
    }

    private func tradeBill(
        _ payments: [SimulatedWeChatOrder],
        _ refunds: [SimulatedWeChatRefund],
        in books: SimulatedWeChatBooks
    ) -> String {
        var lines = [Self.tradeNames.joined(separator: ",")]
        for order in payments {
            lines.append(line(order, at: order.paidAt, "SUCCESS", fee: Self.fee(of: order.total), refund: nil))
        }
        for refund in refunds {
            guard let order = books.orders[refund.orderNumber] else { continue }
            lines.append(
                line(order, at: refund.createdAt, "REFUND", fee: 0 - Self.fee(of: refund.amount), refund: refund)
            )
        }
        let (paid, back) = (payments.reduce(0) { $0 + $1.total }, refunds.reduce(0) { $0 + $1.amount })
        let fees =
            payments.reduce(0) { $0 + Self.fee(of: $1.total) } - refunds.reduce(0) { $0 + Self.fee(of: $1.amount) }
        lines.append("总交易单数,应结订单总金额,退款总金额,充值券退款总金额,手续费总金额,订单总金额,申请退款总金额")
        lines.append(
            Self.values([
                "\(payments.count + refunds.count)", Self.yuan(paid), Self.yuan(back), "0.00", Self.yuan(fees) + "000",
                Self.yuan(paid), Self.yuan(back),
            ])
        )
        return lines.joined(separator: "\r\n") + "\r\n"
    }

    private func line(
        _ order: SimulatedWeChatOrder,
        at date: Date?,
        _ state: String,
        fee: Int64,
        refund: SimulatedWeChatRefund?
    ) -> String {
        let total = Self.yuan(refund == nil ? order.total : 0)
        let back = Self.yuan(refund?.amount ?? 0)
        return Self.values([
            SimulatedWeChatTime.billText(date ?? order.createdAt), merchant.appID, merchant.merchantID, "0", "",
            order.transactionID ?? "", order.number, order.openID, order.kind, state, "OTHERS", "CNY", total, "0.00",
            refund?.id ?? "0", refund?.number ?? "0", back, "0.00", refund == nil ? "" : "ORIGINAL",
            refund?.state ?? "", order.request["description"]?.string ?? "", "", Self.yuan(fee) + "000", "0.60%", total,
            back, "",
        ])
    }

    private static func fundBill(
        _ payments: [SimulatedWeChatOrder],
        _ refunds: [SimulatedWeChatRefund],
        in books: SimulatedWeChatBooks
    ) -> String {
        var lines = [fundNames.joined(separator: ",")]
        var (incomes, expenses): ([Int64], [Int64]) = ([], [])
        var flow = 0
        func add(_ date: Date?, _ id: String, _ kind: String, _ amount: Int64, _ isIncome: Bool, _ voucher: String) {
            flow += 1
            if isIncome { incomes.append(amount) } else { expenses.append(amount) }
            lines.append(
                values([
                    SimulatedWeChatTime.billText(date ?? .distantPast), id, "\(id)\(flow)", kind, kind,
                    isIncome ? "收入" : "支出", yuan(amount), yuan(incomes.reduce(0, +) - expenses.reduce(0, +)), "system",
                    "", voucher,
                ])
            )
        }
        for order in payments {
            add(order.paidAt, order.transactionID ?? "", "交易", order.total, true, order.number)
            add(order.paidAt, order.transactionID ?? "", "扣除交易手续费", fee(of: order.total), false, order.number)
        }
        for refund in refunds { add(refund.createdAt, refund.id, "退款", refund.amount, false, refund.number) }
        lines.append("资金流水总笔数,收入笔数,收入金额,支出笔数,支出金额")
        lines.append(
            values([
                "\(flow)", "\(incomes.count)", yuan(incomes.reduce(0, +)), "\(expenses.count)",
                yuan(expenses.reduce(0, +)),
            ])
        )
        return lines.joined(separator: "\r\n") + "\r\n"
    }

    /// 0.6 %, to the fen.
    private static func fee(of fen: Int64) -> Int64 { (fen * 6 + 500) / 1_000 }

    private static func yuan(_ fen: Int64) -> String {
        let magnitude = fen.magnitude
        return "\(fen < 0 ? "-" : "")\(magnitude / 100).\(magnitude % 100 < 10 ? "0" : "")\(magnitude % 100)"
    }

    private static func values(_ values: [String]) -> String { values.map { "`\($0)" }.joined(separator: ",") }

    private static let tradeNames = [
        "交易时间", "公众账号ID", "商户号", "特约商户号", "设备号", "微信订单号", "商户订单号", "用户标识", "交易类型", "交易状态",
        "付款银行", "货币种类", "应结订单金额", "代金券金额", "微信退款单号", "商户退款单号", "退款金额", "充值券退款金额", "退款类型",
        "退款状态", "商品名称", "商户数据包", "手续费", "费率", "订单金额", "申请退款金额", "费率备注",
    ]
    private static let fundNames = [
        "记账时间", "微信支付业务单号", "资金流水单号", "业务名称", "业务类型", "收支类型", "收支金额(元)", "账户结余(元)",
        "资金变更提交申请人", "备注", "业务凭证号",
    ]
}

/// In what the simulated WeChat Pay's bills differ from its orders.
package struct SimulatedWeChatBillKnobs: Sendable {
    /// Our numbers of orders whose payment the bill does not have.
    package var hidden: Set<String> = []
    /// Other amounts, in fen, by our numbers of the orders.
    package var amounts: [String: Int64] = [:]
    /// Payments that nobody made.
    package var strays: [(number: String, amount: Int64, at: Date)] = []
    /// Our numbers of refunds that the bill does not have.
    package var hiddenRefunds: Set<String> = []
    /// Other amounts, in fen, by our numbers of the refunds.
    package var refundAmounts: [String: Int64] = [:]
    /// Refunds of orders that nobody made.
    package var strayRefunds: [(number: String, order: String, amount: Int64, at: Date)] = []
    /// The bill breaks off.
    package var isTorn = false

    package init() {}

    func bent(_ refunds: [SimulatedWeChatRefund]) -> [SimulatedWeChatRefund] {
        let own = refunds.filter { !hiddenRefunds.contains($0.number) }.map { refund in
            refundAmounts[refund.number].map { refund.of($0) } ?? refund
        }
        return own
            + strayRefunds.map { stray in
                SimulatedWeChatRefund(
                    number: stray.number,
                    id: "59999999\(stray.number)",
                    orderNumber: stray.order,
                    amount: stray.amount,
                    request: .object([]),
                    createdAt: stray.at,
                    notificationURL: nil,
                    state: "SUCCESS",
                    succeededAt: stray.at
                )
            }
    }

    func bent(_ orders: [SimulatedWeChatOrder]) -> [SimulatedWeChatOrder] {
        let own = orders.filter { !hidden.contains($0.number) }.map { order in
            var order = order
            order.total = amounts[order.number] ?? order.total
            return order
        }
        return own
            + strays.map { stray in
                SimulatedWeChatOrder(
                    number: stray.number,
                    kind: "NATIVE",
                    request: .object([]),
                    createdAt: stray.at,
                    handle: "",
                    total: stray.amount,
                    notificationURL: "",
                    expiresAt: nil,
                    state: "SUCCESS",
                    transactionID: "49999999\(stray.number)",
                    paidAt: stray.at
                )
            }
    }
}
