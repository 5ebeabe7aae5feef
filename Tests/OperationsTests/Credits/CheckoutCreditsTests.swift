import Billing
import Foundation
import Operations
import Postgres
import Storage
import Testing

@Suite("Credits of periods that are bought") struct CheckoutCreditsTests {
    @Test("each paid order brings its credits once, for its own period, and a payment that is told again brings none")
    func stacked() async throws {
        try await CheckoutOffice.run { office in
            try await office.office.pool.withConnection { try await $0.execute(script: Self.credits) }
            let customer = try await office.office.customer("mei")
            try await office.buy(for: customer)
            try await office.buy(by: .alipayPage, for: customer)
            office.office.clock.advance(by: 25 * 86_400)
            let opened = try await office.open("max.month", for: customer)
            let payment = office.wechat.pay(opened.checkout.number, at: office.office.clock.read())
            for _ in 0..<2 { _ = try await office.backOffice.settle(payment, at: .wechat, of: office.app) }
            let buckets = try await office.office.lines(
                """
                SELECT concat_ws(' ', o.store, b.remaining,
                    round(extract(epoch FROM b.starts_at - \(TestOffice.start)) / 86400),
                    round(extract(epoch FROM b.expires_at - \(TestOffice.start)) / 86400))
                FROM credit_buckets b
                JOIN orders o ON o.id = b.order_id
                ORDER BY o.number
                """
            )
            // The unused parts of the first two have paid for the third.
            #expect(buckets == ["wechat 20 0 25", "alipay 20 31 31", "wechat 90 25 56"])
        }
    }

    private static let credits = """
        INSERT INTO features (id, app_id, code, name, names, position)
        SELECT gen_random_uuid(), id, 'ai', 'ai', '{}', 0
        FROM apps
        WHERE slug = 'readmigo';
        INSERT INTO product_credits (product_id, feature_id, amount)
        SELECT p.id, f.id, x.amount
        FROM (VALUES ('pro.month', 20), ('max.month', 90)) AS x (product, amount)
        JOIN products p ON p.store_product_id = x.product
        JOIN features f ON f.app_id = p.app_id;
        """
}
