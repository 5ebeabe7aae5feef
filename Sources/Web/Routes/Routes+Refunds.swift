import API
import Desk
import HTTP
import HTTPTypes
import Operations

extension RouteBuilder {
    /// The refund desk.
    func addRefunds(_ refunds: RefundsController) {
        let order = DashboardPath.orders + "/{number}/refund"
        let request = DashboardPath.refunds + "/{number}"
        staff(.get, DashboardPath.refunds, needs: .viewRefunds, use: refunds.index)
        staff(.get, request, needs: .viewRefunds, use: refunds.show)
        staff(.get, order, needs: .requestRefunds, use: refunds.new)
        staff(.post, order, needs: .requestRefunds, use: refunds.create)
        for step in RefundAction.allCases {
            let permission: Permission = step == .cancellation ? .requestRefunds : .decideRefunds
            staff(.get, "\(request)/\(step.rawValue)", needs: permission, use: refunds.ask(step))
            staff(.post, "\(request)/\(step.rawValue)", needs: permission, use: refunds.perform(step))
        }
    }
}
