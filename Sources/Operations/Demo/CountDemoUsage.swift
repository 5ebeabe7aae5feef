import Billing
import Foundation
import Storage

extension BackOffice {
    /// Counts what some of the demo's customers whose subscriptions ended used of two features in the last four weeks, and today nearly
    /// all that their plan allows.
    package func countDemoUsage(app slug: String) async throws {
        let (app, customers) = try await database.readPrimary {
            try await $0.entitlementSources.lapsedCustomers(of: slug, limit: 20)
        }
        guard let app else { return }
        let features = try await database.readPrimary { try await $0.usage.features(of: app) }
        guard Set(features.map(\.feature.code)).isSuperset(of: ["ai", "voice-chat"]) else { return }
        let now = database.now
        for (number, customer) in customers.enumerated() {
            guard let known = try await database.readPrimary({ try await $0.customer(customer, of: app) }) else {
                continue
            }
            for day in 1...27 {
                let moment = now.addingTimeInterval(-86_400 * Double(day))
                // safe: small numbers
                let (words, minutes) = (Int64((number * 7 + day * 3) % 6), Int64((number + day) % 4))
                if words > 0 { _ = try await count("ai", quantity: words, occurredAt: moment, for: known) }
                if minutes > 1 { _ = try await count("voice-chat", quantity: minutes, occurredAt: moment, for: known) }
            }
            // The plan that everybody has includes five a day.
            do {
                _ = try await count("ai", quantity: Int64(number % 3 + 3), for: known)
            } catch let error as OperationsError where error.underlying is UsageRefusal {
                continue
            }
        }
    }
}
