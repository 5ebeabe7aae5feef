package import Foundation

/// The usage in one window and the plan's limit of it.
package struct WindowUsage: Hashable, Sendable, Codable {
    package var window: UsageWindow
    package var used: Int64
    /// nil for none.
    package var limit: Int64?
    /// The beginning of the next window; nil for a lifetime.
    package var resetsAt: Date?

    package init(window: UsageWindow, used: Int64, limit: Int64?, resetsAt: Date?) {
        (self.window, self.used, self.limit, self.resetsAt) = (window, used, limit, resetsAt)
    }

    /// Zero where more was counted than the limit allows: offline, or under another plan. nil without a limit.
    package var remaining: Int64? {
        limit.map { limit in limit > used ? limit - max(0, used) : 0 }
    }
}

/// The usage of a feature in each window.
package struct UsageByWindow: Hashable, Sendable, Codable {
    /// The shortest first.
    package var windows: [WindowUsage]

    /// - Parameters:
    ///   - counter: nil if nothing was ever counted.
    ///   - ends: those of the current business day. A counter may be of a later day if another server's clock is ahead.
    package init(_ counter: UsageCounter?, limits: FeatureLimits, until ends: UsageWindowEnds) {
        let day = max(ends.today, counter?.day ?? ends.today)
        windows = zip(UsageWindow.allCases, ends.ends(with: day)).map { window, end in
            WindowUsage(
                window: window,
                used: counter?.used(in: window, on: day) ?? 0,
                limit: limits[window],
                resetsAt: end
            )
        }
    }

    /// The limited window with the least left, of equals the longest: how many can be counted now. nil without a limit.
    package var tightest: WindowUsage? {
        windows.filter { $0.limit != nil }.reversed().min { ($0.remaining ?? 0) < ($1.remaining ?? 0) }
    }

    /// The longest of the windows that have no room for `quantity`: until it is over, none is counted. nil where all have.
    package func reached(by quantity: Int64) -> WindowUsage? {
        windows.last { window in
            guard let remaining = window.remaining else { return false }
            return quantity > remaining
        }
    }
}
