import Billing
import Storage

extension BackOffice {
    /// Gives a few of the demo's customers whose subscriptions ended something from staff.
    package func giveDemoGrants(app slug: String) async throws {
        let (app, customers) = try await database.readPrimary {
            try await $0.entitlementSources.lapsedCustomers(of: slug, limit: 3)
        }
        let reasons: [Reason] = [
            Reason(.goodwill, "The reader crashed all day; a week on us."),
            Reason(.testing, "Account of a beta tester."), Reason(.serviceFailure, "Sync lost their notes in March."),
        ]
        guard let app,
            let plan = try await database.readPrimary({ try await $0.entitlementSources.settings(of: app) })?.plans.last
        else { return }
        for (number, (customer, reason)) in zip(customers, reasons).enumerated() {
            _ = try await change(
                customer,
                of: app,
                .grant(plan: plan.plan.code, .days(7 + number * 30)),
                reason: reason,
                key: nil,
                version: nil,
                caller: .commandLine
            )
        }
    }
}
