import APITypes
import Billing
import HTTPTypes
import Operations
import Storage

extension RouteBuilder {
    /// How the app is connected to its stores.
    func addStores(_ stores: StoresController) {
        let one = DashboardPath.stores + "/{store}"
        staff(.get, DashboardPath.stores, needs: .viewNotifications, use: stores.index)
        staff(.post, one + "/tests", needs: .connectStores, use: stores.createTest)
        staff(.get, one + "/tests/{environment}", needs: .viewNotifications, use: stores.showTest)
        let key = one + "/keys/{kind}"
        staff(.get, key, needs: .connectStores, requiresReauthentication: true, use: stores.newKey)
        staff(
            .post,
            key,
            needs: .connectStores,
            requiresReauthentication: true,
            takesFiles: true,
            use: stores.createKey
        )
        staff(.get, key + "/removal", needs: .connectStores, requiresReauthentication: true, use: stores.newRemoval)
        staff(.post, key + "/removal", needs: .connectStores, requiresReauthentication: true, use: stores.createRemoval)
    }

    /// The secrets that the app's own login signs its tokens with.
    func addIssuerSecrets(_ secrets: IssuerSecretsController) {
        let (all, removal) = (DashboardPath.issuerSecrets, DashboardPath.issuerSecrets + "/{id}/removal")
        staff(.get, all, needs: .connectStores, requiresReauthentication: true, use: secrets.new)
        // As a form with files is: what is typed is not kept for after the sign-in.
        staff(
            .post,
            all,
            needs: .connectStores,
            requiresReauthentication: true,
            takesFiles: true,
            use: secrets.create
        )
        staff(.get, removal, needs: .connectStores, requiresReauthentication: true, use: secrets.newRemoval)
        staff(.post, removal, needs: .connectStores, requiresReauthentication: true, use: secrets.createRemoval)
    }

    /// What Apple is asked about purchases, and told.
    func addApplePurchases(_ purchases: ApplePurchasesController) {
        staff(.get, DashboardPath.appleOrders, needs: .viewOrders, use: purchases.showOrder)
        let token = DashboardPath.subscriptions + "/{id}/account-token"
        staff(.get, token, needs: .changeAccess, use: purchases.newAccountToken)
        staff(.post, token, needs: .changeAccess, use: purchases.createAccountToken)
    }

    /// The same for programs.
    func addAdminStores(_ stores: AdminStoresController, _ purchases: AdminApplePurchasesController) {
        token(.post, Paths.appleTest, needs: .connectStores, AdminStoresController.test, use: stores.test)
        token(
            .get,
            Paths.appleOrder("{order}"),
            needs: .viewOrders,
            AdminApplePurchasesController.order,
            use: purchases.show
        )
        token(
            .post,
            Paths.appleAccountTokens,
            needs: .changeAccess,
            AdminApplePurchasesController.accountToken,
            use: purchases.setAccountToken
        )
    }
}

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
