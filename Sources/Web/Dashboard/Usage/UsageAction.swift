import Billing
import Foundation
import Operations
import Storage

/// What staff can do about a limit of a customer; each has its own form. The raw value is the resource of its path.
enum UsageAction: String, CaseIterable, Sendable {
    case raises = "limit-raises"
    case restorations = "limit-restorations"
    case resets = "usage-resets"

    /// Where the form is posted.
    func path(of customer: Customer.ID) -> String { "\(DashboardPath.customer(customer))/\(rawValue)" }

    /// Whether there is something to do about a limit.
    func fits(_ meter: WindowMeter, for viewer: Viewer) -> Bool {
        switch self {
        case .raises: meter.usage.limit != nil
        case .restorations: meter.increase != nil
        // Support resets what begins anew by itself.
        case .resets: meter.usage.used > 0 && (viewer.role != .support || meter.usage.window != .lifetime)
        }
    }
}

/// Which limit of a customer is meant.
struct UsageTarget: Hashable, Sendable {
    /// The feature's code.
    var feature: String
    var window: UsageWindow

    init(feature: String, window: UsageWindow) {
        (self.feature, self.window) = (feature, window)
    }

    /// As a form names it: `ai:day`.
    init?(form text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let window = UsageWindow(rawValue: String(parts[1])) else { return nil }
        self.init(feature: String(parts[0]), window: window)
    }

    var formValue: String { "\(feature):\(window.rawValue)" }
}
