import APITypes
import Billing
import HTTP
import Operations

extension CurrentUsage {
    init(_ usage: CustomerUsage) {
        self.init(planType: usage.plan, features: usage.features.map(Feature.init), serverTime: usage.readAt)
    }
}

extension CurrentUsage.Feature {
    fileprivate init(_ feature: FeatureUsage) {
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
            windows: feature.usage.windows.map(CurrentUsage.Window.init)
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
            windows: answer.usage.windows.map(CurrentUsage.Window.init)
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
