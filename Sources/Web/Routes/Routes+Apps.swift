import APITypes
import HTTPTypes

extension RouteBuilder {
    /// What apps call for their customers.
    func addApps(_ controllers: Controllers) {
        let (tokens, subscription) = (controllers.tokens, controllers.customerSubscription)
        open(.get, Paths.keySet, TokensController.keySet, use: tokens.keySet)
        open(.post, Paths.refreshToken, TokensController.refresh, use: tokens.refresh)
        customer(.post, Paths.logOut, TokensController.logOut, use: tokens.logOut)
        customer(
            .get,
            Paths.subscriptionStatus,
            CustomerSubscriptionController.status,
            use: subscription.show
        )
        customer(.post, Paths.verifyReceipt, CustomerSubscriptionController.verify, use: subscription.verify)
        customer(.post, Paths.restorePurchases, CustomerSubscriptionController.restore, use: subscription.restore)
        customer(.get, Paths.currentUsage, UsageController.current, use: controllers.usage.show)
        customer(.post, Paths.usage(of: "{feature}"), UsageController.count, use: controllers.usage.count)
        let reservations = controllers.usageReservations
        customer(
            .post,
            Paths.usageReservations(of: "{feature}"),
            UsageReservationsController.reserve,
            use: reservations.reserve
        )
        customer(
            .post,
            Paths.settlement(ofUsageReservation: "{id}", of: "{feature}"),
            UsageReservationsController.settle,
            use: reservations.settle
        )
        customer(
            .delete,
            Paths.usageReservation("{id}", of: "{feature}"),
            UsageReservationsController.release,
            use: reservations.release
        )
    }
}
