import APITypes
import HTTPTypes
import Storage

extension RouteBuilder {
    /// What apps call for their customers.
    func addApps(_ controllers: Controllers) {
        let (tokens, subscription) = (controllers.tokens, controllers.customerSubscription)
        open(.get, Paths.keySet, TokensController.keySet, use: tokens.keySet)
        open(.post, Paths.refreshToken, TokensController.refresh, use: tokens.refresh)
        customer(.post, Paths.logOut, TokensController.logOut, use: tokens.logOut)
        let entitlements = controllers.entitlements
        customer(.get, Paths.entitlements, EntitlementsController.all, use: entitlements.index)
        customer(.get, Paths.entitlement("{feature}"), EntitlementsController.one, use: entitlements.show)
        customer(
            .get,
            Paths.subscriptionStatus,
            CustomerSubscriptionController.status,
            use: subscription.show
        )
        customer(.post, Paths.verifyReceipt, CustomerSubscriptionController.verify, use: subscription.verify)
        customer(.post, Paths.restorePurchases, CustomerSubscriptionController.restore, use: subscription.restore)
    }

    /// What apps' own servers call.
    func addAppServers(_ servers: AppServerController) {
        appServer(
            .post,
            Paths.customerEntitlements,
            needs: .readEntitlements,
            AppServerController.batch,
            use: servers.batch
        )
        appServer(
            .get,
            Paths.entitlements(ofCustomer: "{externalId}"),
            needs: .readEntitlements,
            AppServerController.entitlements,
            use: servers.entitlements
        )
        appServer(
            .post,
            Paths.tokens(ofCustomer: "{externalId}"),
            needs: .mintTokens,
            AppServerController.mint,
            use: servers.mint
        )
    }
}
