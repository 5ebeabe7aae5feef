/// The paths of the JSON API.
public enum Paths {
    public static let appleNotifications = "/webhooks/apple"
    /// The same, by the name that the llm-proxy document gives it.
    public static let iosWebhook = "/ios/webhook"
    /// Has Apple send a test notification.
    public static let appleTest = "/webhooks/apple/test"
    /// Apple's notifications about the accounts that people sign in with.
    public static let appleAccount = "/webhooks/apple/account"
    public static func notifications(of store: String) -> String { "/webhooks/\(store)" }
    /// Of one app, for stores whose notifications name none before they are opened.
    public static func notifications(of store: String, for app: String) -> String { "/webhooks/\(store)/\(app)" }

    /// The page that a customer comes back to from a store's page.
    public static func paymentReturn(from store: String, to app: String) -> String {
        "/payment-returns/\(store)/\(app)"
    }

    // MARK: For apps

    /// The public keys of access tokens.
    public static let keySet = "/.well-known/jwks.json"
    /// By the names that the lightgallery document gives them.
    public static let refreshToken = "/api/v1/auth/token/refresh"
    public static let logOut = "/api/v1/auth/logout"
    /// The sessions of the customer.
    public static let customerSessions = "/api/v1/auth/sessions"
    public static func customerSession(_ id: String) -> String { "\(customerSessions)/\(id)" }
    public static let oauthExchange = "/api/v1/auth/oauth/exchange"
    public static let account = "/api/v1/auth/account"
    public static let userProfile = "/api/v1/user/profile"
    /// By the names that the readmigo document gives them.
    public static let entitlements = "/entitlements"
    public static func entitlement(_ feature: String) -> String { "\(entitlements)/\(feature)" }
    public static let subscriptionStatus = "/subscriptions/status"
    public static let verifyReceipt = "/subscriptions/verify"
    public static let restorePurchases = "/subscriptions/restore"
    /// Of the trial that the app itself gives.
    public static let trialEligibility = "/subscriptions/trial/eligibility"
    public static let trialStatus = "/subscriptions/trial/status"
    public static let startTrial = "/subscriptions/trial/start"
    public static let currentUsage = "/usage/current"
    /// Usage that was counted offline.
    public static let usageBatch = "/usage"

    /// The usage of a feature.
    ///
    /// - Parameter feature: its code, such as `ai` or `voice-chat`.
    public static func usage(of feature: String) -> String { "/usage/\(feature)" }

    /// The reservations of a feature's usage, for work whose usage is not known in advance.
    public static func usageReservations(of feature: String) -> String { "\(usage(of: feature))/reservations" }

    public static func usageReservation(_ id: String, of feature: String) -> String {
        "\(usageReservations(of: feature))/\(id)"
    }

    /// The settlement of a reservation, by the usage that it came to.
    public static func settlement(ofUsageReservation id: String, of feature: String) -> String {
        "\(usageReservation(id, of: feature))/settle"
    }
    /// The offers of an app, for whoever looks at them.
    public static let paywall = "/paywall"
    /// By the names that the llm-proxy document gives them.
    public static let validateReceipt = "/ios/validate-receipt"
    public static let iosStatus = "/ios/status"
    public static let iosRestore = "/ios/restore"
    public static let iosPlans = "/ios/plans"
    /// By the names that the lightgallery document gives them.
    public static let subscriptionProducts = "/api/v1/subscription/products"
    public static let currentSubscription = "/api/v1/subscription/status"
    public static let verifyPayment = "/api/v1/subscription/verify"
    public static let syncSubscription = "/api/v1/subscription/sync"
    public static let cancelSubscription = "/api/v1/subscription/cancel"

    /// The orders that a customer pays at a store.
    public static let paymentOrders = "/api/v1/subscription/orders"
    public static func paymentOrder(_ number: String) -> String { "\(paymentOrders)/\(number)" }

    /// The redemption of promo codes by customers.
    public static let redeemPromoCode = "/promo-codes/redeem"

    // MARK: For apps' own servers

    /// Of several customers at once.
    public static let customerEntitlements = "/customers/entitlements"
    public static func appCustomer(_ externalID: String) -> String { "/customers/\(externalID)" }
    public static func entitlements(ofCustomer externalID: String) -> String { "/customers/\(externalID)/entitlements" }
    public static func tokens(ofCustomer externalID: String) -> String { "/customers/\(externalID)/tokens" }
    /// The seats of the groups that the customer bought.
    public static func seats(ofCustomer externalID: String) -> String { "\(appCustomer(externalID))/seats" }
    public static func seat(_ id: String, ofCustomer externalID: String) -> String {
        "\(seats(ofCustomer: externalID))/\(id)"
    }
    /// Of several customers at once.
    public static let customerUsage = "/customers/usage"
    /// Below it as below `/usage`.
    public static func usage(of feature: String, ofCustomer externalID: String) -> String {
        "\(appCustomer(externalID))\(usage(of: feature))"
    }

    // MARK: For programs of staff

    /// The description of the API (OpenAPI 3.1).
    public static let openAPI = "/openapi.json"
    public static let orders = "/admin/orders"

    /// - Parameter id: the order's UUID or number.
    public static func order(_ id: String) -> String { "\(orders)/\(id)" }

    public static let refunds = "/admin/refunds"

    /// - Parameter number: `RF-000001`
    public static func refund(_ number: String) -> String { "\(refunds)/\(number)" }

    /// The refunds of an order.
    public static func refunds(ofOrder id: String) -> String { "\(order(id))/refunds" }

    public static let subscriptions = "/admin/subscriptions"

    /// Metrics of all of them.
    public static let subscriptionStatistics = "\(subscriptions)/stats/overview"

    /// The access of a customer.
    public static func subscriptions(ofCustomer id: String) -> String { "\(subscriptions)/\(id)" }

    public static let customers = "/admin/customers"

    public static func customer(_ id: String) -> String { "\(customers)/\(id)" }

    public static func timeline(ofCustomer id: String) -> String { "\(customer(id))/timeline" }

    public static func notes(aboutCustomer id: String) -> String { "\(customer(id))/notes" }
    public static func note(_ note: String, aboutCustomer id: String) -> String {
        "\(notes(aboutCustomer: id))/\(note)"
    }

    /// The proofs of purchase.
    public static let purchases = "/admin/purchases"

    public static func purchaseVerification(_ id: String) -> String { "\(purchases)/\(id)" }

    public static func tester(_ id: String) -> String { "\(customer(id))/tester" }
    public static func consent(ofCustomer id: String) -> String { "\(customer(id))/consent" }

    /// The usage of a customer; below it, staff's actions on their limits.
    public static func usage(ofCustomer id: String) -> String { "\(customer(id))/usage" }

    /// Customers who have nearly used up a limit.
    public static let nearLimits = "/admin/near-limits"

    public static let renewalExtensions = "/admin/extensions"

    public static func renewalExtension(_ id: String) -> String { "\(renewalExtensions)/\(id)" }

    public static func failures(ofExtension id: String) -> String { "\(renewalExtension(id))/failures" }

    /// Batches of promo codes.
    public static let promoBatches = "/admin/promo-codes"
    public static let promoChannels = "\(promoBatches)/channels"

    public static func promoBatch(_ id: String) -> String { "\(promoBatches)/\(id)" }

    public static func redemptions(ofPromoBatch id: String) -> String { "\(promoBatch(id))/redemptions" }

    public static let orderStatistics = "\(orders)/stats"
    public static let revenueTrend = "/admin/support/stats"

    /// - Parameter name: `revenue`, `mrr`, `subscribers`, `trials`, `retention`, `conversion`, `arpu`, `ltv`, `access`
    ///   or `health`.
    public static func metric(_ name: String) -> String { "/admin/metrics/\(name)" }

    public static let queues = "/admin/queues"

    /// - Parameter queue: `notifications`, `bulk_jobs`, `reports`, `reconciliations`, `purchase_verifications`,
    ///   `consumption_answers`, `extension_requests`, `account_tokens`, `sign_in_revocations`, `order_joinings`, `seat_groups`,
    ///   `checkouts`, `acknowledgements`, `daily_bills` or `refund_payouts`.
    public static func jobs(inQueue queue: String) -> String { "\(queues)/\(queue)/jobs" }

    /// The retries of a queue's dead letters.
    public static func retries(inQueue queue: String) -> String { "\(queues)/\(queue)/retries" }

    /// The reconciliations with stores, and the notifications that they found missing.
    public static let reconciliations = "/admin/reconciliations"

    /// Stores' bills, and the rows in which they and the books differ.
    public static let bills = "/admin/bills"
    public static let billDifferences = "/admin/bill-differences"

    public static func notes(onBillDifference id: String) -> String { "\(billDifferences)/\(id)/notes" }

    /// The purchases under an order id of Apple.
    public static func appleOrder(_ id: String) -> String { "/admin/stores/apple/orders/\(id)" }

    /// Account tokens that Apple is told, to name a purchase's customer.
    public static let appleAccountTokens = "/admin/stores/apple/account-tokens"
    /// Purchases outside of a store.
    public static let externalPurchases = "/admin/external-purchases"

    public static let audit = "/admin/audit"

    public static func auditEntry(_ id: String) -> String { "\(audit)/\(id)" }
}
