import API
import APITypes
import Desk
import HTTP
import Hummingbird
import Operations

/// Everything that answers; the routes below are the site map.
struct Controllers: Sendable {
    let desk: DeskControllers
    let api: APIControllers
    let health: HealthController
    let assets: AssetFolder
}

extension RouteBuilder {
    func addRoutes(_ controllers: Controllers) {
        addDashboard(controllers)
        addMetrics(controllers)
        addCohorts(controllers.desk.cohorts)
        addServiceHealth(controllers.desk.serviceHealth)
        addQueues(controllers.desk.queues)
        addSync(controllers.desk.sync)
        addBills(controllers.desk.bills)
        addCheckouts(controllers.desk.checkouts)
        addStores(controllers.desk.stores)
        addIssuerSecrets(controllers.desk.issuerSecrets)
        addAppKeys(controllers.desk.appKeys)
        addApplePurchases(controllers.desk.applePurchases)
        addExternalPurchases(controllers.desk.externalPurchases)
        addRefunds(controllers.desk.refunds)
        addStaff(controllers.desk.staff)
        addAccess(controllers)
        addCustomers(controllers)
        addExtensions(controllers.desk.extensions)
        addPromoCodes(controllers.desk.promoCodes)
        addApps(controllers)
        addAppServers(controllers.api.appServer, controllers.api.appServerUsage)
        addSeats(controllers.api.appServerSeats)
        addPrograms(controllers)
        addOperator(controllers)
        counted(.get, SitePath.pay + "/{order}", use: controllers.desk.pay.show)
    }

    private func addDashboard(_ controllers: Controllers) {
        add(.get, SitePath.root, for: .open) { _, _ in .seeOther(DashboardPath.home) }
        add(.get, DashboardPath.signIn, for: .open, use: controllers.desk.sessions.new)
        add(.post, DashboardPath.signIn, for: .open, use: controllers.desk.sessions.create)
        staff(.post, DashboardPath.signOut, needs: nil, use: controllers.desk.sessions.delete)
        add(.get, DashboardPath.help, for: .open, use: controllers.desk.help.show)
        staff(.get, DashboardPath.preferences, needs: nil, use: controllers.desk.preferences.show)
        staff(.post, DashboardPath.preferences, needs: nil, use: controllers.desk.preferences.update)
        staff(.post, DashboardPath.app, needs: nil, use: controllers.desk.preferences.chooseApp)
        staff(.get, DashboardPath.orders, needs: .viewOrders, use: controllers.desk.orders.index)
        staff(.get, DashboardPath.orders + "/{number}", needs: .viewOrders, use: controllers.desk.orders.show)
        staff(.get, DashboardPath.notifications, needs: .viewNotifications, use: controllers.desk.notifications.index)
        staff(
            .get,
            DashboardPath.notifications + "/{id}",
            needs: .viewNotifications,
            use: controllers.desk.notifications.show
        )
        let notification = DashboardPath.notifications + "/{id}"
        staff(
            .get,
            notification + "/replays/new",
            needs: .replayNotifications,
            use: controllers.desk.notifications.newReplay
        )
        staff(.post, notification + "/replays", needs: .replayNotifications, use: controllers.desk.notifications.replay)
    }

    private func addPrograms(_ controllers: Controllers) {
        add(.post, Paths.appleNotifications, for: .store, use: controllers.api.appleNotifications.create)
        add(.post, Paths.appleAccount, for: .store, use: controllers.api.appleAccount.create)
        add(.post, Paths.iosWebhook, for: .store, use: controllers.api.appleNotifications.create)
        add(.post, Paths.notifications(of: "{store}"), for: .store, use: controllers.api.storeNotifications.create)
        add(
            .post,
            Paths.notifications(of: "{store}", for: "{app}"),
            for: .store,
            use: controllers.api.storeNotifications.create
        )
        counted(
            .get,
            Paths.paymentReturn(from: "{store}", to: "{app}"),
            use: controllers.api.paymentReturns.show
        )
        token(
            .get,
            Paths.orders,
            needs: .useAdminAPI,
            AdminOrdersController.list,
            use: controllers.api.adminOrders.index
        )
        token(
            .get,
            Paths.order("{id}"),
            needs: .useAdminAPI,
            AdminOrdersController.one,
            use: controllers.api.adminOrders.show
        )
        addAdminRefunds(controllers.api.adminRefunds)
        addAdminDesk(controllers.api.adminDesk)
        addAdminMetrics(controllers.api.adminMetrics)
        addAdminQueues(controllers.api.adminQueues)
        addAdminReconciliations(controllers.api.adminReconciliations)
        addAdminBills(controllers.api.adminBills)
        addAdminStores(controllers.api.adminStores, controllers.api.adminApplePurchases)
        addAdminExternalPurchases(controllers.api.adminExternalPurchases)
        addAdminExtensions(controllers.api.adminExtensions)
        addAdminPromoCodes(controllers.api.adminPromoCodes)
        add(.get, Paths.openAPI, for: .open, use: APIDocument(map.operations).show)
        add(.get, SitePath.docs, for: .open, use: controllers.desk.reference.index)
        add(.get, SitePath.docs + "/{tag}", for: .open, use: controllers.desk.reference.show)
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
