import APITypes
import HTTP
import HTTPTypes
import Operations
package import Storage

extension DashboardPath {
    /// The payments that wait for people.
    package static let checkouts = "/dashboard/checkouts"

    package static func closing(of checkout: Checkout.ID) -> String { "\(checkouts)/\(checkout)/closing" }

    /// The page that asks before a payment is marked as seen to.
    package static func newClosing(of checkout: Checkout.ID, from: String? = nil) -> String {
        var query = QueryText()
        query.add("from", from)
        return "\(closing(of: checkout))/new\(query.text)"
    }
}
