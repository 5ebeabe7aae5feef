package import Billing
import Foundation
package import HTTP
import Hummingbird
import Operations
package import Storage

extension DashboardPath {
    package static let bulk = "/dashboard/bulk"

    package static func bulkJob(_ id: BulkJob.ID) -> String { "\(bulk)/\(id)" }

    /// The address that an action for a customer is posted to.
    package static func actions(_ action: AccessAction, of customer: Customer.ID) -> String {
        "\(self.customer(customer))/\(action.rawValue)"
    }

    /// The form of an action for a customer.
    package static func newAction(_ action: AccessAction, of customer: Customer.ID) -> String {
        actions(action, of: customer) + "/new"
    }
}
