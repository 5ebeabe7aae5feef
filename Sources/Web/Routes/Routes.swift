import API
import APITypes
import Desk
import HTTP
import Hummingbird
import Operations

/// Everything that answers; the routes below are the site map.
struct Controllers: Sendable {
    let sessions: SessionsController
    let staff: StaffControllers
    let help: HelpController
    let reference: APIReferenceController
    let preferences: PreferencesController
    let metrics: MetricsController
    let subscribers: SubscribersController
    let cohorts: CohortsController
    let usageMetrics: UsageMetricsController
    let serviceHealth: ServiceHealthController
    let orders: OrdersController
    let refunds: RefundsController
    let find: FindController
    let exports: ExportsController
    let views: ViewsController
    let customers: CustomersController
    let usageActions: UsageActionsController
    let subscriptions: SubscriptionsController
    let extensions: ExtensionsController
    let promoCodes: PromoBatchesController
    let notifications: NotificationsController
    let queues: QueuesController
    let sync: SyncController
    let stores: StoresController
    let issuerSecrets: IssuerSecretsController
    let appKeys: AppKeysController
    let applePurchases: ApplePurchasesController
    let externalPurchases: ExternalPurchasesController
    let access: AccessController
    let bulk: BulkController
    let adminOrders: AdminOrdersController
    let adminRefunds: AdminRefundsController
    let adminDesk: AdminDeskControllers
    let adminMetrics: AdminMetricsController
    let adminQueues: AdminQueuesController
    let adminReconciliations: AdminReconciliationsController
    let adminStores: AdminStoresController
    let adminApplePurchases: AdminApplePurchasesController
    let adminExternalPurchases: AdminExternalPurchasesController
    let adminExtensions: AdminExtensionsController
    let adminPromoCodes: AdminPromoCodesController
    let tokens: TokensController
    let customerSessions: CustomerSessionsController
    let signIn: SignInController
    let customerAccount: CustomerAccountController
    let entitlements: EntitlementsController
    let appServer: AppServerController
    let appServerUsage: AppServerUsageController
    let customerSubscription: CustomerSubscriptionController
    let trials: TrialController
    let usage: UsageController
    let usageReservations: UsageReservationsController
    let promoCodeRedemptions: PromoCodesController
    let ios: IOSController
    let payments: PaymentController
    let offers: OffersController
    let appleNotifications: AppleNotificationController
    let appleAccount: AppleAccountController
    let storeNotifications: StoreNotificationController
    let health: HealthController
    let assets: AssetFolder
}

extension RouteBuilder {
    func addRoutes(_ controllers: Controllers) {
        addDashboard(controllers)
        addMetrics(controllers)
        addCohorts(controllers.cohorts)
        addServiceHealth(controllers.serviceHealth)
        addQueues(controllers.queues)
        addSync(controllers.sync)
        addStores(controllers.stores)
        addIssuerSecrets(controllers.issuerSecrets)
        addAppKeys(controllers.appKeys)
        addApplePurchases(controllers.applePurchases)
        addExternalPurchases(controllers.externalPurchases)
        addRefunds(controllers.refunds)
        addStaff(controllers.staff)
        addAccess(controllers)
        addCustomers(controllers)
        addExtensions(controllers.extensions)
        addPromoCodes(controllers.promoCodes)
        addApps(controllers)
        addAppServers(controllers.appServer, controllers.appServerUsage)
        addPrograms(controllers)
        addOperator(controllers)
    }

    private func addDashboard(_ controllers: Controllers) {
        add(.get, SitePath.root, for: .open) { _, _ in .seeOther(DashboardPath.home) }
        add(.get, DashboardPath.signIn, for: .open, use: controllers.sessions.new)
        add(.post, DashboardPath.signIn, for: .open, use: controllers.sessions.create)
        staff(.post, DashboardPath.signOut, needs: nil, use: controllers.sessions.delete)
        add(.get, DashboardPath.help, for: .open, use: controllers.help.show)
        staff(.get, DashboardPath.preferences, needs: nil, use: controllers.preferences.show)
        staff(.post, DashboardPath.preferences, needs: nil, use: controllers.preferences.update)
        staff(.post, DashboardPath.app, needs: nil, use: controllers.preferences.chooseApp)
        staff(.get, DashboardPath.orders, needs: .viewOrders, use: controllers.orders.index)
        staff(.get, DashboardPath.orders + "/{number}", needs: .viewOrders, use: controllers.orders.show)
        staff(.get, DashboardPath.notifications, needs: .viewNotifications, use: controllers.notifications.index)
        staff(
            .get,
            DashboardPath.notifications + "/{id}",
            needs: .viewNotifications,
            use: controllers.notifications.show
        )
        let notification = DashboardPath.notifications + "/{id}"
        staff(
            .get,
            notification + "/replays/new",
            needs: .replayNotifications,
            use: controllers.notifications.newReplay
        )
        staff(.post, notification + "/replays", needs: .replayNotifications, use: controllers.notifications.replay)
    }

    private func addPrograms(_ controllers: Controllers) {
        add(.post, Paths.appleNotifications, for: .store, use: controllers.appleNotifications.create)
        add(.post, Paths.appleAccount, for: .store, use: controllers.appleAccount.create)
        add(.post, Paths.iosWebhook, for: .store, use: controllers.appleNotifications.create)
        add(.post, Paths.notifications(of: "{store}"), for: .store, use: controllers.storeNotifications.create)
        token(.get, Paths.orders, needs: .useAdminAPI, AdminOrdersController.list, use: controllers.adminOrders.index)
        token(
            .get,
            Paths.order("{id}"),
            needs: .useAdminAPI,
            AdminOrdersController.one,
            use: controllers.adminOrders.show
        )
        addAdminRefunds(controllers.adminRefunds)
        addAdminDesk(controllers.adminDesk)
        addAdminMetrics(controllers.adminMetrics)
        addAdminQueues(controllers.adminQueues)
        addAdminReconciliations(controllers.adminReconciliations)
        addAdminStores(controllers.adminStores, controllers.adminApplePurchases)
        addAdminExternalPurchases(controllers.adminExternalPurchases)
        addAdminExtensions(controllers.adminExtensions)
        addAdminPromoCodes(controllers.adminPromoCodes)
        add(.get, Paths.openAPI, for: .open, use: APIDocument(map.operations).show)
        add(.get, SitePath.docs, for: .open, use: controllers.reference.index)
        add(.get, SitePath.docs + "/{tag}", for: .open, use: controllers.reference.show)
    }

    private func addOperator(_ controllers: Controllers) {
        add(.get, SitePath.health, for: .open) { _, _ in .text("ok\n") }
        add(.get, SitePath.readiness, for: .open, use: controllers.health.readiness)
        add(.get, SitePath.metrics, for: .operatorOnly, use: controllers.health.metrics)
        add(.get, SitePath.favicon, for: .open) { request, _ in
            guard let icon = controllers.assets.icon(for: request) else {
                throw WebError(.notFound, "There is no such file.")
            }
            return icon
        }
        add(.get, SitePath.assets + "/**", for: .open) { request, context in
            let name = context.parameters.getCatchAll().joined(separator: "/")
            guard let asset = controllers.assets.response(name, to: request) else {
                throw WebError(.notFound, "There is no such file.")
            }
            return asset
        }
    }
}
