import API
import APITypes
import Desk
import HTTP
import HTTPTypes
import Operations
import Storage

extension RouteBuilder {
    /// Purchases outside of a store, which are reported to it.
    func addExternalPurchases(_ purchases: ExternalPurchasesController) {
        let purchase = DashboardPath.externalPurchases + "/{id}"
        staff(.get, DashboardPath.externalPurchases, needs: .viewNotifications, use: purchases.index)
        staff(.get, purchase + "/reports/new", needs: .replayNotifications, use: purchases.newReport)
        staff(.post, purchase + "/reports", needs: .replayNotifications, use: purchases.report)
    }

    /// The same for programs.
    func addAdminExternalPurchases(_ purchases: AdminExternalPurchasesController) {
        token(
            .get,
            Paths.externalPurchases,
            needs: .viewNotifications,
            AdminExternalPurchasesController.list,
            use: purchases.index
        )
    }
}
