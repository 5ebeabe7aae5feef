import Billing
package import HTTP
package import Operations
package import Storage

/// The controllers of the JSON APIs, and of the webhooks that stores call.
package struct APIControllers: Sendable {
    package let adminOrders: AdminOrdersController
    package let adminRefunds: AdminRefundsController
    package let adminDesk: AdminDeskControllers
    package let adminMetrics: AdminMetricsController
    package let adminQueues: AdminQueuesController
    package let adminReconciliations: AdminReconciliationsController
    package let adminBills: AdminBillsController
    package let adminStores: AdminStoresController
    package let adminApplePurchases: AdminApplePurchasesController
    package let adminExternalPurchases: AdminExternalPurchasesController
    package let adminExtensions: AdminExtensionsController
    package let adminPromoCodes: AdminPromoCodesController
    package let tokens: TokensController
    package let customerSessions: CustomerSessionsController
    package let signIn: SignInController
    package let customerAccount: CustomerAccountController
    package let entitlements: EntitlementsController
    package let appServer: AppServerController
    package let appServerUsage: AppServerUsageController
    package let appServerSeats: AppServerSeatsController
    package let customerSubscription: CustomerSubscriptionController
    package let trials: TrialController
    package let usage: UsageController
    package let usageReservations: UsageReservationsController
    package let promoCodeRedemptions: PromoCodesController
    package let ios: IOSController
    package let payments: PaymentController
    package let checkouts: CheckoutController
    package let offers: OffersController
    package let appleNotifications: AppleNotificationController
    package let appleAccount: AppleAccountController
    package let storeNotifications: StoreNotificationController
    package let paymentReturns: PaymentReturnController

    /// - Parameters:
    ///   - publicURL: the address under which stores reach this server; nil where nobody said.
    ///   - receive: takes in a notification of Apple's as it was sent; nil for the back office.
    package init(
        backOffice: BackOffice,
        addresses: ClientAddress,
        counts: CappedCounts,
        publicURL: String? = nil,
        receive: (@Sendable (String) async throws -> Void)? = nil
    ) {
        let database = backOffice.database
        let purchases = CustomerPurchases(backOffice: backOffice)
        adminOrders = AdminOrdersController(database: database)
        adminRefunds = AdminRefundsController(backOffice: backOffice, counts: counts)
        adminDesk = AdminDeskControllers(backOffice: backOffice, counts: counts)
        adminMetrics = AdminMetricsController(backOffice: backOffice)
        adminQueues = AdminQueuesController(backOffice: backOffice)
        adminReconciliations = AdminReconciliationsController(backOffice: backOffice)
        adminBills = AdminBillsController(backOffice: backOffice)
        adminStores = AdminStoresController(backOffice: backOffice)
        adminApplePurchases = AdminApplePurchasesController(backOffice: backOffice)
        adminExternalPurchases = AdminExternalPurchasesController(backOffice: backOffice)
        adminExtensions = AdminExtensionsController(backOffice: backOffice)
        adminPromoCodes = AdminPromoCodesController(backOffice: backOffice, counts: counts)
        tokens = TokensController(backOffice: backOffice)
        customerSessions = CustomerSessionsController(backOffice: backOffice)
        signIn = SignInController(backOffice: backOffice)
        customerAccount = CustomerAccountController(backOffice: backOffice)
        entitlements = EntitlementsController(backOffice: backOffice)
        appServer = AppServerController(backOffice: backOffice)
        appServerUsage = AppServerUsageController(backOffice: backOffice)
        appServerSeats = AppServerSeatsController(backOffice: backOffice)
        customerSubscription = CustomerSubscriptionController(purchases: purchases)
        trials = TrialController(purchases: purchases)
        usage = UsageController(backOffice: backOffice)
        usageReservations = UsageReservationsController(backOffice: backOffice)
        promoCodeRedemptions = PromoCodesController(backOffice: backOffice, addresses: addresses)
        ios = IOSController(purchases: purchases)
        payments = PaymentController(purchases: purchases)
        checkouts = CheckoutController(backOffice: backOffice, addresses: addresses, publicURL: publicURL)
        offers = OffersController(backOffice: backOffice)
        appleNotifications = AppleNotificationController(
            receive: receive ?? { _ = try await backOffice.receiveNotification($0, from: .apple) }
        )
        appleAccount = AppleAccountController(backOffice: backOffice)
        storeNotifications = StoreNotificationController(backOffice: backOffice)
        paymentReturns = PaymentReturnController(backOffice: backOffice)
    }
}

/// The admin API's controllers for customers, their subscriptions, usage and purchases, and the audit log.
package struct AdminDeskControllers: Sendable {
    package let subscriptions: AdminSubscriptionsController
    package let customers: AdminCustomersController
    package let usage: AdminUsageController
    package let purchases: AdminPurchasesController
    package let audit: AdminAuditController

    init(backOffice: BackOffice, counts: CappedCounts) {
        subscriptions = AdminSubscriptionsController(backOffice: backOffice, counts: counts)
        customers = AdminCustomersController(backOffice: backOffice, counts: counts)
        usage = AdminUsageController(backOffice: backOffice)
        purchases = AdminPurchasesController(backOffice: backOffice)
        audit = AdminAuditController(database: backOffice.database, counts: counts)
    }
}
