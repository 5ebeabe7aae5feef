import API
import APITypes
import Billing
import Desk
import HTTP
import HTTPTypes
import Operations
import Storage

extension RouteBuilder {
    /// Adds the pages that connect the app to its stores.
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

    /// Adds the questions to Apple about purchases, and the messages to it.
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
