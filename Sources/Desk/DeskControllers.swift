import Billing
import Foundation
package import HTTP
import Operations
package import Storage

/// Everything of the dashboard that answers.
package struct DeskControllers: Sendable {
    package let sessions: SessionsController
    package let staff: StaffControllers
    package let help: HelpController
    package let reference: APIReferenceController
    package let preferences: PreferencesController
    package let metrics: MetricsController
    package let subscribers: SubscribersController
    package let cohorts: CohortsController
    package let usageMetrics: UsageMetricsController
    package let serviceHealth: ServiceHealthController
    package let orders: OrdersController
    package let refunds: RefundsController
    package let find: FindController
    package let exports: ExportsController
    package let views: ViewsController
    package let customers: CustomersController
    package let usageActions: UsageActionsController
    package let subscriptions: SubscriptionsController
    package let seats: SeatsController
    package let extensions: ExtensionsController
    package let promoCodes: PromoBatchesController
    package let notifications: NotificationsController
    package let queues: QueuesController
    package let sync: SyncController
    package let bills: BillsController
    package let checkouts: CheckoutsController
    package let stores: StoresController
    package let issuerSecrets: IssuerSecretsController
    package let appKeys: AppKeysController
    package let applePurchases: ApplePurchasesController
    package let externalPurchases: ExternalPurchasesController
    package let access: AccessController
    package let bulk: BulkController
    package let pay: PayController

    /// - Parameters:
    ///   - door: lets staff in, and has what their pages need.
    ///   - routes: the operations that the reference of the API shows.
    ///   - origin: the address that its examples call.
    package init(
        _ door: StaffAuthenticator,
        publicURL: String?,
        counts: CappedCounts,
        routes: RouteMap,
        origin: String
    ) {
        let (backOffice, cookies, assets) = (door.backOffice, door.cookies, door.assets)
        let database = backOffice.database
        let exports = ExportDesk(backOffice: backOffice)
        let sessions = SessionsController(door)
        self.sessions = sessions
        staff = StaffControllers(
            sessions: sessions,
            identity: IdentityController(backOffice: backOffice),
            account: AccountController(backOffice: backOffice),
            audit: AuditController(backOffice: backOffice, counts: counts, exports: exports),
            staff: StaffController(backOffice: backOffice, publicURL: publicURL),
            welcome: WelcomeController(
                backOffice: backOffice,
                cookies: cookies,
                origins: door.origins,
                addresses: door.addresses,
                assets: assets
            ),
            keys: KeysController(backOffice: backOffice)
        )
        help = HelpController(backOffice: backOffice, cookies: cookies, assets: assets)
        reference = APIReferenceController(
            backOffice: backOffice,
            cookies: cookies,
            assets: assets,
            routes: routes,
            origin: origin
        )
        preferences = PreferencesController(backOffice: backOffice, cookies: cookies)
        metrics = MetricsController(backOffice: backOffice, counts: counts)
        subscribers = SubscribersController(backOffice: backOffice, counts: counts)
        cohorts = CohortsController(backOffice: backOffice, counts: counts)
        usageMetrics = UsageMetricsController(backOffice: backOffice)
        serviceHealth = ServiceHealthController(backOffice: backOffice)
        orders = OrdersController(database: database, counts: counts)
        refunds = RefundsController(backOffice: backOffice, counts: counts)
        find = FindController(database: database)
        self.exports = ExportsController(desk: exports)
        views = ViewsController(backOffice: backOffice)
        customers = CustomersController(backOffice: backOffice, counts: counts)
        usageActions = UsageActionsController(backOffice: backOffice)
        subscriptions = SubscriptionsController(database: database, counts: counts)
        seats = SeatsController(backOffice: backOffice)
        extensions = ExtensionsController(backOffice: backOffice)
        promoCodes = PromoBatchesController(backOffice: backOffice, counts: counts, exports: exports)
        notifications = NotificationsController(backOffice: backOffice, counts: counts)
        queues = QueuesController(backOffice: backOffice)
        sync = SyncController(backOffice: backOffice)
        bills = BillsController(backOffice: backOffice)
        checkouts = CheckoutsController(backOffice: backOffice)
        stores = StoresController(backOffice: backOffice)
        issuerSecrets = IssuerSecretsController(backOffice: backOffice)
        appKeys = AppKeysController(backOffice: backOffice)
        applePurchases = ApplePurchasesController(backOffice: backOffice)
        externalPurchases = ExternalPurchasesController(backOffice: backOffice)
        access = AccessController(backOffice: backOffice)
        bulk = BulkController(backOffice: backOffice, exports: exports)
        pay = PayController(backOffice: backOffice, assets: assets)
    }
}

/// Signing in, one's own account, other people's accounts, and the log of what everybody did.
package struct StaffControllers: Sendable {
    package let sessions: SessionsController
    package let identity: IdentityController
    package let account: AccountController
    package let audit: AuditController
    package let staff: StaffController
    package let welcome: WelcomeController
    package let keys: KeysController
}
