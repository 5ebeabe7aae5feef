import Billing
import HTTP
import HTTPTypes
import Operations
package import Storage

extension DashboardPath {
    package static let appKeys = "/dashboard/app-keys"
    /// The form for a new one.
    package static let newAppKey = appKeys + "/new"

    /// The page that asks before one is revoked.
    package static func appKeyRevocation(of key: AppKey.ID) -> String { "\(appKeys)/\(key)/revocation" }
}
