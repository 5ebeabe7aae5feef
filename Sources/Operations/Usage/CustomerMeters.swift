package import Billing
package import Foundation
import Storage

/// A customer's usage as staff see it: each feature of their app, window by window.
package struct CustomerMeters: Sendable {
    /// The code of the customer's plan; nil for an app without plans.
    package var plan: String?
    /// In the order of the app's catalogue.
    package var features: [FeatureMeter]
    /// The numbers of the orders that brought credits.
    package var orderNumbers: [Order.ID: String]
    package var readAt: Date

    package init(
        plan: String?,
        features: [FeatureMeter],
        orderNumbers: [Order.ID: String] = [:],
        readAt: Date
    ) {
        (self.plan, self.features, self.readAt) = (plan, features, readAt)
        self.orderNumbers = orderNumbers
    }
}

/// A customer's usage of a feature.
package struct FeatureMeter: Sendable {
    package var feature: CatalogFeature
    /// True if the customer's plan includes it.
    package var isIncluded: Bool
    /// The shortest first.
    package var windows: [WindowMeter]
    /// Their credits beside the plan; nil where they have none and owe none.
    package var credits: CreditBook?

    package init(feature: CatalogFeature, isIncluded: Bool, windows: [WindowMeter], credits: CreditBook? = nil) {
        (self.feature, self.isIncluded, self.windows) = (feature, isIncluded, windows)
        self.credits = credits
    }

    /// True if any usage of it was ever counted.
    package var isUsed: Bool { windows.contains { $0.usage.used > 0 } }
}

/// A customer's usage of a feature in one window.
package struct WindowMeter: Sendable {
    /// Includes staff's increase in the limit.
    package var usage: WindowUsage
    /// Staff's increase of the plan's limit, if it applies now.
    package var increase: LimitIncrease?
    /// Of the usage: the part that is reserved for operations under way.
    package var reserved: Int64
    /// Of the usage: the part that was counted offline, which no limit stopped.
    package var offline: Int64

    package init(usage: WindowUsage, increase: LimitIncrease? = nil, reserved: Int64 = 0, offline: Int64 = 0) {
        (self.usage, self.increase) = (usage, increase)
        (self.reserved, self.offline) = (reserved, offline)
    }

    /// True if usage exceeds the limit because some of it was counted offline.
    package var isOverByOffline: Bool { usage.limit.map { usage.used > $0 && offline > 0 } ?? false }
}

extension BackOffice {
    /// A customer's usage and limits, with the same values as their app gets; nil if the app has no such customer.
    package func meters(of customer: Customer.ID, app: App.ID) async throws -> CustomerMeters? {
        guard let known = try await database.readPrimary({ try await $0.customer(customer, of: app) }),
            let zone = try await apps.entry(for: app)?.timeZone
        else { return nil }
        let usage = try await usage(for: known)
        let today = BusinessDay(usage.readAt, in: zone)
        let details = try await database.readPrimary { try await $0.usage.details(of: customer, on: today) }
        let features = zip(usage.catalog.features, usage.features).map { record, feature in
            let (increases, detail) = (feature.increases, details[record.id])
            return FeatureMeter(
                feature: record.feature,
                isIncluded: feature.isIncluded,
                windows: feature.usage.windows.map { window in
                    WindowMeter(
                        usage: window,
                        increase: window.limit == nil ? nil : increases.current(window.window, at: usage.readAt),
                        reserved: detail?.reserved[window.window] ?? 0,
                        offline: detail?.offline[window.window] ?? 0
                    )
                },
                credits: feature.credits
            )
        }
        return CustomerMeters(
            plan: usage.plan,
            features: features,
            orderNumbers: usage.orderNumbers,
            readAt: usage.readAt
        )
    }
}
