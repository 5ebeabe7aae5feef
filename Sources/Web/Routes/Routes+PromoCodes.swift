import API
import APITypes
import Desk
import HTTP
import HTTPTypes
import Operations
import Storage

extension RouteBuilder {
    /// Batches of promo codes, and what came of them.
    func addPromoCodes(_ promoCodes: PromoBatchesController) {
        let (all, one) = (DashboardPath.promoCodes, DashboardPath.promoCodes + "/{id}")
        staff(.get, all, needs: .viewPromoCodes, use: promoCodes.index)
        staff(.get, DashboardPath.newPromoBatch, needs: .managePromoCodes, use: promoCodes.new)
        staff(.post, all, needs: .managePromoCodes, use: promoCodes.create)
        staff(.get, one, needs: .viewPromoCodes, use: promoCodes.show)
        staff(.get, one + "/codes.csv", needs: .managePromoCodes, use: promoCodes.codes)
        for change in PromoBatchChange.allCases {
            staff(.get, one + "/\(change.rawValue)", needs: .managePromoCodes, use: promoCodes.ask(change))
            staff(.post, one + "/\(change.rawValue)", needs: .managePromoCodes, use: promoCodes.act(change))
        }
    }

    /// The same for programs.
    func addAdminPromoCodes(_ promoCodes: AdminPromoCodesController) {
        typealias Admin = AdminPromoCodesController
        let one = Paths.promoBatch("{id}")
        token(.get, Paths.promoBatches, needs: .viewPromoCodes, Admin.list, use: promoCodes.index)
        token(.post, Paths.promoBatches, needs: .managePromoCodes, Admin.make, use: promoCodes.create)
        token(.get, Paths.promoChannels, needs: .viewPromoCodes, Admin.channels, use: promoCodes.channels)
        token(.get, one, needs: .viewPromoCodes, Admin.one, use: promoCodes.show)
        token(
            .get,
            Paths.redemptions(ofPromoBatch: "{id}"),
            needs: .viewPersonalData,
            Admin.redemptions,
            use: promoCodes.redemptions
        )
        token(.post, one + "/stop", needs: .managePromoCodes, Admin.stop, use: promoCodes.stop)
        token(.post, one + "/resume", needs: .managePromoCodes, Admin.resume, use: promoCodes.resume)
    }
}
