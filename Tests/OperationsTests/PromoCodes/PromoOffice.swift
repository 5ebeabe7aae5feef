import Billing
import Foundation
import Operations
import Postgres
import Storage
import TestSupport
import Testing

/// An office with a secret, whose admin makes promo codes and whose customers redeem them.
struct PromoOffice: Sendable {
    let office: TestOffice
    let backOffice: BackOffice
    let app: App.ID
    let ada: Caller

    var clock: TestClock { office.clock }

    static func run(_ body: (PromoOffice) async throws -> Void) async throws {
        try await TestOffice.run { office in
            try await body(
                PromoOffice(
                    office: office,
                    backOffice: office.anotherServer(secret: TestOffice.secret),
                    app: try await office.app(),
                    ada: try await office.staff("ada@example.com", .admin)
                )
            )
        }
    }

    /// Makes a batch of PRO for 30 days.
    func batch(
        codes: Int = 1,
        uses: Int = 1,
        perCustomer: Int = 1,
        startsIn start: TimeInterval? = nil,
        expiresIn end: TimeInterval? = nil,
        key: IdempotencyKey? = nil
    ) async throws -> PromoBatch.ID {
        let now = clock.read()
        let wanted = try NewPromoBatch(
            name: "Spring fair",
            channel: "fair",
            plan: "PRO",
            days: "30",
            codes: "\(codes)",
            usesPerCode: "\(uses)",
            usesPerCustomer: "\(perCustomer)",
            startsAt: start.map(now.addingTimeInterval),
            expiresAt: end.map(now.addingTimeInterval),
            now: now
        )
        let outcome = try await backOffice.makePromoBatch(wanted, of: app, key: key, caller: ada)
        return try #require(PromoBatch.ID(outcome.result))
    }

    /// Returns the codes of a batch as they are printed.
    func codes(_ batch: PromoBatch.ID, limit: Int = 100) async throws -> [String] {
        try await backOffice.promoCodes(of: batch, after: 0, limit: limit).map(\.code.grouped)
    }

    func session(_ name: String) async throws -> CustomerSession {
        try await UsageOffice.session(name, office)
    }

    @discardableResult
    func redeem(
        _ code: String,
        _ session: CustomerSession,
        key: String? = nil,
        from address: String? = "192.0.2.1"
    ) async throws -> PromoRedemptionAnswer {
        try await backOffice.redeemPromoCode(
            code,
            key: try key.map { try IdempotencyKey($0, of: session.customer.uuid, for: [code]) },
            from: address,
            for: session,
            caller: Caller(.customer(session.customer), actor: "customer", address: address)
        )
    }

    /// Returns the reason why a code gives nothing.
    func refusal(
        _ code: String,
        _ session: CustomerSession,
        from address: String? = "192.0.2.1"
    ) async -> PromoRefusal? {
        let error = await #expect(throws: OperationsError.self) { try await redeem(code, session, from: address) }
        return error?.underlying as? PromoRefusal
    }
}
