import API
import Billing
import Desk
import HTTP
import HTTPTypes
import Operations
import Storage

extension RouteBuilder {
    /// The secret keys of the app's own server.
    func addAppKeys(_ keys: AppKeysController) {
        let (all, revocation) = (DashboardPath.appKeys, DashboardPath.appKeys + "/{id}/revocation")
        staff(.get, all, needs: .connectStores, use: keys.index)
        staff(.get, DashboardPath.newAppKey, needs: .connectStores, requiresReauthentication: true, use: keys.new)
        staff(.post, all, needs: .connectStores, requiresReauthentication: true, use: keys.create)
        staff(.get, revocation, needs: .connectStores, requiresReauthentication: true, use: keys.newRevocation)
        staff(.post, revocation, needs: .connectStores, requiresReauthentication: true, use: keys.createRevocation)
    }
}
