import APITypes
import HTTP
import HTTPTypes
import Operations
package import Storage

extension DashboardPath {
    package static let sync = "/dashboard/sync"

    package static func reconciliation(_ id: Reconciliation.ID) -> String { "\(sync)/\(id)" }

    /// The notifications that one found missing.
    package static func notifications(foundBy id: Reconciliation.ID) -> String {
        NotificationFilter(reconciliation: id).path
    }
}
