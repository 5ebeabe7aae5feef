import Billing
import Foundation
import Storage

extension BackOffice {
    /// Counts what some of the demo's customers whose subscriptions ended used of an app's features in the last four weeks, and today: some
    /// a little, some nearly all that their plan allows.
    package func countDemoUsage(app slug: String) async throws {
        let (app, customers) = try await database.readPrimary {
            try await $0.entitlementSources.lapsedCustomers(of: slug, limit: 20)
        }
        guard let app else { return }
        let features = Set(try await database.readPrimary { try await $0.usage.features(of: app) }.map(\.feature.code))
        let now = database.now
        for (number, customer) in customers.enumerated() {
            guard let known = try await database.readPrimary({ try await $0.customer(customer, of: app) }) else {
                continue
            }
            for use in DemoUse.all where features.contains(use.feature) {
                for day in 1...27 {
                    let quantity = use.quantity(of: number, daysAgo: day)
                    guard quantity > 0 else { continue }
                    let moment = now.addingTimeInterval(-86_400 * Double(day))
                    _ = try await count(use.feature, quantity: quantity, occurredAt: moment, for: known)
                }
                do {
                    let today = use.today(of: number)
                    if today > 0 { _ = try await count(use.feature, quantity: today, for: known) }
                } catch let error as OperationsError where error.underlying is UsageRefusal {
                    continue
                }
            }
        }
    }
}

/// The use of a feature by the demo's customers, in units of the feature.
private struct DemoUse {
    var feature: String
    /// The largest number of one day, which the plan that everybody has includes.
    var most: Int
    /// The share of days without any, as one of so many.
    var pause: Int

    static let all = [
        DemoUse(feature: "ai", most: 5, pause: 6), DemoUse(feature: "voice-chat", most: 3, pause: 2),
        DemoUse(feature: "outfits", most: 9, pause: 5),
    ]

    func quantity(of customer: Int, daysAgo day: Int) -> Int64 {
        // Spread as chance would, and the same each time.
        let place = UInt32(clamping: customer * 31 + day * 17 + 7)  // safe: at most 20 customers and 27 days
        let turn = Int((place &* 2_654_435_761) >> 16)
        return turn % pause == 0 ? 0 : Int64(turn % (most + 1))
    }

    /// Every fifth customer has nearly all, the others little.
    func today(of customer: Int) -> Int64 {
        Int64(customer % 5 == 0 ? most : customer % max(1, most - 1))  // safe: small numbers
    }
}
