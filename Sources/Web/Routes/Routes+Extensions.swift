import API
import APITypes
import Desk
import HTTP
import HTTPTypes
import Operations

extension RouteBuilder {
    /// Renewals that stores are asked to put off.
    func addExtensions(_ extensions: ExtensionsController) {
        let one = DashboardPath.subscriptions + "/{id}/extension"
        staff(.get, DashboardPath.extensions, needs: .viewCustomers, use: extensions.index)
        staff(.get, DashboardPath.newExtension, needs: .runBulkJobs, use: extensions.askForMany)
        staff(.post, DashboardPath.extensions, needs: .runBulkJobs, use: extensions.extendMany)
        staff(.get, DashboardPath.extensions + "/{id}", needs: .viewCustomers, use: extensions.show)
        staff(.get, one, needs: .giveAccess, use: extensions.askForOne)
        staff(.post, one, needs: .giveAccess, use: extensions.extendOne)
    }

    /// The same for programs.
    func addAdminExtensions(_ extensions: AdminExtensionsController) {
        token(
            .get,
            Paths.renewalExtensions,
            needs: .viewSubscriptions,
            AdminExtensionsController.list,
            use: extensions.index
        )
        token(
            .post,
            Paths.renewalExtensions,
            needs: .giveAccess,
            AdminExtensionsController.request,
            use: extensions.create
        )
        token(
            .get,
            Paths.renewalExtension("{id}"),
            needs: .viewSubscriptions,
            AdminExtensionsController.one,
            use: extensions.show
        )
        token(
            .get,
            Paths.failures(ofExtension: "{id}"),
            needs: .viewSubscriptions,
            AdminExtensionsController.failures,
            use: extensions.failures
        )
    }
}
