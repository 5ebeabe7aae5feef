import API
import APITypes
import Desk
import HTTP
import HTTPTypes
import Storage

extension RouteBuilder {
    /// Adds the calls that apps make for their customers.
    func addApps(_ controllers: Controllers) {
        let (tokens, subscription) = (controllers.api.tokens, controllers.api.customerSubscription)
        open(.get, Paths.keySet, TokensController.keySet, use: tokens.keySet)
        open(.post, Paths.refreshToken, TokensController.refresh, use: tokens.refresh)
        customer(.post, Paths.logOut, TokensController.logOut, use: tokens.logOut)
        let sessions = controllers.api.customerSessions
        customer(.get, Paths.customerSessions, CustomerSessionsController.list, use: sessions.index)
        customer(.delete, Paths.customerSessions, CustomerSessionsController.endOthers, use: sessions.deleteOthers)
        customer(.delete, Paths.customerSession("{id}"), CustomerSessionsController.end, use: sessions.delete)
        addAccounts(controllers.api.signIn, controllers.api.customerAccount)
        let entitlements = controllers.api.entitlements
        customer(.get, Paths.entitlements, EntitlementsController.all, withUsage: true, use: entitlements.index)
        customer(
            .get,
            Paths.entitlement("{feature}"),
            EntitlementsController.one,
            withUsage: true,
            use: entitlements.show
        )
        customer(
            .get,
            Paths.subscriptionStatus,
            CustomerSubscriptionController.status,
            use: subscription.show
        )
        customer(.post, Paths.verifyReceipt, CustomerSubscriptionController.verify, use: subscription.verify)
        customer(.post, Paths.restorePurchases, CustomerSubscriptionController.restore, use: subscription.restore)
        addTrials(controllers.api.trials)
        addUsage(controllers.api.usage, controllers.api.usageReservations)
        let promoCodes = controllers.api.promoCodeRedemptions
        customer(.post, Paths.redeemPromoCode, PromoCodesController.redeem, use: promoCodes.redeem)
        let checkouts = controllers.api.checkouts
        customer(.post, Paths.paymentOrders, CheckoutController.open, use: checkouts.open)
        customer(.get, Paths.paymentOrder("{number}"), CheckoutController.show, use: checkouts.show)
        visitor(.get, Paths.paywall, OffersController.paywall, use: controllers.api.offers.paywall)
        addIOS(controllers.api.ios, controllers.api.offers)
        addPayments(controllers.api.payments, controllers.api.offers)
    }

    private func addTrials(_ trials: TrialController) {
        customer(.get, Paths.trialEligibility, TrialController.eligibility, use: trials.showEligibility)
        customer(.get, Paths.trialStatus, TrialController.status, use: trials.show)
        customer(.post, Paths.startTrial, TrialController.start, use: trials.start)
    }

    /// As the lightgallery document has them.
    private func addAccounts(_ signIn: SignInController, _ account: CustomerAccountController) {
        open(.post, Paths.oauthExchange, SignInController.exchange, use: signIn.exchange)
        customer(
            .delete,
            Paths.account,
            CustomerAccountController.delete,
            orElse: account.deletedBefore,
            use: account.delete
        )
        customer(.get, Paths.userProfile, CustomerAccountController.profile, use: account.show)
        customer(.put, Paths.userProfile, CustomerAccountController.update, use: account.update)
    }

    private func addUsage(_ usage: UsageController, _ reservations: UsageReservationsController) {
        customer(.get, Paths.currentUsage, UsageController.current, withUsage: true, use: usage.show)
        customer(.post, Paths.usageBatch, UsageController.batch, use: usage.batch)
        customer(.post, Paths.usage(of: "{feature}"), UsageController.count, use: usage.count)
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

    /// As the llm-proxy document has them.
    private func addIOS(_ ios: IOSController, _ offers: OffersController) {
        customer(.post, Paths.validateReceipt, IOSController.validate, use: ios.validate)
        customer(.get, Paths.iosStatus, IOSController.status, use: ios.show)
        customer(.post, Paths.iosRestore, IOSController.restore, use: ios.restore)
        open(.get, Paths.iosPlans, OffersController.plans, use: offers.plans)
    }

    /// As the lightgallery document has them.
    private func addPayments(_ payments: PaymentController, _ offers: OffersController) {
        open(.get, Paths.subscriptionProducts, OffersController.products, use: offers.products)
        customer(.get, Paths.currentSubscription, PaymentController.status, use: payments.show)
        customer(.post, Paths.verifyPayment, PaymentController.verify, use: payments.verify)
        customer(.post, Paths.syncSubscription, PaymentController.sync, use: payments.sync)
        customer(.post, Paths.cancelSubscription, PaymentController.cancel, use: payments.cancel)
    }

    /// Adds the calls that apps' own servers make.
    func addAppServers(_ servers: AppServerController, _ usage: AppServerUsageController) {
        appServer(
            .get,
            Paths.appCustomer("{externalId}"),
            needs: .readCustomers,
            AppServerController.one,
            use: servers.show
        )
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
        appServer(
            .post,
            Paths.customerUsage,
            needs: .writeUsage,
            AppServerUsageController.batch,
            use: usage.batch
        )
        let counted = Paths.usage(of: "{feature}", ofCustomer: "{externalId}")
        let reservation = counted + "/reservations/{id}"
        appServer(.post, counted, needs: .writeUsage, AppServerUsageController.count, use: usage.count)
        appServer(
            .post,
            counted + "/reservations",
            needs: .writeUsage,
            AppServerUsageController.reserve,
            use: usage.reserve
        )
        appServer(
            .post,
            reservation + "/settle",
            needs: .writeUsage,
            AppServerUsageController.settle,
            use: usage.settle
        )
        appServer(.delete, reservation, needs: .writeUsage, AppServerUsageController.release, use: usage.release)
    }

    func addSeats(_ seats: AppServerSeatsController) {
        let all = Paths.seats(ofCustomer: "{externalId}")
        appServer(.get, all, needs: .writeSeats, AppServerSeatsController.list, use: seats.index)
        appServer(.post, all, needs: .writeSeats, AppServerSeatsController.claim, use: seats.create)
        appServer(
            .delete,
            Paths.seat("{id}", ofCustomer: "{externalId}"),
            needs: .writeSeats,
            AppServerSeatsController.end,
            use: seats.end
        )
    }
}
