import APITypes
import Billing
import Foundation
import HTTP
import Operations

extension CurrentUsage {
    init(_ usage: CustomerUsage) {
        self.init(
            planType: usage.plan,
            features: usage.features.map { Feature($0, usage.orderNumbers) },
            serverTime: usage.readAt
        )
    }
}

extension CurrentUsage.Feature {
    fileprivate init(_ feature: FeatureUsage, _ orders: [CreditBucket.ID: String]) {
        let shown = feature.usage.shown
        self.init(
            feature: feature.feature,
            included: feature.isIncluded,
            allowed: feature.remaining.map { $0 > 0 } ?? true,
            requiredPlan: feature.requiredPlan,
            window: shown.window,
            used: shown.used,
            limit: shown.limit,
            remaining: feature.remaining,
            resetsAt: shown.resetsAt,
            windows: feature.usage.windows.map(CurrentUsage.Window.init),
            credits: feature.credits.map { LeftCredits($0, at: feature.readAt, orders) }
        )
    }
}

extension UsageCount {
    init(_ answer: UsageAnswer) {
        let shown = answer.usage.shown
        self.init(
            feature: answer.feature,
            allowed: true,
            quantity: answer.quantity,
            offline: answer.isOffline,
            window: shown.window,
            used: shown.used,
            limit: shown.limit,
            remaining: shown.remaining,
            resetsAt: shown.resetsAt,
            windows: answer.usage.windows.map(CurrentUsage.Window.init),
            creditsSpent: answer.credits?.spent ?? 0,
            creditsLeft: answer.credits?.left
        )
    }
}

extension LeftCredits {
    /// - Parameter orders: the numbers of the orders.
    init(_ book: CreditBook, at now: Date, _ orders: [CreditBucket.ID: String]) {
        self.init(
            left: book.left(at: now),
            owed: book.owed(at: now),
            buckets: book.current(at: now).map { bucket in
                Bucket(
                    orderNumber: orders[bucket.id],
                    left: bucket.remaining,
                    granted: bucket.granted,
                    expiresAt: bucket.expiresAt
                )
            }
        )
    }
}

extension ReservedUsage {
    init(_ reservation: UsageReservation) {
        let shown = reservation.usage.shown
        self.init(
            id: reservation.id,
            feature: reservation.feature,
            quantity: reservation.quantity,
            expiresAt: reservation.expiresAt,
            window: shown.window,
            used: shown.used,
            limit: shown.limit,
            remaining: shown.remaining,
            resetsAt: shown.resetsAt,
            windows: reservation.usage.windows.map(CurrentUsage.Window.init)
        )
    }
}

extension CurrentUsage.Window {
    fileprivate init(_ window: WindowUsage) {
        self.init(
            window: window.window.rawValue,
            used: window.used,
            limit: window.limit,
            remaining: window.remaining,
            resetsAt: window.resetsAt
        )
    }
}

extension UsageByWindow {
    /// The window that stands for all: the one with the least left; without limits, the lifetime.
    fileprivate var shown: CurrentUsage.Window {
        let window = tightest ?? windows.last
        return window.map(CurrentUsage.Window.init)
            ?? CurrentUsage.Window(
                window: UsageWindow.lifetime.rawValue,
                used: 0,
                limit: nil,
                remaining: nil,
                resetsAt: nil
            )
    }
}
