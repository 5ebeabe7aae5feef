import Billing
import HTTP
import Operations
import Storage

extension UsageAction {
    /// The address that the form is posted to.
    func path(of customer: Customer.ID) -> String { "\(DashboardPath.customer(customer))/\(rawValue)" }

    /// True where the action changes something about the limit.
    func fits(_ meter: WindowMeter, for viewer: Viewer) -> Bool {
        switch self {
        case .raises: meter.usage.limit != nil
        case .restorations: meter.increase != nil
        // Support resets what begins anew by itself.
        case .resets: meter.usage.used > 0 && (viewer.role != .support || meter.usage.window != .lifetime)
        }
    }
}
