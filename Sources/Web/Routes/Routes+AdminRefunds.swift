import API
import APITypes
import Desk
import HTTP
import HTTPTypes
import Operations

extension RouteBuilder {
    func addAdminRefunds(_ refunds: AdminRefundsController) {
        let one = Paths.refund("{number}")
        token(
            .post,
            Paths.refunds(ofOrder: "{id}"),
            needs: .requestRefunds,
            AdminRefundsController.request,
            use: refunds.create
        )
        token(.get, Paths.refunds, needs: .viewRefunds, AdminRefundsController.list, use: refunds.index)
        token(.get, one, needs: .viewRefunds, AdminRefundsController.one, use: refunds.show)
        token(.post, "\(one)/approve", needs: .decideRefunds, AdminRefundsController.approval, use: refunds.approve)
        token(.post, "\(one)/reject", needs: .decideRefunds, AdminRefundsController.rejection, use: refunds.reject)
        token(.post, "\(one)/cancel", needs: .requestRefunds, AdminRefundsController.cancellation, use: refunds.cancel)
        token(.post, "\(one)/process", needs: .decideRefunds, AdminRefundsController.payment, use: refunds.process)
        token(.post, "\(one)/send", needs: .decideRefunds, AdminRefundsController.sending, use: refunds.send)
        token(.post, "\(one)/settle", needs: .decideRefunds, AdminRefundsController.settlement, use: refunds.settle)
    }
}
