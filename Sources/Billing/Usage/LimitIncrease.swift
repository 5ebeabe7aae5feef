package import Foundation

/// Staff's increase of a customer's limit of a feature in a window.
package struct LimitIncrease: Hashable, Sendable {
    /// On top of the plan's limit, whichever plan it is.
    package var amount: Int64
    /// nil for without end.
    package var until: Date?

    package init(amount: Int64, until: Date?) {
        (self.amount, self.until) = (amount, until)
    }

    package func holds(at now: Date) -> Bool { until.map { $0 > now } ?? true }
}

/// The increases of a customer's limits of one feature.
package struct LimitIncreases: Hashable, Sendable {
    package var day: LimitIncrease?
    package var month: LimitIncrease?
    package var lifetime: LimitIncrease?

    package init(day: LimitIncrease? = nil, month: LimitIncrease? = nil, lifetime: LimitIncrease? = nil) {
        (self.day, self.month, self.lifetime) = (day, month, lifetime)
    }

    package subscript(window: UsageWindow) -> LimitIncrease? {
        get {
            switch window {
            case .day: day
            case .month: month
            case .lifetime: lifetime
            }
        }
        set {
            switch window {
            case .day: day = newValue
            case .month: month = newValue
            case .lifetime: lifetime = newValue
            }
        }
    }

    /// The one that holds now; nil where none does.
    package func current(_ window: UsageWindow, at now: Date) -> LimitIncrease? {
        self[window].flatMap { $0.holds(at: now) ? $0 : nil }
    }
}

extension FeatureLimits {
    /// The limits with staff's increases. A window without a limit stays without.
    package func increased(by increases: LimitIncreases?, at now: Date) -> FeatureLimits {
        guard let increases else { return self }
        var limits = self
        for window in UsageWindow.allCases {
            guard let limit = limits[window], let increase = increases.current(window, at: now) else { continue }
            limits[window] = limit.plus(increase.amount)
        }
        return limits
    }
}
