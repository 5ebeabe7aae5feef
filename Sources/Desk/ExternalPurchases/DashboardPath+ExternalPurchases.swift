import APITypes
import HTTP
import HTTPTypes
import Operations
package import Storage

extension DashboardPath {
    package static let externalPurchases = "/dashboard/external-purchases"

    package static func reports(of purchase: ExternalPurchaseToken.ID) -> String {
        "\(externalPurchases)/\(purchase)/reports"
    }
    package static func newReport(of purchase: ExternalPurchaseToken.ID) -> String { reports(of: purchase) + "/new" }
}
