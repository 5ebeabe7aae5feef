package import Billing
import Operations
import Storage

/// An action of staff on a customer's limit; each has its own form. The raw value is the resource of its path.
package enum UsageAction: String, CaseIterable, Sendable {
    case raises = "limit-raises"
    case restorations = "limit-restorations"
    case resets = "usage-resets"
}

/// The limit of a customer that an action is about.
package struct UsageTarget: Hashable, Sendable {
    /// The feature's code.
    package var feature: String
    package var window: UsageWindow

    package init(feature: String, window: UsageWindow) {
        (self.feature, self.window) = (feature, window)
    }

    /// As a form names it: `ai:day`.
    package init?(form text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let window = UsageWindow(rawValue: String(parts[1])) else { return nil }
        self.init(feature: String(parts[0]), window: window)
    }

    package var formValue: String { "\(feature):\(window.rawValue)" }
}
