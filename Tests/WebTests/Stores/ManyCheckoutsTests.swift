import Billing
import Foundation
import Gateways
import Jobs
import Operations
import Postgres
import Storage
import StoreSimulator
import Synchronization
import TestSupport
import Testing

@Suite("Many checkouts whose notifications go astray") struct ManyCheckoutsTests {
    private static let count = TestScale.rounds(2_000, sampled: 60)

    /// A customer's way through a checkout: by which store, whether they pay, and what becomes of the notification.
    private struct Way {
        enum Trouble: CaseIterable {
            case dropped, doubled, delayed, forged
        }

        let method: CheckoutMethod
        let pays: Bool
        /// Of three in ten.
        let trouble: Trouble?

        init(using random: inout SeededGenerator) {
            method = [.wechatNative, .wechatApp, .alipayQR].randomElement(using: &random) ?? .wechatNative
            pays = Int.random(in: 0..<10, using: &random) < 8
            let hits = Int.random(in: 0..<10, using: &random) < 3
            let which = Trouble.allCases.randomElement(using: &random)
            trouble = hits ? which : nil
        }
    }

    @Test(
        "lost, doubled, late and forged ones: state, access and books are as if all had come, and the bills agree",
        arguments: [38, 1_138] as [UInt64]
    )
    func astray(seed: UInt64) async throws {
        let undisturbed = try await Self.play(seed, isDisturbed: false)
        let disturbed = try await Self.play(seed, isDisturbed: true)
        #expect(undisturbed.count == Self.count)
        for (one, other) in zip(undisturbed, disturbed) where one != other {
            Issue.record("seed \(seed): \(one) became \(other)")
        }
        #expect(disturbed.count == undisturbed.count, "seed \(seed)")
        #expect(undisturbed.contains { $0.contains("paid") } && undisturbed.contains { $0.contains("closed expired") })
    }

    /// - Returns: a line for each checkout, with its state, order, charges and access.
    private static func play(_ seed: UInt64, isDisturbed: Bool) async throws -> [String] {
        let kept = Kept()
        try await PaymentSite.run { shop in
            var random = SeededGenerator(seed: seed)
            for number in 0..<count {
                let way = Way(using: &random)
                try await walk(way, number, isDisturbed: isDisturbed, shop)
                if number.isMultiple(of: 16) { try await shop.work() }
            }
            shop.alipay.set(SimulatedAlipayKnobs())
            // The stores are asked before anything is told again.
            shop.advance(by: 6)
            try await shop.query()
            let asked = try await lines(shop)
            try await shop.work()
            for wait in [300.0, 700, 121, 3_600, 7_200] {
                shop.advance(by: wait)
                try await shop.query()
                await shop.deliver()
                try await shop.work()
            }
            let told = try await lines(shop)
            #expect(asked.filter { $0.contains(" paid ") } == told.filter { $0.contains(" paid ") }, "seed \(seed)")
            let unapplied = try await shop.site.lines(
                "SELECT concat_ws(' ', store, last_error) FROM store_notifications WHERE state <> 'processed'"
            )
            #expect(unapplied == [], "seed \(seed)")
            try await bills(shop, seed)
            kept.keep(told)
        }
        return kept.lines
    }

    private static func walk(_ way: Way, _ number: Int, isDisturbed: Bool, _ shop: PaymentSite) async throws {
        let customer = UUID()
        let name = "c\(String(number + 10_000))"
        _ = try await shop.site.pool.query(
            """
            INSERT INTO customers (id, app_id, key, external_id, created_at)
            VALUES (\(customer), \(shop.app), \(name), \(name), now())
            """
        )
        let opened = try await shop.site.backOffice.openCheckout(
            CheckoutRequest(
                productID: "pro",
                method: way.method,
                notificationURL: "https://shop.example.com/webhooks/\(way.method.store.rawValue)/shop"
            ),
            for: Customer.ID(customer),
            of: shop.app
        )
        guard way.pays else { return }
        try shop.pay(opened.checkout.number, by: way.method)
        var knobs = SimulatedAlipayKnobs()
        if isDisturbed, let trouble = way.trouble {
            switch (trouble, way.method.store) {
            case (.dropped, .wechat): shop.wechat.spoil(.dropped)
            case (.doubled, .wechat): shop.wechat.spoil(.twice)
            case (.delayed, .wechat): shop.wechat.spoil(.delayed(300))
            case (.forged, .wechat): shop.wechat.spoil(.otherKey)
            case (.dropped, _): knobs.isDropping = true
            case (.doubled, _): knobs.copies = 2
            // Sent with one that comes later.
            case (.delayed, _): return
            case (.forged, _): knobs.isForged = true
            }
        }
        shop.alipay.set(knobs)
        await shop.deliver()
    }

    /// The bills of the day have what the books have.
    private static func bills(_ shop: PaymentSite, _ seed: UInt64) async throws {
        shop.advance(by: 2 * 86_400)
        _ = try await shop.site.backOffice.scheduleBills()
        for _ in 0..<6 { try await shop.query() }
        let billed = try await shop.site.lines(
            "SELECT store || ' ' || sum(rows) FROM daily_bills WHERE state = 'compared' GROUP BY store ORDER BY store"
        )
        let booked = try await shop.site.lines(
            "SELECT store || ' ' || count(*) FROM orders GROUP BY store ORDER BY store"
        )
        #expect(billed == booked && billed.count == 2, "seed \(seed)")
        #expect(try await shop.site.lines("SELECT kind FROM bill_differences") == [], "seed \(seed)")
    }

    private static func lines(_ shop: PaymentSite) async throws -> [String] {
        try await shop.site.lines(
            """
            SELECT concat_ws(' ', c.external_id, k.method, k.state, k.close_reason, o.kind, o.status, o.amount, (
                    SELECT string_agg(t.kind || ' ' || t.amount, ', ' ORDER BY t.occurred_at)
                    FROM ledger_entries t
                    WHERE t.order_id = o.id), (
                    SELECT string_agg(round(extract(epoch FROM a.starts_at - k.created_at)) || '-'
                        || round(extract(epoch FROM a.ends_at - k.created_at)), ', ')
                    FROM access_periods a
                    WHERE a.transaction_id = k.transaction_id AND a.retired_at IS NULL))
            FROM checkouts k
            JOIN customers c ON c.id = k.customer_id
            LEFT JOIN orders o ON o.app_id = k.app_id AND o.store = k.store AND o.transaction_id = k.transaction_id
            ORDER BY c.external_id
            """
        )
    }
}

/// The end of a run.
private final class Kept: Sendable {
    private let state = Mutex<[String]>([])

    var lines: [String] { state.withLock(\.self) }

    func keep(_ lines: [String]) { state.withLock { $0 = lines } }
}
