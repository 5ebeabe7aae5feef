import APITypes
import Billing
import HTTPTypes
import Operations
import Storage
import HTTP

extension DashboardPath {
    static let stores = "/dashboard/stores"
    /// What was bought under an order id of Apple.
    static let appleOrders = "/dashboard/stores/apple/orders"

    /// Where Apple is told whose a purchase is.
    static func accountToken(of subscription: Subscription.ID) -> String {
        "\(subscriptions)/\(subscription)/account-token"
    }

    /// Where a test notification of a store is asked for.
    static func tests(of store: Store) -> String { "\(stores)/\(store.rawValue)/tests" }

    /// What became of the newest.
    static func test(of store: Store, in environment: StoreEnvironment) -> String {
        "\(tests(of: store))/\(environment.rawValue)"
    }

    /// The form for a key.
    static func key(_ kind: StoreKey.Kind, of store: Store) -> String {
        "\(stores)/\(store.rawValue)/keys/\(kind.rawValue)"
    }

    static func keyRemoval(_ kind: StoreKey.Kind, of store: Store) -> String { "\(key(kind, of: store))/removal" }

    /// The form for a secret of the app's own login.
    static let issuerSecrets = "/dashboard/token-issuer/secrets"

    static func removal(of secret: StoredIssuerSecret.ID) -> String { "\(issuerSecrets)/\(secret)/removal" }
}
