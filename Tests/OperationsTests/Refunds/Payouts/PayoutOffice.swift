import Billing
import Foundation
import Gateways
import Jobs
import Operations
import Postgres
import Storage
import Testing

/// An office whose two shops pay refunds when they are asked to.
struct PayoutOffice: Sendable {
    let desk: CheckoutOffice
    let wechat: ScriptedPayer
    let alipay: ScriptedPayer
    let ada: Caller
    let bea: Caller
    let sue: Caller

    var office: TestOffice { desk.office }
    var backOffice: BackOffice { desk.backOffice }
    var app: App.ID { desk.app }

    static func run(_ body: (PayoutOffice) async throws -> Void) async throws {
        try await TestOffice.run { office in
            let read = office.clock.read
            let (wechat, alipay) = (ScriptedShop(.wechat, clock: read), ScriptedShop(.alipay, clock: read))
            let (wechatPayer, alipayPayer) = (ScriptedPayer(), ScriptedPayer())
            let backOffice = office.anotherServer(
                secret: TestOffice.secret,
                gateways: StoreGateways([
                    AppleGateway(), PayingShop(wechat, wechatPayer), PayingShop(alipay, alipayPayer),
                ]),
                storeAddresses: StoreAddresses { "https://office.example.com/webhooks/\($0.rawValue)/\($1)" }
            )
            _ = try await backOffice.applyCatalog(try CheckoutOffice.catalog())
            let desk = CheckoutOffice(
                office: office,
                backOffice: backOffice,
                wechat: wechat,
                alipay: alipay,
                app: try await office.app()
            )
            try await body(
                PayoutOffice(
                    desk: desk,
                    wechat: wechatPayer,
                    alipay: alipayPayer,
                    ada: try await office.hire("ada", .admin),
                    bea: try await office.hire("bea", .admin),
                    sue: try await office.hire("sue", .support)
                )
            )
        }
    }

    /// Buys a month of Pro, and returns the order's number.
    func order(
        _ product: String = "pro.month",
        by method: CheckoutMethod = .wechatNative,
        for customer: Customer.ID? = nil
    ) async throws -> String {
        let buyer: Customer.ID
        if let customer {
            buyer = customer
        } else {
            buyer = try await office.customer("c\(UUID().uuidString.prefix(8))")
        }
        let bought = try await desk.buy(product, by: method, for: buyer)
        return try #require(
            try await office.lines("SELECT number FROM orders WHERE transaction_id = \(bought.transactionID ?? "")")
                .first
        )
    }

    func ask(_ order: String, _ kind: Refund.Kind = .full, _ amount: Money? = nil) async throws -> String {
        try await backOffice.requestRefund(
            of: order,
            app: app,
            RefundCommand(kind: kind, amount: amount),
            reason: RefundOffice.reason,
            caller: sue
        ).result
    }

    @discardableResult
    func approve(
        _ number: String,
        of order: String,
        revoking revokes: Bool = true,
        by caller: Caller? = nil
    ) async throws -> String {
        try await backOffice.approveRefund(
            number,
            app: app,
            // One admin's approvals of a day grow beyond the threshold.
            RefundApproval(confirmation: RefundPolicy.confirmation(of: order), revokes: revokes),
            reason: RefundOffice.reason,
            caller: caller ?? ada
        ).result
    }

    /// Asks for a refund of an order, and approves it.
    func approved(_ order: String, _ kind: Refund.Kind = .full, _ amount: Money? = nil) async throws -> String {
        try await approve(try await ask(order, kind, amount), of: order)
    }

    @discardableResult
    func payByHand(_ number: String, _ payer: RefundPayer = .elsewhere) async throws -> String {
        try await backOffice.processRefund(
            number,
            app: app,
            RefundPayment(payer: payer, reference: "BANK-1"),
            reason: RefundOffice.reason,
            caller: ada
        ).result
    }

    func cancel(_ number: String) async throws -> String {
        try await backOffice.cancelRefund(number, app: app, reason: RefundOffice.reason, caller: ada).result
    }

    func sendAgain(_ number: String, by caller: Caller? = nil) async throws {
        _ = try await backOffice.sendRefund(number, app: app, reason: RefundOffice.reason, caller: caller ?? ada)
    }

    func settle(
        _ number: String,
        _ route: RefundSettlementRoute = RefundSettlementRoute(way: .merchant),
        key: IdempotencyKey? = nil,
        by caller: Caller? = nil
    ) async throws {
        _ = try await backOffice.settleRefund(
            number,
            app: app,
            route,
            reason: RefundOffice.reason,
            key: key,
            caller: caller ?? ada
        )
    }

    /// Has the jobs that pay refunds run now, whenever they are due.
    func work() async throws {
        _ = try await office.pool.query(
            "UPDATE jobs SET scheduled_at = now() WHERE state = 'available' AND kind = 'refund_payout'"
        )
        _ = try await JobWorker(backOffice: backOffice).drain()
    }

    /// Returns a line for each payout: the request, its status, the payout's state and why it was not sent.
    func payouts() async throws -> [String] {
        try await office.lines(
            """
            SELECT concat_ws(' ', r.number, r.status, y.state, y.obstacle)
            FROM refund_payouts y
            JOIN refund_requests r ON r.id = y.refund_id
            ORDER BY r.number
            """
        )
    }

    /// Returns the states of a payout, in order.
    func steps(_ number: String) async throws -> [String] {
        try await office.lines(
            """
            SELECT concat_ws(': ', s.state, s.words)
            FROM refund_payout_steps s
            JOIN refund_requests r ON r.id = s.refund_id
            WHERE r.number = \(number)
            ORDER BY s.position
            """
        )
    }

    /// Returns the refunds in the ledger, by the store's number of the payment.
    func booked() async throws -> [String: Int64] {
        try await office.pool.query(
            """
            SELECT o.transaction_id, (-sum(t.amount))::bigint
            FROM ledger_entries t
            JOIN orders o ON o.id = t.order_id
            WHERE t.kind = 'refund'
            GROUP BY 1
            """
        ).reduce(into: [:]) { booked, row in
            let (transaction, fen) = try row.decode(String.self, Int64.self)
            booked[transaction] = fen
        }
    }

    func orderStatus(_ number: String) async throws -> String {
        try #require(
            try await office.lines("SELECT concat_ws(' ', status, refunded) FROM orders WHERE number = \(number)").first
        )
    }

    func number(_ request: String) async throws -> String {
        try #require(
            try await office.lines(
                """
                SELECT y.number
                FROM refund_payouts y
                JOIN refund_requests r ON r.id = y.refund_id
                WHERE r.number = \(request)
                """
            ).first
        )
    }
}
