import API
import Desk
import HTTP
import Hummingbird
import Operations

extension RouteBuilder {
    /// Customers and what is theirs.
    func addCustomers(_ controllers: Controllers) {
        addViews(controllers)
        let (customers, one) = (DashboardPath.customers, DashboardPath.customers + "/{id}")
        let subscriptions = DashboardPath.subscriptions
        staff(.get, DashboardPath.find, needs: .viewOrders, use: controllers.find.index)
        staff(.get, customers, needs: .viewCustomers, use: controllers.customers.index)
        staff(.get, one, needs: .viewCustomers, use: controllers.customers.show)
        staff(.get, DashboardPath.nearLimits, needs: .viewCustomers, use: controllers.usageMetrics.nearLimits)
        staff(.post, one + "/notes", needs: .writeNotes, use: controllers.customers.addNote)
        staff(.get, one + "/notes/{note}/withdraw", needs: .writeNotes, use: controllers.customers.askToWithdrawNote)
        staff(.post, one + "/notes/{note}/withdraw", needs: .writeNotes, use: controllers.customers.withdrawNote)
        staff(.get, one + "/consent", needs: .recordConsent, use: controllers.customers.askForConsent)
        staff(.post, one + "/consent", needs: .recordConsent, use: controllers.customers.recordConsent)
        for action in UsageAction.allCases {
            let path = "\(one)/\(action.rawValue)"
            staff(.get, path + "/new", needs: .giveAccess, use: controllers.usageActions.new(action))
            staff(.post, path, needs: .giveAccess, use: controllers.usageActions.create(action))
        }
        staff(.get, one + "/sessions", needs: .endCustomerSessions, use: controllers.customers.sessions)
        staff(.post, one + "/sessions", needs: .endCustomerSessions, use: controllers.customers.endSessions)
        staff(.get, subscriptions, needs: .viewCustomers, use: controllers.subscriptions.index)
        staff(.get, DashboardPath.exports + "/orders", needs: .exportLists, use: controllers.exports.orders)
        staff(.get, DashboardPath.exports + "/customers", needs: .exportLists, use: controllers.exports.customers)
        staff(
            .get,
            DashboardPath.exports + "/subscriptions",
            needs: .exportLists,
            use: controllers.exports.subscriptions
        )
        staff(.get, subscriptions + "/{id}", needs: .viewCustomers, use: controllers.subscriptions.show)
    }

    private func addViews(_ controllers: Controllers) {
        let (views, one) = (DashboardPath.views, DashboardPath.views + "/{id}")
        staff(.get, views + "/new", needs: .saveViews, use: controllers.views.new)
        staff(.post, DashboardPath.columns, needs: nil, use: controllers.views.chooseColumns)
        staff(.post, views, needs: .saveViews, use: controllers.views.create)
        staff(.get, one, needs: .saveViews, use: controllers.views.edit)
        staff(.post, one, needs: .saveViews, use: controllers.views.update)
        staff(.get, one + "/delete", needs: .saveViews, use: controllers.views.askToDelete)
        staff(.post, one + "/delete", needs: .saveViews, use: controllers.views.delete)
    }
}
