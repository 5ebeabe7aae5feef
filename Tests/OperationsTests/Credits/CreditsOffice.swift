import Billing
import Foundation
import Operations
import Postgres
import Storage
import Testing

/// An office that sells credits: 50 scans for good, and 10 scans with each month of Pro. Of a `dream` no plan includes any; 5 come with
/// the 50 scans.
struct CreditsOffice: Sendable {
    let usage: UsageOffice
    /// The customer's, in the store's messages.
    let token: UUID

    var office: TestOffice { usage.office }

    static func run(_ body: (CreditsOffice) async throws -> Void) async throws {
        try await UsageOffice.run { usage in
            try await usage.office.pool.withConnection { try await $0.execute(script: products) }
            let token = UUID()
            let session = try await Self.session(of: token, usage.office)
            try await body(
                CreditsOffice(usage: UsageOffice(office: usage.office, session: session), token: token)
            )
        }
    }

    /// Returns a session of a new customer whose purchases carry the token.
    static func session(of token: UUID, _ office: TestOffice) async throws -> CustomerSession {
        try await UsageOffice.session(token.uuidString.lowercased(), office)
    }

    /// Today, among the days of the stores' messages.
    var today: Double { usage.clock.read().timeIntervalSince(.day(0)) / 86_400 }

    func bought(_ id: String, to buyer: UUID? = nil, quantity: Int = 1) -> StoreTransaction {
        var transaction = StoreTransaction.sold(id, of: id, from: today, to: today + 1, "scans", to: buyer ?? token)
        transaction.kind = .consumable
        transaction.expiresAt = nil
        transaction.quantity = quantity
        return transaction
    }

    /// Sells the 50 scans.
    func buy(_ id: String, to buyer: UUID? = nil, quantity: Int = 1) async throws {
        try await office.live(.told(.purchasedOnce, on: today, bought(id, to: buyer, quantity: quantity)))
    }

    /// Has the store give back a purchase of now, or a share of it.
    func refund(_ id: String, percent: Int? = nil) async throws {
        let transaction = bought(id).takenBack(on: today, percent: percent)
        try await office.live(.told(.refunded, on: today + 0.001, transaction))
    }

    /// Returns what is left and owed of a feature, as the app is told.
    func credits(_ feature: String = "scan") async throws -> [Int64] {
        let shown = try await usage.backOffice.usage(for: try await usage.current())
        let used = try #require(shown.features.first { $0.feature == feature })
        return [used.creditsLeft, used.credits?.owed(at: used.readAt) ?? 0]
    }

    /// Uses up what the plan has of scans today.
    func useUpPlan() async throws { try await usage.count("scan", 100) }

    private static let products = """
        INSERT INTO products (id, app_id, plan_id, store, store_product_id, name, created_at, updated_at)
        SELECT gen_random_uuid(), p.app_id, p.id, 'apple', 'com.readmigo.scans', '50 scans', now(), now()
        FROM plans p
        JOIN apps a ON a.id = p.app_id AND a.slug = 'readmigo'
        WHERE p.code = 'FREE';
        INSERT INTO product_credits (product_id, feature_id, amount)
        SELECT p.id, f.id, x.amount
        FROM (VALUES ('scans', 'scan', 50), ('scans', 'dream', 5), ('pro.monthly', 'scan', 10)) AS x (product, feature, amount)
        JOIN products p ON p.store_product_id = 'com.readmigo.' || x.product
        JOIN features f ON f.app_id = p.app_id AND f.code = x.feature;
        """
}
