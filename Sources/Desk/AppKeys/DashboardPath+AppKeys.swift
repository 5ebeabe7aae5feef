import Billing
import HTTPTypes
import Operations
package import Storage
import HTTP

extension DashboardPath {
    package static let appKeys = "/dashboard/app-keys"
    /// The form for a new one.
    package static let newAppKey = appKeys + "/new"

    /// The page that asks before one is revoked.
    package static func appKeyRevocation(of key: AppKey.ID) -> String { "\(appKeys)/\(key)/revocation" }
}
