/// A plan's limits of a feature, by window; without any limit it is unlimited. All limits apply together.
package struct FeatureLimits: Hashable, Sendable, Codable {
    package var day: Int64?
    package var month: Int64?
    package var lifetime: Int64?

    package init(day: Int64? = nil, month: Int64? = nil, lifetime: Int64? = nil) {
        (self.day, self.month, self.lifetime) = (day, month, lifetime)
    }

    package static let unlimited = FeatureLimits()
    /// The values that a limit can have. A plan without a feature does not name it: there is no limit of 0.
    package static let possible: ClosedRange<Int64> = 1...1_000_000_000_000

    package subscript(window: UsageWindow) -> Int64? {
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
}

/// The time within which usage is counted against a limit. Raw values are what catalogue files say.
package enum UsageWindow: String, Hashable, Sendable, Codable, CaseIterable {
    /// A day of the app's business time zone.
    case day
    /// A calendar month of the app's business time zone.
    case month
    /// All time; it never begins again.
    case lifetime
}
