import APITypes
import HTTPTypes
import Operations

extension RouteBuilder {
    func addAdminRefunds(_ refunds: AdminRefundsController) {
        let one = Paths.refund("{number}")
        token(.post, Paths.refunds(ofOrder: "{id}"), needs: .requestRefunds, use: refunds.create)
        token(.get, Paths.refunds, needs: .viewRefunds, isList: true, use: refunds.index)
        token(.get, one, needs: .viewRefunds, use: refunds.show)
        token(.post, "\(one)/approve", needs: .decideRefunds, use: refunds.approve)
        token(.post, "\(one)/reject", needs: .decideRefunds, use: refunds.reject)
        token(.post, "\(one)/cancel", needs: .requestRefunds, use: refunds.cancel)
        token(.post, "\(one)/process", needs: .decideRefunds, use: refunds.process)
    }
}
