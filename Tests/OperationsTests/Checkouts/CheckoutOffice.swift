import Billing
import Foundation
import Gateways
import Jobs
import Operations
import Postgres
import Storage
import Testing

/// An office that sells Pro and Premium at two shops of its own, in yuan: Pro for 18 a month, Premium for 28 a month and 198 a year.
struct CheckoutOffice: Sendable {
    let office: TestOffice
    let backOffice: BackOffice
    let wechat: ScriptedShop
    let alipay: ScriptedShop
    let app: App.ID

    static func run(_ body: (CheckoutOffice) async throws -> Void) async throws {
        try await TestOffice.run { office in
            let read = office.clock.read
            let (wechat, alipay) = (ScriptedShop(.wechat, clock: read), ScriptedShop(.alipay, clock: read))
            let backOffice = office.anotherServer(
                secret: TestOffice.secret,
                gateways: StoreGateways([AppleGateway(), wechat, alipay])
            )
            _ = try await backOffice.applyCatalog(try catalog())
            try await body(
                CheckoutOffice(
                    office: office,
                    backOffice: backOffice,
                    wechat: wechat,
                    alipay: alipay,
                    app: try await office.app()
                )
            )
        }
    }

    /// - Parameter pro: the price of a month of Pro in yuan.
    static func catalog(pro: Int64 = 18) throws -> Catalog {
        var catalog = try Catalog.readmigo()
        for store in [Store.wechat, .alipay] {
            catalog.accounts[store] = StoreAccount(
                store: store,
                identifier: "shop-\(store.rawValue)",
                isSimulated: true
            )
            for (name, plan, period, yuan) in [
                ("pro.month", "PRO", BillingPeriod(1, .month), pro),
                ("max.month", "PREMIUM", BillingPeriod(1, .month), 28),
                ("max.year", "PREMIUM", BillingPeriod(1, .year), 198),
            ] {
                catalog.products.append(
                    CatalogProduct(
                        plan: plan,
                        store: store,
                        id: name,
                        name: name,
                        period: period,
                        trial: nil,
                        prices: [.yuan(yuan)]
                    )
                )
            }
        }
        return catalog
    }

    func shop(_ method: CheckoutMethod) -> ScriptedShop { method.store == .wechat ? wechat : alipay }

    func open(
        _ product: String = "pro.month",
        by method: CheckoutMethod = .wechatNative,
        for customer: Customer.ID,
        key: String? = nil,
        returnURL: String? = nil,
        clientAddress: String? = nil,
        notificationURL: String = "https://pay.example.com/webhooks/shop/readmigo"
    ) async throws -> OpenedCheckout {
        try await backOffice.openCheckout(
            CheckoutRequest(
                productID: product,
                method: method,
                clientAddress: clientAddress,
                notificationURL: notificationURL,
                returnURL: returnURL
            ),
            key: try key.map { try IdempotencyKey($0, of: customer.uuid, for: [product, method.rawValue]) },
            for: customer,
            of: app
        )
    }

    /// Opens an order, has it paid now, and settles that.
    @discardableResult
    func buy(
        _ product: String = "pro.month",
        by method: CheckoutMethod = .wechatNative,
        for customer: Customer.ID
    ) async throws -> Checkout {
        let opened = try await open(product, by: method, for: customer)
        let payment = shop(method).pay(opened.checkout.number, at: office.clock.read())
        #expect(try await backOffice.settle(payment, at: method.store, of: app) == .settled)
        return try await checkout(opened.checkout.number)
    }

    /// Has staff take away the access that a subscription gives.
    func suspend(_ subscription: Subscription.ID, of customer: Customer.ID) async throws {
        _ = try await backOffice.change(
            customer,
            of: app,
            .revoke(.subscription(subscription)),
            reason: Reason(.fraud, "Somebody else's card was used."),
            key: nil,
            version: nil,
            caller: try await office.staff("ada@example.com", .admin)
        )
    }

    func checkout(_ number: String) async throws -> Checkout {
        try await backOffice.checkout(number, of: app).checkout
    }

    /// Has the jobs that watch orders run now, whenever they are due.
    func watch() async throws {
        _ = try await office.pool.query("UPDATE jobs SET scheduled_at = now() WHERE state = 'available'")
        _ = try await JobWorker(backOffice: backOffice).drain()
    }

    func advance(days: Double) { office.clock.advance(by: days * 86_400) }

    /// Returns the stretches of access, a line each: the product, the days from `TestOffice.start`, and the price of the period.
    func periods() async throws -> [String] {
        try await office.lines(
            """
            SELECT concat_ws(' ', a.transaction_id, p.name, round(extract(epoch FROM a.starts_at - \(TestOffice.start)) / 86400, 2),
                round(extract(epoch FROM a.ends_at - \(TestOffice.start)) / 86400, 2), a.price, a.period_count || a.period_unit)
            FROM access_periods a
            JOIN products p ON p.id = a.product_id
            WHERE a.retired_at IS NULL
            ORDER BY a.starts_at, a.transaction_id
            """
        )
    }

    /// Returns the subscriptions, a line each, without what names them.
    func subscriptions() async throws -> [String] {
        try await office.lines(
            """
            SELECT concat_ws(' ', s.store, s.state, p.name, round(extract(epoch FROM s.period_ends_at - \(TestOffice.start)) / 86400, 2))
            FROM subscriptions s
            LEFT JOIN products p ON p.id = s.product_id
            ORDER BY s.created_at, s.id
            """
        )
    }

    /// Returns the orders with their charges, a line each, in the order of their payment.
    func orders() async throws -> [String] {
        try await office.lines(
            """
            SELECT concat_ws(' ', o.transaction_id, o.kind, o.status, o.amount, (
                SELECT string_agg(t.kind || ' ' || t.amount, ', ' ORDER BY t.occurred_at) FROM ledger_entries t WHERE t.order_id = o.id))
            FROM orders o
            ORDER BY o.purchased_at, o.transaction_id
            """
        )
    }

    func plan(_ customer: Customer.ID) async throws -> String? {
        try await office.entitlement(customer)?.plan.code
    }
}
