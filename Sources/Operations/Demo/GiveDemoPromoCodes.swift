import Billing
import Foundation
import Storage

extension BackOffice {
    /// Makes two batches of codes for the demo, and has some of its customers redeem codes of the first.
    package func giveDemoPromoCodes(app slug: String) async throws {
        let (app, customers) = try await database.readPrimary {
            try await $0.entitlementSources.lapsedCustomers(of: slug, limit: 60)
        }
        guard let app,
            let plan = try await database.readPrimary({ try await $0.entitlementSources.settings(of: app) })?.plans.last
        else { return }
        // A start that was cut short may have been here before.
        guard try await database.readPrimary({ try await $0.screens.promoChannels(of: app) }).isEmpty else { return }
        let now = database.now
        let batches = try [
            NewPromoBatch(
                name: "Back to school",
                channel: "newsletter",
                plan: plan.plan.code,
                days: "30",
                codes: "40",
                now: now
            ),
            NewPromoBatch(
                name: "Book fair in Shanghai",
                channel: "fair",
                plan: plan.plan.code,
                days: "14",
                codes: "200",
                expiresAt: now.addingTimeInterval(60 * 86_400),
                now: now
            ),
        ]
        var codes: [PromoCode] = []
        for (number, batch) in batches.enumerated() {
            let made = try await makePromoBatch(batch, of: app, key: nil, caller: .commandLine)
            guard number == 0, let id = PromoBatch.ID(made.result) else { continue }
            codes = try await promoCodes(of: id, after: 0, limit: 12).map(\.code)
        }
        for (customer, code) in zip(customers.suffix(codes.count), codes) {
            let session = try await demoSession(of: customer, app: app)
            guard let session else { continue }
            _ = try await redeemPromoCode(
                code.text,
                for: session,
                caller: Caller(.customer(customer), actor: "customer")
            )
        }
    }

    /// A session that lasts a day, as one that signs in with the app's own name has.
    private func demoSession(of customer: Customer.ID, app: App.ID) async throws -> CustomerSession? {
        let id = try await database.write { transaction in
            try await transaction.customerSessions.begin(
                .minted,
                for: customer,
                of: app,
                until: transaction.now.addingTimeInterval(86_400)
            )
        }
        return try await database.readPrimary { try await $0.customerSession(id) }
    }
}
