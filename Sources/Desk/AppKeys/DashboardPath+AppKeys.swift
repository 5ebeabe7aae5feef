import Billing
import HTTPTypes
import Operations
import Storage
import HTTP

extension DashboardPath {
    static let appKeys = "/dashboard/app-keys"
    /// The form for a new one.
    static let newAppKey = appKeys + "/new"

    /// The page that asks before one is revoked.
    static func appKeyRevocation(of key: AppKey.ID) -> String { "\(appKeys)/\(key)/revocation" }
}
