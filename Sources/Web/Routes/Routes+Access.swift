import API
import Billing
import Desk
import Foundation
import HTTP
import Hummingbird
import Operations
import Storage

extension RouteBuilder {
    /// Adds the actions of staff for one customer, and for many at once.
    func addAccess(_ controllers: Controllers) {
        for action in AccessAction.allCases {
            let path = "\(DashboardPath.customers)/{id}/\(action.rawValue)"
            staff(.get, path + "/new", needs: action.permission, use: controllers.desk.access.new(action))
            staff(.post, path, needs: action.permission, use: controllers.desk.access.create(action))
        }
        let (bulk, one) = (DashboardPath.bulk, DashboardPath.bulk + "/{id}")
        staff(.get, bulk, needs: .runBulkJobs, use: controllers.desk.bulk.index)
        staff(.get, bulk + "/new", needs: .runBulkJobs, use: controllers.desk.bulk.new)
        staff(.post, bulk, needs: .runBulkJobs, takesFiles: true, use: controllers.desk.bulk.create)
        staff(.get, one, needs: .runBulkJobs, use: controllers.desk.bulk.show)
        staff(.get, one + "/result.csv", needs: .runBulkJobs, use: controllers.desk.bulk.result)
        for action in BulkAction.allCases {
            staff(.get, "\(one)/\(action.rawValue)/new", needs: .runBulkJobs, use: controllers.desk.bulk.ask(action))
            staff(.post, "\(one)/\(action.rawValue)", needs: .runBulkJobs, use: controllers.desk.bulk.act(action))
        }
    }
}
