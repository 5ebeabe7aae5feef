import Billing
import Foundation
import Gateways
import Operations
import Postgres
import Storage

/// A shop that opens whatever it is asked to, each method in its own way.
struct PayShop: StoreGateway, CheckoutServer {
    let store: Store
    let identifier = (name: "app id", field: "appid")

    func check(_ account: StoreAccount) throws(GatewayError) {}

    func open(_ delivery: StoreDelivery) throws(GatewayError) -> any UnverifiedMessage {
        throw GatewayError(.malformed, "It takes in nothing.")
    }

    func checkouts(of account: StoreAccount) throws(GatewayError) -> (any CheckoutServer)? { self }

    func open(_ order: CheckoutOrder, by method: CheckoutMethod) async throws(StoreFailure) -> CheckoutInvocation {
        switch method {
        case .wechatNative, .alipayQR: .qr("weixin://pay/\(order.number)")
        case .wechatH5, .alipayWap: .redirect("https://pay.example/go?order=\(order.number)&a=<b>")
        case .alipayPage:
            .form(
                url: "https://pay.example/gateway.do?charset=utf-8",
                fields: [CheckoutInvocation.Field("biz_content", #"{"subject":"<Pro> & \"more\""}"#)]
            )
        case .wechatJSAPI, .wechatApp: .parameters([CheckoutInvocation.Field("prepay_id", "p1")])
        case .alipayApp: .orderText("order")
        }
    }

    func standing(of number: String) async throws(StoreFailure) -> CheckoutStanding { .open }

    func close(_ number: String) async throws(StoreFailure) -> CheckoutStanding { .closed(nil) }

    /// Runs a test on a site that sells a month of Pro for 18 yuan at two such shops.
    static func run(_ body: @Sendable (CustomerCalls) async throws -> Void) async throws {
        let gateways = StoreGateways([PayShop(store: .wechat), PayShop(store: .alipay)])
        try await CustomerCalls.run(gateways: gateways) { calls in
            try await calls.site.pool.withConnection { try await $0.execute(script: Self.shop) }
            try await body(calls)
        }
    }

    private static let shop = """
        INSERT INTO store_accounts (app_id, store, identifier, environment)
        VALUES ('\(TestSite.readmigo)', 'wechat', 'wx-shop', 'store');
        INSERT INTO products (id, app_id, plan_id, store, store_product_id, name, period_count, period_unit, created_at, updated_at)
        VALUES ('00000000-0000-7000-8000-0000000000c1', '\(TestSite.readmigo)', '00000000-0000-7000-8000-0000000000a1',
                'wechat', 'pro.month', 'Pro', 1, 'month', now(), now()),
            ('00000000-0000-7000-8000-0000000000c2', '\(TestSite.readmigo)', '00000000-0000-7000-8000-0000000000a1',
                'alipay', 'pro.month', 'Pro 😀 <b>', 1, 'month', now(), now());
        INSERT INTO product_prices (product_id, currency, minor_units)
        VALUES ('00000000-0000-7000-8000-0000000000c1', 'CNY', 1800), ('00000000-0000-7000-8000-0000000000c2', 'CNY', 1800);
        UPDATE apps SET cors_origins = '{https://shop.example}' WHERE id = '\(TestSite.readmigo)';
        """

    /// Connects Alipay as well.
    static func connectAlipay(_ site: TestSite) async throws {
        _ = try await site.pool.query(
            "INSERT INTO store_accounts (app_id, store, identifier, environment) VALUES (\(TestSite.readmigoID), 'alipay', '2021', 'store')"
        )
    }
}
