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
        staff(.get, DashboardPath.find, needs: .viewOrders, use: controllers.desk.find.index)
        staff(.get, customers, needs: .viewCustomers, use: controllers.desk.customers.index)
        staff(.get, one, needs: .viewCustomers, use: controllers.desk.customers.show)
        staff(.get, DashboardPath.nearLimits, needs: .viewCustomers, use: controllers.desk.usageMetrics.nearLimits)
        staff(.post, one + "/notes", needs: .writeNotes, use: controllers.desk.customers.addNote)
        staff(
            .get,
            one + "/notes/{note}/withdraw",
            needs: .writeNotes,
            use: controllers.desk.customers.askToWithdrawNote
        )
        staff(.post, one + "/notes/{note}/withdraw", needs: .writeNotes, use: controllers.desk.customers.withdrawNote)
        staff(.get, one + "/consent", needs: .recordConsent, use: controllers.desk.customers.askForConsent)
        staff(.post, one + "/consent", needs: .recordConsent, use: controllers.desk.customers.recordConsent)
        staff(.get, one + "/tester", needs: .changeAccess, use: controllers.desk.customers.askForTester)
        staff(.post, one + "/tester", needs: .changeAccess, use: controllers.desk.customers.markTester)
        for action in UsageAction.allCases {
            let path = "\(one)/\(action.rawValue)"
            staff(.get, path + "/new", needs: .giveAccess, use: controllers.desk.usageActions.new(action))
            staff(.post, path, needs: .giveAccess, use: controllers.desk.usageActions.create(action))
        }
        staff(.get, one + "/sessions", needs: .endCustomerSessions, use: controllers.desk.customers.sessions)
        staff(.post, one + "/sessions", needs: .endCustomerSessions, use: controllers.desk.customers.endSessions)
        let seat = DashboardPath.seats + "/{id}/end"
        staff(.get, DashboardPath.seats, needs: .viewCustomers, use: controllers.desk.seats.index)
        staff(.get, seat, needs: .giveAccess, use: controllers.desk.seats.ask)
        staff(.post, seat, needs: .giveAccess, use: controllers.desk.seats.end)
        staff(.get, subscriptions, needs: .viewCustomers, use: controllers.desk.subscriptions.index)
        staff(.get, DashboardPath.exports + "/orders", needs: .exportLists, use: controllers.desk.exports.orders)
        staff(.get, DashboardPath.exports + "/refunds", needs: .exportLists, use: controllers.desk.exports.refunds)
        staff(.get, DashboardPath.exports + "/customers", needs: .exportLists, use: controllers.desk.exports.customers)
        staff(
            .get,
            DashboardPath.exports + "/subscriptions",
            needs: .exportLists,
            use: controllers.desk.exports.subscriptions
        )
        staff(.get, subscriptions + "/{id}", needs: .viewCustomers, use: controllers.desk.subscriptions.show)
    }

    private func addViews(_ controllers: Controllers) {
        let (views, one) = (DashboardPath.views, DashboardPath.views + "/{id}")
        staff(.get, views + "/new", needs: .saveViews, use: controllers.desk.views.new)
        staff(.post, DashboardPath.columns, needs: nil, use: controllers.desk.views.chooseColumns)
        staff(.post, views, needs: .saveViews, use: controllers.desk.views.create)
        staff(.get, one, needs: .saveViews, use: controllers.desk.views.edit)
        staff(.post, one, needs: .saveViews, use: controllers.desk.views.update)
        staff(.get, one + "/delete", needs: .saveViews, use: controllers.desk.views.askToDelete)
        staff(.post, one + "/delete", needs: .saveViews, use: controllers.desk.views.delete)
    }
}
