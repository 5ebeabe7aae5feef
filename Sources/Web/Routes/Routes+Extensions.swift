import APITypes
import HTTPTypes
import Operations

extension RouteBuilder {
    /// Renewals that staff have stores put off.
    func addExtensions(_ extensions: ExtensionsController) {
        let one = DashboardPath.subscriptions + "/{id}/extension"
        staff(.get, DashboardPath.extensions, needs: .viewCustomers, use: extensions.index)
        staff(.get, DashboardPath.newExtension, needs: .runBulkJobs, use: extensions.askForMany)
        staff(.post, DashboardPath.extensions, needs: .runBulkJobs, use: extensions.extendMany)
        staff(.get, one, needs: .giveAccess, use: extensions.askForOne)
        staff(.post, one, needs: .giveAccess, use: extensions.extendOne)
    }

    /// The same for programs.
    func addAdminExtensions(_ extensions: AdminExtensionsController) {
        token(
            .get,
            Paths.extensionRequests,
            needs: .viewSubscriptions,
            AdminExtensionsController.list,
            use: extensions.index
        )
        token(
            .post,
            Paths.extensionRequests,
            needs: .giveAccess,
            AdminExtensionsController.request,
            use: extensions.create
        )
        token(
            .get,
            Paths.extensionRequest("{id}"),
            needs: .viewSubscriptions,
            AdminExtensionsController.one,
            use: extensions.show
        )
    }
}
