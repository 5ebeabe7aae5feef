import Billing
import Foundation
import Hummingbird
import Operations
import Storage
import HTTP

extension DashboardPath {
    static let bulk = "/dashboard/bulk"

    static func bulkJob(_ id: BulkJob.ID) -> String { "\(bulk)/\(id)" }

    /// Where an action for a customer is posted.
    static func actions(_ action: AccessAction, of customer: Customer.ID) -> String {
        "\(self.customer(customer))/\(action.rawValue)"
    }

    /// The form of an action for a customer.
    static func newAction(_ action: AccessAction, of customer: Customer.ID) -> String {
        actions(action, of: customer) + "/new"
    }
}
