import APITypes
package import Billing
import HTTP
import HTTPTypes
import Operations
package import Storage

extension DashboardPath {
    package static let stores = "/dashboard/stores"
    /// The purchases under an order id of Apple.
    package static let appleOrders = "/dashboard/stores/apple/orders"

    /// The address at which Apple is told whose a purchase is.
    package static func accountToken(of subscription: Subscription.ID) -> String {
        "\(subscriptions)/\(subscription)/account-token"
    }

    /// The address at which a test notification of a store is asked for.
    package static func tests(of store: Store) -> String { "\(stores)/\(store.rawValue)/tests" }

    /// The page of the newest test notification.
    package static func test(of store: Store, in environment: StoreEnvironment) -> String {
        "\(tests(of: store))/\(environment.rawValue)"
    }

    /// The form for a key.
    package static func key(_ kind: StoreKey.Kind, of store: Store) -> String {
        "\(stores)/\(store.rawValue)/keys/\(kind.rawValue)"
    }

    package static func keyRemoval(_ kind: StoreKey.Kind, of store: Store) -> String {
        "\(key(kind, of: store))/removal"
    }

    /// The form for a secret of the app's own login.
    package static let issuerSecrets = "/dashboard/token-issuer/secrets"

    package static func removal(of secret: StoredIssuerSecret.ID) -> String { "\(issuerSecrets)/\(secret)/removal" }
}
