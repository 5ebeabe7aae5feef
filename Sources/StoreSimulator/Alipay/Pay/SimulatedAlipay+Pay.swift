import CryptoExtras
import Foundation
import Gateways
import Synchronization

extension SimulatedAlipay {
    /// The faults of notifications from now on.
    package func set(_ knobs: SimulatedAlipayKnobs) { state.withLock { $0.knobs = knobs } }

    /// In what bills differ from now on.
    package func set(_ knobs: SimulatedAlipayBillKnobs) { state.withLock { $0.billKnobs = knobs } }

    /// Somebody scans the code, or signs in on Alipay's page.
    ///
    /// - Parameter order: our number, or the QR code.
    /// - Returns: false where there is no such order, or its time is over.
    @discardableResult
    package func scan(_ order: String) -> Bool {
        let now = now()
        return state.withLock { state in (try? state.books.scan(state.number(order), at: now)) != nil }
    }

    /// Somebody pays; the notification is due at once.
    ///
    /// - Returns: false where it cannot be paid.
    @discardableResult
    package func pay(
        _ order: String,
        by buyer: SimulatedAlipayAccount = SimulatedAlipayAccount(openID: "open-wang", userID: "2088102104794936")
    ) -> Bool {
        let now = now()
        return state.withLock { state in
            (try? state.books.pay(state.number(order), by: buyer, at: now)) != nil
        }
    }

    /// The seller gives money back on Alipay's own pages.
    ///
    /// - Parameter amount: in fen.
    /// - Returns: false where that is not possible.
    @discardableResult
    package func giveBack(_ amount: Int64, of order: String, as request: String) -> Bool {
        let now = now()
        return state.withLock { state in
            (try? state.books.giveBack(amount, of: state.number(order), as: request, at: now)) != nil
        }
    }

    /// The time for refunds of an order is over.
    package func finish(_ order: String) {
        let now = now()
        state.withLock { state in state.books.finish(state.number(order), at: now) }
    }

    /// The sum that was given back of an order, in fen.
    package func refunded(_ number: String) -> Int64 { state.withLock { $0.books.trades[number]?.refunded ?? 0 } }

    /// The number of paid refunds of an order.
    package func refunds(of number: String) -> Int { state.withLock { $0.books.trades[number]?.refunds.count ?? 0 } }

    package var notices: [SimulatedAlipayNotice] { state.withLock { $0.books.notices } }

    /// The query with which a browser comes back from Alipay's page.
    ///
    /// - Parameter signsType: whether `sign_type` is signed, too.
    package func returnQuery(of number: String, signsType: Bool = false) -> String? {
        guard let trade = state.withLock({ $0.books.trades[number] }) else { return nil }
        let fields: [(name: String, value: String)] = [
            ("charset", "utf-8"), ("out_trade_no", trade.number), ("method", "alipay.trade.page.pay.return"),
            ("total_amount", SimulatedAlipayTrade.yuan(trade.total)), ("trade_no", trade.transactionID),
            ("auth_app_id", appID), ("version", "1.0"), ("app_id", appID), ("seller_id", Self.sellerID),
            ("timestamp", SimulatedAlipayTrade.time(now())),
        ]
        return form(fields, SimulatedAlipayKnobs(), signsType: signsType)
    }

    /// A notification as it is sent.
    package func form(_ notice: SimulatedAlipayNotice, _ knobs: SimulatedAlipayKnobs = SimulatedAlipayKnobs()) -> String
    {
        form(notice.fields, knobs, signsType: false)
    }

    /// Sends the notifications that are due, each attempt by the schedule.
    package func deliverDue() async {
        while true {
            let now = now()
            let due: [(index: Int, notice: SimulatedAlipayNotice)] = state.withLock { state in
                state.books.notices.enumerated().filter { ($0.element.nextAttempt ?? .distantFuture) <= now }
                    .map { ($0.offset, $0.element) }
            }
            guard !due.isEmpty else { return }
            let knobs = state.withLock { $0.knobs }
            for (index, notice) in knobs.isReversed ? due.reversed() : due {
                var isDelivered = false
                for _ in 0..<(knobs.isDropping ? 0 : max(1, knobs.copies)) {
                    isDelivered = await send(notice, knobs) || isDelivered
                }
                state.withLock { $0.books.notices[index].record(at: now, isDelivered: isDelivered) }
            }
        }
    }

    /// Looks every second for attempts whose time has come, until the task is cancelled.
    package func deliverForever() async {
        while !Task.isCancelled {
            await deliverDue()
            try? await Task.sleep(for: .seconds(1))
        }
    }

    private func send(_ notice: SimulatedAlipayNotice, _ knobs: SimulatedAlipayKnobs) async -> Bool {
        let request = StoreRequest(
            "POST",
            notice.url,
            headers: ["Content-Type": "application/x-www-form-urlencoded; charset=utf-8"],
            body: Data(form(notice, knobs).utf8)
        )
        guard let response = try? await transport.send(request) else { return false }
        return response.status == 200 && response.body == Data("success".utf8)
    }

    /// A signed form: all members but `sign` and `sign_type` by name, in the charset that it names.
    private func form(
        _ fields: [(name: String, value: String)],
        _ knobs: SimulatedAlipayKnobs,
        signsType: Bool
    ) -> String {
        var fields = fields
        if knobs.isGBK {
            fields = fields.map { $0.name == "charset" ? ("charset", "GBK") : $0 }
        }
        if knobs.signsEmpty != nil { fields.append(("body", "")) }
        if knobs.hasUnknown { fields.append(("voucher_detail_list", #"[{"name":"满减 10%+","amount":"0.00"}]"#)) }
        fields.append(("sign_type", "RSA2"))
        var values = fields.map { ($0.name, knobs.isGBK ? GBK.bytes($0.value) : Array($0.value.utf8)) }
        let signed = values.filter { (signsType || $0.0 != "sign_type") && (knobs.signsEmpty == true || !$0.1.isEmpty) }
            .sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
            .map { Array($0.0.utf8) + [UInt8(ascii: "=")] + $0.1 }
        let text = Array(signed.joined(separator: [UInt8(ascii: "&")]))
        values.append(("sign", Array((signature(of: text, by: knobs.isForged ? nil : key) ?? "").utf8)))
        return values.map { "\($0.0)=\(Self.escaped($0.1))" }.joined(separator: "&")
    }

    /// A space as `+`.
    private static func escaped(_ bytes: [UInt8]) -> String {
        bytes.map { byte in
            let scalar = Unicode.Scalar(byte)
            if byte == 0x20 { return "+" }
            if byte < 0x80,
                scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                    || "-._*".unicodeScalars.contains(scalar)
            {
                return String(scalar)
            }
            return "%" + String(byte >> 4, radix: 16, uppercase: true) + String(byte & 15, radix: 16, uppercase: true)
        }.joined()
    }
}

extension SimulatedAlipay {
    func pay(_ method: String, _ parameters: [String: String]) throws(SimulatedAlipayRefusal) -> JSON {
        let now = now()
        let result: Result<JSON, SimulatedAlipayRefusal> = state.withLock { state in
            do throws(SimulatedAlipayRefusal) {
                return .success(try state.books.answer(method, parameters, at: now))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    func billAddress(_ parameters: [String: String], host: String) -> JSON {
        let content = (try? JSON(parsing: Array((parameters["biz_content"] ?? "{}").utf8))) ?? .object([])
        let day = content["bill_date"]?.string ?? ""
        guard content["bill_type"]?.string == "trade", SimulatedAlipayTrade.date("\(day) 00:00:00") != nil else {
            return Self.refusal("40004", "isv.invalid-arguments")
        }
        // Made in the morning after.
        let isMade =
            SimulatedAlipayTrade.date("\(day) 00:00:00").map { now() > $0.addingTimeInterval(33 * 3_600) } ?? false
        guard isMade, !bill(of: day).isEmpty else { return Self.refusal("40004", "isp.bill_not_exist") }
        return [
            "code": "10000", "msg": "Success",
            "bill_download_url": .string("http://\(host)/downloadBillFile.resource?bizType=trade&day=\(day)"),
        ]
    }

    /// The endpoints that drive it from another process.
    var payEndpoints: [SimulatedEndpoint] {
        [
            SimulatedEndpoint("GET", "/downloadBillFile.resource") { [self] request in
                let bill = bill(of: request.first("day") ?? "")
                return StoreResponse(
                    status: 200,
                    headers: ["content-type": "application/zip"],
                    body: Data(bill.archive)
                )
            },
            SimulatedEndpoint("GET", "/simulator/alipay/notices") { [self] _ in
                .json(
                    .array(
                        notices.map { notice in
                            [
                                "id": .string(notice.id), "number": .string(notice.number),
                                "attempts": .integer(Int64(notice.attempts.count)),
                                "delivered": .bool(notice.isDelivered),
                            ]
                        }
                    )
                )
            },
        ] + desk
    }

    private func bill(of day: String) -> SimulatedAlipayBill {
        state.withLock { state in
            SimulatedAlipayBill(
                day: day,
                sellerID: Self.sellerID,
                trades: Array(state.books.trades.values),
                knobs: state.billKnobs
            )
        }
    }
}

extension SimulatedAlipay.State {
    /// Our number of an order that is named by it, or by its QR code.
    func number(_ order: String) -> String {
        books.trades[order] == nil ? books.trades.values.first { $0.qr == order }?.number ?? order : order
    }
}
