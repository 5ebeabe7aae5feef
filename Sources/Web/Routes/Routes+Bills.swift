import API
import APITypes
import Desk
import HTTP
import HTTPTypes
import Operations
import Storage

extension RouteBuilder {
    /// Adds the pages of stores' bills, and of the rows in which they and the books differ.
    func addBills(_ bills: BillsController) {
        let difference = DashboardPath.billDifferences + "/{id}"
        staff(.get, DashboardPath.bills, needs: .viewNotifications, use: bills.index)
        staff(.get, DashboardPath.bills + "/{id}", needs: .viewNotifications, use: bills.show)
        staff(.get, DashboardPath.billDifferences, needs: .viewNotifications, use: bills.differences)
        staff(.get, difference + "/notes/new", needs: .replayNotifications, use: bills.newNote)
        staff(.post, difference + "/notes", needs: .replayNotifications, use: bills.note)
    }

    /// Adds the pages of payments at stores that wait for people.
    func addCheckouts(_ checkouts: CheckoutsController) {
        let checkout = DashboardPath.checkouts + "/{id}"
        staff(.get, DashboardPath.checkouts, needs: .viewNotifications, use: checkouts.index)
        staff(.get, checkout + "/closing/new", needs: .replayNotifications, use: checkouts.newClosing)
        staff(.post, checkout + "/closing", needs: .replayNotifications, use: checkouts.close)
    }

    /// The programs' calls about stores' bills.
    func addAdminBills(_ bills: AdminBillsController) {
        token(.get, Paths.bills, needs: .viewNotifications, AdminBillsController.list, use: bills.index)
        token(
            .get,
            Paths.billDifferences,
            needs: .viewNotifications,
            AdminBillsController.differenceList,
            use: bills.differences
        )
        token(
            .post,
            Paths.notes(onBillDifference: "{id}"),
            needs: .replayNotifications,
            AdminBillsController.note,
            use: bills.addNote
        )
    }
}
