import APITypes
import HTTPTypes
import Operations
import Storage
import HTTP

extension DashboardPath {
    static let externalPurchases = "/dashboard/external-purchases"

    static func reports(of purchase: ExternalPurchaseToken.ID) -> String { "\(externalPurchases)/\(purchase)/reports" }
    static func newReport(of purchase: ExternalPurchaseToken.ID) -> String { reports(of: purchase) + "/new" }
}
