import APITypes
import HTTPTypes
import Operations
import Storage
import HTTP

extension DashboardPath {
    static let sync = "/dashboard/sync"

    static func reconciliation(_ id: Reconciliation.ID) -> String { "\(sync)/\(id)" }

    /// The notifications that one found missing.
    static func notifications(foundBy id: Reconciliation.ID) -> String {
        NotificationFilter(reconciliation: id).path
    }
}
