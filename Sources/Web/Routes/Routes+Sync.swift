import API
import APITypes
import Desk
import HTTP
import HTTPTypes
import Operations
import Storage

extension RouteBuilder {
    /// Adds the pages of reconciliation: the questions to stores, and what was missing.
    func addSync(_ sync: SyncController) {
        staff(.get, DashboardPath.sync, needs: .viewNotifications, use: sync.index)
        staff(.post, DashboardPath.sync, needs: .replayNotifications, use: sync.create)
        staff(.get, DashboardPath.sync + "/{id}", needs: .viewNotifications, use: sync.show)
    }

    /// The same for programs.
    func addAdminReconciliations(_ reconciliations: AdminReconciliationsController) {
        token(
            .get,
            Paths.reconciliations,
            needs: .viewNotifications,
            AdminReconciliationsController.list,
            use: reconciliations.index
        )
    }
}
